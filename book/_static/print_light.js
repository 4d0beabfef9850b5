// Paper is white: a page that is read in the dark theme is printed in the light one.
const paper = matchMedia("print");
const root = document.documentElement;
let onScreen;

const follow = () => {
  if (paper.matches) {
    onScreen = root.dataset.theme;
    root.dataset.theme = "light";
  } else if (onScreen) root.dataset.theme = onScreen;
};

paper.addEventListener("change", follow);
