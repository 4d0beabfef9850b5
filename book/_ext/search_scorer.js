/* The order of what a search finds: words of the page "Find it" first, then titles of pages, titles of sections, texts;
   records of claims and lists after chapters, and members of the library last. */
var Scorer = {
  score: ([doc, title, anchor, descr, score]) => {
    const stemmer = new Stemmer();
    const words = (text) => splitQuery(text.toLowerCase()).filter((word) => !stopwords.includes(word)).map((word) => stemmer.stemWord(word));
    const asked = words(new URLSearchParams(window.location.search).get("q") || "");
    const within = (text) => {
      const there = words(text);
      return asked.length ? asked.filter((word) => there.includes(word)).length / asked.length : 0;
    };
    if (anchor.startsWith("#index-")) return 3000 + score; // also those that Sphinx finds by the page "Find it"
    if (descr) return score - 2000;
    const list = /^book\/(api|claims|changelog|architecture|references|glossary|find)/.test(doc) ? 600 : 0;
    if (anchor) return 1000 + 500 * within(title) + score - list; // the title of a section
    const file = Search._index.docnames.indexOf(doc);
    const titled = asked.filter((word) => [Search._index.titleterms[word] ?? []].flat().includes(file)).length;
    return (within(title) === 1 ? 2000 : 500 * within(title)) + (asked.length ? 400 * titled / asked.length : 0) + score - list;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
