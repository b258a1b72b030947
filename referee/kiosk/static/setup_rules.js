// House rules: what the printed rules leave open, each with its default; and how far the referee may go.

import { clauseText } from "./clauses.js";
import { h } from "./dom.js";
import { said } from "./sentences.js";
import { known, t } from "./words.js";

export const rulesPage = (draft) => [h("h2", { class: "headline" }, t("house_rules")), h("p", { class: "hint" }, t("defaults_fine")),
  h("div", { class: "rules" }, h("label", { class: "rule" }, h("span", {}, t("overturn_question")), overturns(draft)), draft.game.switches.map((rule) => h("label", { class: "rule" }, h("span", {}, said(rule.question)), control(rule, draft)))),
  Object.keys(draft.game.fouls).length > 0 && h("details", { class: "more" }, h("summary", {}, t("authority")), h("p", { class: "hint" }, t("authority_hint")),
    Object.entries(draft.game.fouls).map(([clause, text]) => h("label", { class: "rule" }, h("span", {}, h("b", {}, clause), ` ${clauseText(clause, text)}`), way(clause, draft))))];

const overturns = (draft) => h("select", { "data-key": "overturn", onchange: (event) => { draft.overturn = event.target.value; } },
  ["unanimous", "majority", "other_side"].map((rule) => h("option", { value: rule, selected: draft.overturn === rule }, t(`overturn_by.${rule}`), rule === "unanimous" ? ` ${t("default")}` : "")));

const way = (clause, draft) => h("select", { onchange: (event) => { draft.authority[clause] = event.target.value; } },
  ["decide", "propose", "ignore"].map((kind) => h("option", { value: kind, selected: draft.authority[clause] === kind }, t(`way.${kind}`))));

function control(rule, draft) {
  const value = draft.switches[rule.name] ?? rule.default;
  const set = (chosen) => { draft.switches[rule.name] = chosen; };
  if (typeof rule.default === "number") return h("input", { type: "number", value, step: Number.isInteger(rule.default) ? 1 : "any", onchange: (event) => set(Number(event.target.value)) });
  const yesNo = typeof rule.default === "boolean";
  const options = yesNo ? [true, false] : choicesOf(rule, draft);
  return h("select", { onchange: (event) => set(options[event.target.selectedIndex]) }, options.map((option) =>
    h("option", { selected: option === value }, named(rule, option), option === rule.default ? ` ${t("default")}` : "")));
}

/** The words that may be chosen; a rule that names none means a seat. */
const choicesOf = (rule, draft) => (rule.choices.length ? rule.choices : [rule.default, ...draft.seats]);

function named(rule, option) {
  if (typeof option === "boolean") return t(option ? "yes" : "no");
  return known(`choice.${rule.name}.${option}`) ?? known(`choice.${option}`) ?? option.replaceAll("_", " ");
}
