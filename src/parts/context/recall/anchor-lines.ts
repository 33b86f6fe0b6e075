import type { Entry } from '../../../contracts/entry.ts';
import { estimateTextTokens } from '../view/tokens.ts';
import type { AnchorKind } from './anchor-kinds.ts';
import { collectAnchors, type SeenAnchor } from './anchors.ts';

/** How many facts of a kind are worth having beside the others: more of what cannot be guessed or found again otherwise. */
const SHARE: Readonly<Record<AnchorKind, number>> = {
  path: 4,
  command: 3,
  error: 3,
  setting: 3,
  url: 2,
  port: 2,
  ticket: 2,
  env: 2,
  version: 2,
  sha: 1,
  uuid: 1,
  ip: 1,
  test: 2,
  exit: 1,
  number: 2,
  quoted: 2,
};
/** Only ever printed, and yet what the work was about. */
const TELLING: ReadonlySet<AnchorKind> = new Set(['error', 'test', 'exit']);
/** Longer facts are cut in a line; the row has them whole. */
const SHOWN = 160;

/** The facts most worth keeping as lines of text that take at most `budget` tokens together, grouped by kind. */
export const renderAnchorLines = (rows: readonly Entry[], budget: number): string[] =>
  picked(rows, budget)
    .toSorted((a, b) => a.kind.localeCompare(b.kind, 'en') || a.last - b.last)
    .map(lineOf);

/** The same, the most useful first: for whoever keeps only a part of them. */
export const pickBestAnchors = (rows: readonly Entry[], budget: number): { readonly fact: string; readonly line: string }[] =>
  picked(rows, budget).map((anchor) => ({ fact: anchor.text, line: lineOf(anchor) }));

function picked(rows: readonly Entry[], budget: number): readonly SeenAnchor[] {
  const last = rows.at(-1)?.seq ?? 0;
  const first = rows[0]?.seq ?? 0;
  const chosen: SeenAnchor[] = [];
  let left = budget;
  for (const anchor of balanced(newestValues(collectAnchors(rows)), (each) => worth(each, first, last))) {
    const cost = estimateTextTokens(lineOf(anchor)) + 1;
    if (cost > left || chosen.some(({ text }) => text.includes(anchor.text))) continue;
    left -= cost;
    chosen.push(anchor);
    if (left < 4) break;
  }
  return chosen;
}

/** `retention = 36` and later `retention = 96`: what holds is the newer one. A port or a count that changes all the time is one line too. */
function newestValues(all: readonly SeenAnchor[]): readonly SeenAnchor[] {
  const newest = new Map<string, SeenAnchor>();
  for (const anchor of all) {
    const name = nameIn(anchor);
    const known = newest.get(name);
    if (known === undefined || known.last < anchor.last) newest.set(name, anchor);
  }
  return all.filter((anchor) => newest.get(nameIn(anchor)) === anchor);
}
const NAMED = /^["']?([\w.-]+)["']?\s*[:=]/;
const nameIn = ({ kind, text }: SeenAnchor): string =>
  ((kind === 'setting' || kind === 'env') && NAMED.exec(text)?.[1]) || `${kind} ${text}`;

function lineOf({ kind, text, count, seq, last }: SeenAnchor): string {
  const fact = text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
  const where = seq === last ? `#${seq}` : `#${seq}–#${last}, ${count}×`;
  return `${kind}: ${fact} (${where})`;
}

/** Recent, repeated, said rather than printed, and looking like nothing else. */
function worth({ kind, text, count, said, last: newest }: SeenAnchor, first: number, last: number): number {
  const recent = last === first ? 1 : (newest - first) / (last - first);
  return recent + Math.min(said > 0 ? 1.5 : 0.5, Math.log2(count) / 3) + Math.max(said, TELLING.has(kind) ? 2 : 0) + rareLook(text);
}

/** Digits, mixed case and joints make a text hard to guess; very long ones are no facts but material. */
const rareLook = (text: string): number =>
  (/\d/.test(text) ? 0.3 : 0) + (/[_/.:-]/.test(text) ? 0.2 : 0) + (/[A-Z]/.test(text) ? 0.1 : 0) - (text.length > SHOWN ? 0.5 : 0);

/** Best first, where each fact of a kind makes the next of its kind worth a little less. */
function balanced(all: readonly SeenAnchor[], worthOf: (anchor: SeenAnchor) => number): SeenAnchor[] {
  const ranked = all.map((anchor) => ({ anchor, worth: worthOf(anchor) })).toSorted((a, b) => b.worth - a.worth);
  return [...Map.groupBy(ranked, ({ anchor }) => anchor.kind)]
    .flatMap(([kind, list]) => list.map(({ anchor, worth: full }, place) => ({ anchor, worth: full - place / (SHARE[kind] * FEWER) })))
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ anchor }) => anchor);
}
/** After so many facts of a kind, times its share, the next is worth one point less. */
const FEWER = 4;
