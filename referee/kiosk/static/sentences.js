// What the bench says, in the reader's language. The bench speaks English; every sentence it has is a template in
// words/bench.json with its translations, and the values (seats, cards, numbers) are put in again.

const COLUMN = { de: 0, ja: 1 };
const KEPT = 600;
const TELLING = 12; // letters, and two for each value, that make a template more than a joint
const JOINTS = [/(?<=[.!?]) /, /: (?![^(]*\))/, /; /, /, and (?![^(]*\))/, /, (?![^(]*\))/];
const JOINED = { de: [" ", ": ", "; ", ", und ", ", "], ja: ["", "：", "；", "、また", "、"] }; // how each language joins again what was parted there
let templates = [];
let names = new Set();
let stop = ".";
let joined = [];
const known = new Map();

/** Load the sentences of a language; English needs none. */
export async function speakSentences(language) {
  known.clear();
  const column = COLUMN[language];
  stop = language === "ja" ? "。" : ".";
  joined = JOINED[language] ?? [];
  const book = column === undefined ? {} : await (await fetch("words/bench.json")).json();
  templates = Object.entries(book).map(([english, others]) => template(english, others[column])).sort((a, b) => b.weight - a.weight);
}

/** Players' names are nobody's to translate. */
export function keepNames(seats) {
  if (seats.every((seat) => names.has(seat)) && seats.length === names.size) return;
  names = new Set(seats);
  known.clear();
}

/** A value that stands alone is never empty; one that is stuck to a word or to another value may be. */
function gap(parts, k, any) {
  const [before, after] = [parts[k], parts[k + 1]];
  const stuck = k > 0 ? !/[ (:]$/.test(before) : !/[ (:]$|^$/.test(before) || /^[a-z]/i.test(after);
  if (stuck) return `(${any}*?)`;
  return after === "" && k + 2 < parts.length ? `(${any}+)` : `(${any}+?)`;
}

/** Whether it ends a sentence is no part of a template: the same words stand in the middle of one, too. */
function template(english, words) {
  const parts = english.replace(/\.$/, "").split(/\{\d\}/);
  const plain = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = (any) => new RegExp(`^${parts.map((part, k) => plain(part) + (k < parts.length - 1 ? gap(parts, k, any) : "")).join("")}$`);
  const weight = parts.join("").length;
  return { strict: pattern("(?:(?![.:] ).)"), free: pattern("."), words: words.replace(/[.。]$/, ""), weight, tells: weight + 2 * parts.length > TELLING };
}

/** The sentence in the reader's language; as it is where nobody has written one. */
export function said(text) {
  if (!text || !templates.length || names.has(text) || !/[A-Za-z]/.test(text)) return text ?? "";
  if (!known.has(text)) {
    if (known.size > KEPT) known.clear();
    const ends = text.endsWith("."), bare = ends ? text.slice(0, -1) : text;
    const other = filled(bare, "strict", true) ?? parted(bare) ?? filled(bare, "strict") ?? filled(bare, "free");
    known.set(text, other === null ? text : `${other}${ends ? stop : ""}`);
  }
  return known.get(text);
}

/** English words that would stand in the middle of another language: then rather all of it in English. */
const isForeign = (english, other) => english === other && !names.has(english) && /\b[a-z]{2,} [a-z]{2,}\b/.test(english);

function filled(text, kind, telling = false) {
  for (const { [kind]: pattern, words, tells } of templates) {
    if (telling && !tells) continue;
    const values = pattern.exec(text)?.slice(1);
    if (!values || values.some((value) => value.length >= text.length)) continue;
    const turned = values.map(said);
    if (!telling && values.some((value, k) => isForeign(value, turned[k]))) continue;
    return words.replace(/\{(\d)\}/g, (_, k) => turned[k]);
  }
  return null;
}

/** Sentence by sentence, then what a colon parts, the things of a list, what stands in brackets. */
function parted(text) {
  for (const [k, joint] of joined.entries()) {
    const parts = text.split(JOINTS[k]);
    if (parts.length < 2) continue;
    const turned = parts.map(said);
    if (turned.some((part, n) => part !== parts[n])) return turned.join(joint);
  }
  const inside = /^(.+) \((.+)\)$/.exec(text);
  return inside && `${said(inside[1])} (${said(inside[2])})`;
}
