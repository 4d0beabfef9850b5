/* A page marks the words of the search that led to it. What drawings have in titles, descriptions and styles has no place on
   the page, and Sphinx's marking would end there with an error; so it passes them over. */
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("svg :is(title, desc, style, metadata)").forEach((unseen) => unseen.classList.add("nohighlight"));
});
/* The search shows sentences of the pages that it finds only where it may read them, which it may not from a disk. */
document.addEventListener("DOMContentLoaded", () => {
  if (location.protocol === "file:") {
    document.querySelector("#search-results")?.insertAdjacentHTML("beforebegin",
      "<p>Opened as a file, the book shows titles here. Started with <code>make serve</code>, it shows sentences, too.</p>");
  }
});
