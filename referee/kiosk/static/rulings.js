// One ruling as people read it: what, why, by which clause.

import { clauseText } from "./clauses.js";
import { h } from "./dom.js";
import { said } from "./sentences.js";
import { t } from "./words.js";

const TONES = { FOUL: "bad", ILLEGAL: "bad", CORRECT: "bad", ELIMINATED: "bad", LOSS: "bad", AUDIT: "bad", OK: "good", SCORE: "good", WIN: "good", REVIEW: "ask", PROMPT: "ask", UNSEEN: "ask", DRAW: "ask" };

export function rulingCard(ruling, fresh = false) {
  const head = t(`code.${ruling.code}`);
  const clauses = ruling.clauses.map((id) => [id, clauseText(id, ruling.texts?.[id])]);
  return h("article", { class: `ruling${fresh ? " new" : ""}`, "data-tone": TONES[ruling.code] ?? "plain", "data-number": ruling.number },
    h("p", {}, h("span", { class: "code" }, head), ruling.number && h("span", { class: "number" }, ` · ${t("number", { n: ruling.number })}`)),
    h("p", { class: "because" }, withoutHead(said(ruling.because), head)),
    clauses.map(([id, text]) => h("p", { class: "clauses" }, h("b", {}, id), text && text !== id ? ` ${text}` : "")));
}

/** "Foul: it hit a gate piece" stands under the word "Foul" already. */
export function withoutHead(text, head) {
  if (!text.toLowerCase().startsWith(head.toLowerCase()) || !/^[:：]\s*\S/.test(text.slice(head.length))) return text;
  const rest = text.slice(head.length).replace(/^[:：]\s*/, "");
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

export const isLoud = (ruling) => !["INFO", "ASSUME"].includes(ruling.code);
