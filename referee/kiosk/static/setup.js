// The first screen: game, players round the table, house rules, camera; one step after the other.

import { byId, fill, h } from "./dom.js";
import { get, post } from "./net.js";
import { t } from "./words.js";

const STEPS = ["game", "players", "rules", "camera"];
const draft = { step: 0, game: null, seats: [], switches: {}, authority: {}, camera: "", profile: "", deck: "" };
let sheets = null;
let problem = "";

export async function showSetup(guest) {
  sheets ??= await get("api/games");
  if (!guest.acts) return fill(byId("screen"), h("div", { class: "setup" }, h("h2", { class: "headline" }, t("no_match")), h("p", {}, t("watching"))));
  fill(byId("screen"), h("div", { class: "setup" }, steps(), problem && h("p", { class: "error", role: "alert" }, problem), PAGES[STEPS[draft.step]](guest)));
}

const steps = () => h("ol", { class: "steps" }, STEPS.map((step, k) => h("li", { "aria-current": k === draft.step ? "step" : null }, t(`step.${step}`))));

const again = (change, guest) => { Object.assign(draft, change); problem = ""; showSetup(guest); };

const PAGES = {
  game: (guest) => [h("h2", { class: "headline" }, t("which_game")), h("div", { class: "games" }, sheets.games.map((game) =>
    h("button", { onclick: () => again({ game, step: 1, seats: firstSeats(game), switches: {}, authority: {} }, guest) },
      h("b", {}, game.title), h("small", {}, t("players_n", { from: game.seats[0], to: game.seats[1] })), h("span", {}, game.summary))))],

  players: (guest) => [h("h2", { class: "headline" }, t("who_plays")), h("p", { class: "hint" }, t("clockwise")),
    h("div", { class: "row" },
      h("button", { disabled: draft.seats.length <= draft.game.seats[0], onclick: () => again({ seats: draft.seats.slice(0, -1) }, guest) }, "−"),
      h("b", {}, t("players_count", { n: draft.seats.length })),
      h("button", { disabled: draft.seats.length >= draft.game.seats[1], onclick: () => again({ seats: [...draft.seats, letter(draft.seats.length)] }, guest) }, "+")),
    roundTable(), h("div", { class: "seats" }, draft.seats.map((seat, k) => h("label", { class: "field" }, h("span", {}, t("seat_n", { n: k + 1 })),
      h("input", { value: seat, maxlength: 12, oninput: (event) => { draft.seats[k] = event.target.value.trim(); } })))),
    onward(guest)],

  rules: (guest) => [h("h2", { class: "headline" }, t("house_rules")), h("p", { class: "hint" }, t("defaults_fine")),
    h("div", {}, draft.game.switches.map((rule) => h("label", { class: "rule" }, h("span", {}, rule.question, rule.gap && h("small", { class: "hint" }, ` ${rule.gap}`)), ruleControl(rule)))),
    Object.keys(draft.game.fouls).length > 0 && h("details", { class: "more" }, h("summary", {}, t("authority")), Object.entries(draft.game.fouls).map(([clause, text]) =>
      h("label", { class: "rule" }, h("span", {}, h("b", {}, clause), ` ${text}`), h("select", { onchange: (event) => { draft.authority[clause] = event.target.value; } },
        ["decide", "propose", "ignore"].map((way) => h("option", { value: way, selected: draft.authority[clause] === way }, t(`way.${way}`))))))),
    onward(guest)],

  camera: (guest) => [h("h2", { class: "headline" }, t("camera")), h("p", { class: "hint" }, t("camera_hint")),
    field("camera", t("camera_name"), sheets.cameras[0] ?? "webcam:0", sheets.cameras), field("profile", t("profile_path"), ""),
    draft.game.name !== "rocca" && field("deck", t("deck_name"), "standard"),
    h("div", { class: "row" }, h("button", { onclick: () => again({ step: 2 }, guest) }, t("back")),
      h("button", { class: "main", onclick: () => begin(guest, true) }, t("start_camera")),
      h("button", { onclick: () => begin(guest, false) }, t("start_by_hand")))],
};

const onward = (guest) => h("div", { class: "row" }, h("button", { onclick: () => again({ step: draft.step - 1 }, guest) }, t("back")),
  h("button", { class: "main", onclick: () => again({ step: draft.step + 1 }, guest) }, t("next")));

const letter = (k) => String.fromCharCode(65 + k);
const firstSeats = (game) => Array.from({ length: Math.min(Math.max(game.seats[0], 3), game.seats[1]) }, (_, k) => letter(k));

function field(name, label, hint, options = []) {
  return h("label", { class: "field" }, h("span", {}, label), h("input", { value: draft[name], placeholder: hint, list: `${name}-list`, oninput: (event) => { draft[name] = event.target.value.trim(); } }),
    h("datalist", { id: `${name}-list` }, options.map((option) => h("option", { value: option }))));
}

function ruleControl(rule) {
  const value = draft.switches[rule.name] ?? rule.default;
  const set = (chosen) => { draft.switches[rule.name] = chosen; };
  if (typeof rule.default === "boolean") return h("input", { type: "checkbox", checked: value, onchange: (event) => set(event.target.checked) });
  if (typeof rule.default === "number") return h("input", { type: "number", value, onchange: (event) => set(Number(event.target.value)) });
  return h("select", { onchange: (event) => set(event.target.value) }, (rule.choices.length ? rule.choices : [rule.default]).map((option) => h("option", { value: option, selected: option === value }, option)));
}

/** The table from above: the first seat at the bottom, then clockwise. */
function roundTable() {
  const n = draft.seats.length;
  return h("svg", { class: "round-table", viewBox: "-110 -90 220 180", "aria-hidden": "true" }, h("circle", { r: 52, fill: "#1d5c48" }),
    draft.seats.map((_, k) => { const a = Math.PI / 2 + (2 * Math.PI * k) / n; return h("g", {}, h("circle", { cx: 76 * Math.cos(a), cy: 70 * Math.sin(a), r: 15, fill: "#f2b84b" }), h("text", { x: 76 * Math.cos(a), y: 70 * Math.sin(a) + 6, "font-size": "15" }, String(k + 1))); }));
}

async function begin(guest, withCamera) {
  const answer = await post("api/match", { game: draft.game.name, seats: draft.seats, switches: draft.switches, authority: draft.authority,
    camera: withCamera ? draft.camera || sheets.cameras[0] || "webcam:0" : null, profile: draft.profile || null, deck: draft.deck || null });
  problem = answer.error ?? "";
  if (problem) showSetup(guest);
}
