"""Files of the first rule, which an older fdpedu has written: read as they are, and refused after a change."""

import json
from pathlib import Path

import pytest

from fdpedu import files
from fdpedu.boosting import Ensemble

FILES = {
    name: (Path(__file__).parent / "data" / f"ensemble-1-{name}.json").read_text("utf8") for name in ("trees", "curves")
}


@pytest.mark.parametrize("name", FILES)
def test_they_are_read_and_written_as_they_were(name):
    """Their questions stood number by number in requests, so their derivations have other digests than today's."""
    ensemble = Ensemble.from_json(FILES[name])
    assert ensemble.form == name and len(ensemble.model.trees) == 4
    before, after = json.loads(FILES[name]), json.loads(ensemble.to_json())
    assert {key: part for key, part in after.items() if key not in ("program", "sha256")} == {
        key: part for key, part in before.items() if key not in ("program", "sha256")
    }


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("at", [0, 1])
def test_another_weight_is_refused(name, at):
    content = files.loads(FILES[name], "fdpedu-ensemble/1")
    content["batches"][at]["trees"][0]["weights"][0] += 1
    with pytest.raises(ValueError, match="not the one it paid for"):
        Ensemble.from_json(files.dumps("fdpedu-ensemble/1", content))
