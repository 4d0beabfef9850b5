"""Every slider of an opened page, moved by keyboard and by mouse."""

STATE = """(figure) => [...figure.querySelectorAll("[data-path], [data-label], [data-frames]")]
  .map((e) => [e.getAttribute("d"), e.getAttribute("x"), e.getAttribute("y"), e.hidden, e.textContent].join())
  .join("|")"""


def sliders_unseen(page):
    """The sliders of a page without a control that one can see."""
    for number, figure in enumerate(page.locator(".fd-slider").all()):
        control = figure.locator("input[type=range]")
        if control.count() != 1 or not control.is_visible():
            yield f"slider {number} has no control that one can see"


def sliders(page):
    """Move each slider of a page by keyboard and by mouse; returns what did not move with it."""
    if unseen := list(sliders_unseen(page)):
        yield from unseen
        return
    for number, figure in enumerate(page.locator(".fd-slider").all()):
        control, words = figure.locator("input[type=range]"), figure.locator("output")

        def seen(figure=figure, words=words):
            return figure.evaluate(STATE), words.inner_text()

        def same(before, after, how, number=number):
            return [
                f"slider {number}: {how} leaves {part}"
                for a, b, part in zip(before, after, PARTS, strict=False)
                if a == b
            ]

        control.scroll_into_view_if_needed()
        control.focus()
        page.keyboard.press("Home")
        first = seen()
        page.keyboard.press("End")
        last = seen()
        yield from same(first, last, "End")
        page.keyboard.press("ArrowLeft")
        yield from same([last], [seen()], "an arrow key")
        page.keyboard.press("Home")
        box = control.bounding_box()
        page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2, steps=5)
        page.mouse.up()
        yield from same(first, seen(), "the mouse")


PARTS = ("its curve", "its words")
