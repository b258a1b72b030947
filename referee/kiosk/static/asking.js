// What a choice still has to ask before it is an event.

import { h, openDialog } from "./dom.js";
import { said } from "./sentences.js";
import { t } from "./words.js";

/** Ask for everything `choice` wants; `done(event)` is called with the whole event. */
export function askFor(choice, seats, done) {
  const event = { ev: choice.event, ...choice.fields };
  const asks = choice.asks ?? [];
  if (!asks.length) return done(event);
  openDialog(said(choice.label), (close) => {
    const fields = asks.map((ask) => [ask, control(ask, seats)]);
    return h("form", { onsubmit: (submit) => { submit.preventDefault(); close(); done({ ...event, ...answers(fields) }); } },
      fields.map(([ask, input]) => h("label", { class: "field" }, h("span", {}, readable(ask.name)), input)),
      h("div", { class: "row" }, h("button", { class: "main" }, t("ok")), h("button", { type: "button", onclick: close }, t("cancel"))));
  });
}

const readable = (name) => name.replaceAll("_", " ");

function control(ask, seats) {
  const options = ask.kind === "seat" && !ask.options.length ? seats : ask.options;
  if (ask.kind === "number" && !options.length) return h("input", { type: "number", min: 0, required: true, name: ask.name });
  if (options.length) return h("select", { name: ask.name }, options.map((option) => h("option", { value: option }, said(option))));
  return h("input", { type: "text", name: ask.name, autocomplete: "off" });
}

function answers(fields) {
  return Object.fromEntries(fields.map(([ask, input]) => [ask.name, typed(ask, input.value)]));
}

function typed(ask, text) {
  if (ask.kind === "number") return Number(text);
  if (ask.kind === "pieces") return text.split(",").map((name) => name.trim()).filter(Boolean);
  if (ask.options.length && ask.options.every((option) => option === "yes" || option === "no")) return text === "yes";
  return text;
}
