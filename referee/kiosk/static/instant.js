// The disputed moment again, in slow motion, a moment after it happened, with what was measured drawn over it.

import { fill, h } from "./dom.js";
import { Film } from "./film.js";
import { icon } from "./icons.js";
import { get } from "./net.js";
import { LAYERS, plot, shapes } from "./overlays.js";
import { above, bothReadings, layerBoxes, numbers } from "./proof.js";
import { said as told } from "./sentences.js";
import { t } from "./words.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1];
const on = new Set(LAYERS.slice(0, 5));

/** An element that shows the ruling's frames in a loop; it says so when there are none. */
export function instantReplay(ruling) {
  const place = h("div", { class: "instant", "aria-busy": "true" }, h("p", { class: "hint" }, t("instant.wait")));
  load(place, `instant/${ruling.number}`).catch(() => place.replaceChildren(h("p", { class: "hint" }, t("instant.none"))));
  return place;
}

async function load(place, base) {
  const said = await get(`${base}/state`);
  place.removeAttribute("aria-busy");
  if (said.error) { place.replaceChildren(h("p", { class: "hint" }, said.error)); return; }
  await new Replay(place, base, said).begin();
}

class Replay {
  constructor(place, base, said) {
    Object.assign(this, { place, base, said, hands: [], shot: said.shot });
    this.canvas = h("canvas", { width: said.size[0], height: said.size[1], role: "img", "aria-label": t("review.picture") });
    this.over = h("svg", { viewBox: `0 0 ${said.size[0]} ${said.size[1]}`, "aria-hidden": "true" });
    this.which = h("span", { class: "hint" });
    this.plotted = h("div", { class: "plotted" });
    this.film = new Film(base, this.canvas, (at) => this.shown(at));
  }

  async begin() {
    const { film, shot } = this;
    film.speed = 0.25;
    await film.open();
    film.loop = [0, film.length - 1];
    fill(this.place,
      h("div", {}, h("div", { class: "glass" }, this.canvas, this.over), this.controls(), shot && h("div", { class: "layers" }, layerBoxes(LAYERS, on, () => this.draw()))),
      h("div", { class: "proofs" }, shot ? [numbers(shot), bothReadings(shot), shot.window_mm && above(`${this.base}/above/0`, shot), this.plotted] : margins(this.said)));
    await film.show(0);
    film.play();
  }

  controls() {
    const { film } = this;
    const button = (name, text, go) => h("button", { "aria-label": t(name), title: t(name), onclick: go }, text);
    return h("div", { class: "row controls" },
      button("review.back", "−1", () => film.show(film.at - 1)), (this.plays = button("review.play", icon("pause"), () => { if (film.playing) film.show(film.at); else film.play(); })), button("review.step", "+1", () => film.show(film.at + 1)),
      this.shot && button("instant.closest", "◎", () => film.show(this.shot.closest)),
      h("select", { "aria-label": t("review.speed"), onchange: (event) => { film.speed = Number(event.target.value); } }, SPEEDS.map((speed) => h("option", { value: speed, selected: speed === film.speed }, `${speed}×`))), this.which);
  }

  shown(at) {
    this.which.textContent = `${at + 1} / ${this.film.length}`;
    if (this.plays) fill(this.plays, icon(this.film.playing ? "pause" : "play"));
    if (!this.place.isConnected) { this.film.pause(); return; }
    this.hands = [];
    this.draw();
  }

  draw() {
    const { film, shot } = this;
    if (!shot) return;
    fill(this.over, shapes({ board_px: shot.board_px, final: [] }, shot, film.at, on, this.hands));
    fill(this.plotted, on.has("plot") && plot(shot, film.at, (frame) => film.show(frame)));
    if (on.has("hand") && !film.playing && !this.hands.length) this.seeHands(film.at);
  }

  async seeHands(at) {
    const { hands } = await get(`${this.base}/hands/${at}`);
    if (this.film.at !== at || !hands?.length) return;
    this.hands = hands;
    this.draw();
  }
}

/** Where nothing can be drawn, the number alone. */
const margins = ({ margin_mm: margin, tolerance_mm: tolerance, readings }) => [
  margin !== null && margin !== undefined && h("p", {}, h("b", {}, `${margin > 0 ? "+" : ""}${margin} mm`), tolerance ? ` (${t("instant.tolerance", { mm: tolerance })})` : ""),
  ...readings.map((reading) => h("p", { class: "hint" }, told(reading))),
];
