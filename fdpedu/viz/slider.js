// Moves the drawings of every slider figure on the page. All numbers were computed by Python: a path is a list
// of x and a list of y (or one list for each position), as whole numbers of which all but the first are steps.
document.querySelectorAll(".fd-slider:not([data-ready])").forEach(function (figure) {
  figure.dataset.ready = "";
  const data = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
  const range = figure.querySelector("input");
  const at = (value, i) => (Array.isArray(value) ? value[i] : value);
  const numbers = (value, i) => at(value, i).match(/-?\d+/g);

  function outline(path, i) {
    const x = numbers(path.x, i), y = numbers(path.y, i);
    const join = (k) => (k ? path.join[(k - 1) % path.join.length] : "M");
    return x.map((step, k) => join(k) + step + " " + y[k]).join("") + path.end;
  }

  function show() {
    const i = +range.value;
    figure.querySelectorAll("[data-path]").forEach(function (element) {
      element.setAttribute("d", outline(data.paths[element.dataset.path], i));
    });
    figure.querySelectorAll("[data-label]").forEach(function (element) {
      const label = data.labels[element.dataset.label];
      element.setAttribute("x", at(label.x, i));
      element.setAttribute("y", at(label.y, i));
      element.textContent = at(label.text, i);
    });
    figure.querySelectorAll("[data-frames]").forEach(function (element) {
      element.hidden = !element.dataset.frames.split(" ").includes(range.value);
    });
    figure.querySelector(".fd-value").textContent = data.values[i];
    range.setAttribute("aria-valuetext", data.values[i]);
    figure.querySelector("output").textContent = data.texts[i];
  }

  range.addEventListener("input", show);
  figure.querySelector(".fd-control").hidden = false;
  show();
});
