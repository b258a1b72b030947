// Joins the line, the words and the screens.

import { speakClauses } from "./clauses.js";
import { byId, fill, h, openDialog } from "./dom.js";
import { icon } from "./icons.js";
import { connect, get, post, reconnect } from "./net.js";
import { leavePlay, showPlay } from "./play.js";
import { isLoud } from "./rulings.js";
import { said } from "./sentences.js";
import { showSetup } from "./setup.js";
import { language, languages, speak, t } from "./words.js";

const KEPT = 60;
const now = { line: false, setup: false, guest: { acts: false }, match: null, view: null, scene: null, clock: null, rulings: [], proposal: null, troubles: {}, paused: false, night: false };
let voice = localStorage.getItem("voice") === "on";
let drawing = false;

const HEARD = {
  setup: () => Object.assign(now, { setup: true, match: null, view: null, scene: null, clock: null, rulings: [], proposal: null, night: false }),
  match: (message) => Object.assign(now, { setup: false, match: message, scene: null, clock: null, proposal: null, rulings: now.match?.begun === message.begun ? now.rulings : [] }),
  view: (message) => Object.assign(now, { view: message.view, paused: message.paused, night: message.night }),
  scene: (message) => { now.scene = message; },
  clock: (message) => { now.clock = { ...message, since: performance.now() }; },
  ruling: (message) => { if (now.rulings.every((r) => r.number !== message.number)) { now.rulings = [...now.rulings, message].slice(-KEPT); if (isLoud(message)) say(said(message.because)); } },
  proposal: (message) => { now.proposal = message.ruling; },
  status: (message) => { now.troubles = troubles(message); },
  say: (message) => say(said(message.text), true),
};

function hear(message) {
  HEARD[message.kind]?.(message);
  if (message.kind === "match") speakClauses(message.game).then(draw);
  draw();
}

function troubles({ troubles: said, dropped, unrecorded }) {
  const all = { ...said };
  if (dropped) all.speed = t("dropped", { n: dropped });
  if (unrecorded) all.unrecorded = t("unrecorded", { n: unrecorded });
  return all;
}

/** At most once a frame, however much is said. */
function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; render(); });
}

function render() {
  document.title = now.match ? `${now.match.title} · Table Referee` : "Table Referee";
  byId("title").textContent = now.match?.title ?? "Table Referee";
  byId("night").hidden = !now.night;
  byId("screen").inert = now.night;
  const said = now.line ? now.troubles : { line: t("no_line") };
  fill(byId("troubles"), Object.values(said).map((why) => h("span", {}, why)));
  fill(byId("tools"), tools());
  if (now.match && now.view) showPlay(now);
  else if (now.setup) { leavePlay(); showSetup(now.guest, () => now.setup); }
}

const tools = () => [
  h("button", { "data-key": "who", onclick: now.guest.pin ? showPin : askPin }, ...(now.guest.pin ? [h("span", { class: "long" }, t("join")), h("span", { class: "short" }, t("join_short"))] : [now.guest.acts ? t("acting") : t("enter_pin")])),
  h("button", { "data-key": "voice", "aria-pressed": String(voice), title: t("voice"), "aria-label": t("voice"), onclick: () => { voice = !voice; localStorage.setItem("voice", voice ? "on" : "off"); draw(); } }, icon(voice ? "voice" : "silence")),
  h("button", { "data-key": "theme", title: t("theme"), "aria-label": t("theme"), onclick: turnTheme }, "◐"),
  h("select", { "data-key": "language", "aria-label": t("language"), onchange: async (event) => { await speak(event.target.value); await speakClauses(now.match?.game); leavePlay(); nightPicture(); draw(); } },
    languages().map(([code, name]) => h("option", { value: code, selected: code === language() }, name))),
];

function turnTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const root = document.documentElement;
  root.dataset.theme = (root.dataset.theme ?? (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

function showPin() {
  openDialog(t("join"), (close) => [h("p", {}, t("join_hint")), h("div", { class: "qr" }, h("img", { src: "api/qr.svg", alt: t("qr") }), h("div", {}, h("p", {}, "PIN"), h("p", { class: "pin" }, now.guest.pin))), h("div", { class: "row" }, h("button", { class: "main", onclick: close }, t("close")))]);
}

function askPin() {
  openDialog(t("enter_pin"), (close) => h("form", { onsubmit: (submit) => knock(submit, close) },
    h("label", { class: "field" }, h("span", {}, t("pin_hint")), h("input", { name: "pin", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 6, autofocus: true })),
    now.match && h("label", { class: "field" }, h("span", {}, t("your_seat")), h("select", { name: "seat" }, h("option", { value: "" }, t("no_seat")), now.match.seats.map((seat) => h("option", { value: seat }, seat)))),
    h("p", { class: "error", role: "alert", hidden: true }), h("div", { class: "row" }, h("button", { class: "main" }, t("ok")), h("button", { type: "button", onclick: close }, t("cancel")))));
}

async function knock(submit, close) {
  submit.preventDefault();
  const form = submit.target;
  const answer = await post("api/pin", { pin: form.pin.value.trim() });
  if (answer.error) { const sorry = form.querySelector(".error"); sorry.textContent = answer.error; sorry.hidden = false; return; }
  if (form.seat?.value) await post("api/seat", { seat: form.seat.value });
  close();
  await meet();
  reconnect();
}

/** Rulings are spoken when the table wants it; what the Game Master says is always for everybody. */
function say(text, always = false) {
  if (always) byId("spoken").textContent = text;
  if (!(voice || always) || !window.speechSynthesis) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language();
  speechSynthesis.speak(words);
}

function nightPicture() {
  fill(byId("night"), h("div", {}, h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, h("path", { d: "M62 12a40 40 0 1 0 26 56A34 34 0 0 1 62 12z", fill: "#c9d3ea" })), h("p", {}, t("night"))));
}

async function meet() {
  now.guest = await get("api/hello");
  const pin = new URLSearchParams(location.hash.slice(1)).get("pin");
  if (pin && !now.guest.acts) {
    history.replaceState(null, "", location.pathname);
    await post("api/pin", { pin });
    now.guest = await get("api/hello");
  }
  draw();
}

async function begin() {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  await Promise.all([speak(), meet()]);
  nightPicture();
  setInterval(() => { if (now.clock?.running) draw(); }, 500);
  connect(hear, (line) => { now.line = line; draw(); });
}

begin();
