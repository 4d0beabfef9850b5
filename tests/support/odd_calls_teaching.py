"""Valid calls of what is there for teachers, for the odd values of `tests/support/odd_calls.py`."""

from fdpedu.teaching import choose
from tests.support.notebooks import SET

CHOSEN = choose(2, minutes=10)
TEACHING = {
    "teaching.answer_notebook": {"chosen": CHOSEN},
    "teaching.as_moodle": {"chapter": 2},
    "teaching.choose": {"chapter": 2, "minutes": 45},
    "teaching.grade": {
        **{"notebooks": ["no such notebook.ipynb"], "chosen": CHOSEN, "seconds": 9, "memory": 4096, "progress": len},
    },
    "teaching.quiz": {"chapter": 2},
    "teaching.read_notebook": {"path": "answers.ipynb"},
    "teaching.read_set": {"text": SET, "where": "the set"},
    "teaching.set_of": {"ids": ["privacy-delta", "privacy-group"], "title": "Exercises"},
    "teaching.sheet_page": {"chosen": CHOSEN},
    "teaching.sheet_text": {"chosen": CHOSEN},
}
