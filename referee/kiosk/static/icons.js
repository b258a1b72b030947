// Signs that the fonts of a small machine lack, drawn.

import { h } from "./dom.js";

const DRAWN = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  previous: "M5 5h2v14H5zM19 5v14L9 12z",
  next: "M17 5h2v14h-2zM5 5v14l10-7z",
  voice: "M3 9v6h4l5 4V5L7 9zM16 8.5q3 3.5 0 7M18.8 6q5 6 0 12",
  silence: "M3 9v6h4l5 4V5L7 9zM16 9l6 6M22 9l-6 6",
};

export const icon = (name) => h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: DRAWN[name] }));
