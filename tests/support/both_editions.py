"""A program: does `check` say the same in the edition for students, unpacked in a folder, as in this one?

`python -m tests.support.both_editions FOLDER ID…`: both are loaded in one process, one after the other.
"""

import sys

from tests.support.exercises import check, find


def replies(check, answers):
    return {id: [check(id, answer) for answer in given] for id, given in answers.items()}


def main(folder, *ids):
    known = {id: (find(id).reference, *(wrong.answer for wrong in find(id).wrong)) for id in ids}
    mine = replies(check, known)
    for name in [name for name in sys.modules if name.split(".")[0] == "fdpedu"]:
        del sys.modules[name]
    sys.path.insert(0, folder)
    from fdpedu.exercises import check as check_for_students
    from fdpedu.exercises.stored import FILE

    assert FILE.is_relative_to(folder) and FILE.exists()
    theirs = replies(lambda id, answer: check_for_students(id, answer, seconds=60), known)
    for id in ids:
        for one, other in zip(mine[id], theirs[id], strict=True):
            same = ("verdict", "counterexample", "tried")
            if any(getattr(one, name) != getattr(other, name) for name in same) or (one.passed != (one is mine[id][0])):
                raise SystemExit(f"{one}\n\n{other}")
    print(f"equal: {sum(map(len, mine.values()))} replies")


if __name__ == "__main__":
    main(*sys.argv[1:])
