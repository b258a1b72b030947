// Names of cards and zones as people read them.

import { said } from "./sentences.js";
import { known } from "./words.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SHOWS_ITSELF = /^(villager_\d+|body|vote|grave|back|back_.*|.*_back)$/;

const LONG = 7; // letters of a score that stands beside a name

/** Whether a score needs a line of its own; letters of Japanese are twice as wide. */
export const isLong = (score) => [...score].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0) > LONG;

const titled = (name) => name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");

/** What is written on a card; nothing where the picture says it already. */
export function cardName(name) {
  if (!name || SHOWS_ITSELF.test(name)) return null;
  const [, rank, suit] = /^(10|[2-9AJQK])([SHDC])$/.exec(name) ?? [];
  return suit ? `${rank}${SUITS[suit]}` : said(titled(name.replace(/^(body_back|role)_/, "")));
}

/** "HAND Ann" in the reader's language. */
export function zoneName(name) {
  const [kind, ...who] = name.split(" ");
  return known(`zone.${name}`) ?? known(`zone.${kind}`)?.replace("{who}", who.join(" ")) ?? name;
}
