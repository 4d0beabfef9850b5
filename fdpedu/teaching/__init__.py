"""For whoever teaches from the book: sheets of exercises, quizzes for Moodle, and marks for notebooks.

A *set* says which exercises a class gets, for how many points and in how many attempts (:func:`read_set`). Of it, of
named exercises (:func:`set_of`), or of a chapter and the minutes there are (:func:`choose`), :func:`sheet_page` makes a
hand-out, and :func:`answer_notebook` the notebook that is handed in. :func:`grade` runs what came back and says for
every exercise PASS, FAIL with the smallest counterexample and the misconception, or that there is no answer.

What grading is not: a sandbox. A notebook runs in a process of its own, in an empty folder and with an empty
environment, and is stopped at limits of time, memory and output. Its code can still do what the user who grades can do:
read files, use the network, start programs. So grade as a user who owns nothing, or in a container. The verdict is
reached outside of that process, from values that are plain data, so a notebook cannot write its own mark; but it can
look for the solution, which is a part of the package, and nobody can see from an answer who wrote it.

>>> from fdpedu.teaching import choose, read_set, sheet_text
>>> chosen = choose(2, minutes=15)
>>> [(item.id, item.minutes) for item in chosen.items]
[('privacy-randomized-response', 5), ('privacy-sensitivity', 5)]
>>> read_set(chosen.to_toml()) == chosen
True
"""

from fdpedu.teaching.grading import ClassMarks, Mark, StudentMarks, grade
from fdpedu.teaching.notebooks import answer_notebook, read_notebook
from fdpedu.teaching.quizzes import Option, Question, as_moodle, quiz
from fdpedu.teaching.sets import ExerciseSet, Item, choose, read_set, set_of
from fdpedu.teaching.sheets import sheet_page, sheet_text

__all__ = [
    "ClassMarks",
    "ExerciseSet",
    "Item",
    "Mark",
    "Option",
    "Question",
    "StudentMarks",
    "answer_notebook",
    "as_moodle",
    "choose",
    "grade",
    "quiz",
    "read_notebook",
    "read_set",
    "set_of",
    "sheet_page",
    "sheet_text",
]
