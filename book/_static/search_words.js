/* A page marks the words of the search that led to it. What drawings have in titles, descriptions and styles has no place on
   the page, and Sphinx's marking would end there with an error; so it passes them over. */
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("svg :is(title, desc, style, metadata)").forEach((unseen) => unseen.classList.add("nohighlight"));
});
