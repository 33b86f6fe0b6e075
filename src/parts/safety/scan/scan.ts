import { lazy } from '../../../base/lazy.ts';
import type { ScanText, TextKind } from '../../../contracts/scan.ts';
import { codeName } from './characters/invisible.ts';
import { unseen } from './characters/unseen.ts';
import { findings, type Found } from './findings.ts';
import { lexicon } from './match/lexicon.ts';
import { lines } from './match/lines.ts';
import { marks, type Mark } from './match/marks.ts';
import { inQuotes, match, ruleBook, type RuleBook } from './match/match.ts';
import { turnMark } from './match/turns.ts';
import { RULES } from './rules/all.ts';
import { maybeCode, STATEMENTS } from './rules/statements.ts';
import { TERMS } from './terms/all.ts';
import { blobs } from './text/blobs.ts';
import { plain } from './text/plain.ts';
import { regions } from './text/regions.ts';
import { words } from './text/words.ts';

/** Built with the first text; nothing is compiled when the module is loaded. */
const latin = lazy(() => lexicon(TERMS, false));
const everyScript = lazy(() => lexicon(TERMS, true));
const OTHER_SCRIPTS = /[\u0370-\u{10ffff}]/u;
const LETTERS_OF_OTHERS = /[\p{L}--[\p{Script=Latin}]]/v;
const books = new Map<TextKind, RuleBook>();

function book(kind: TextKind): RuleBook {
  const known = books.get(kind);
  if (known !== undefined) return known;
  const made = ruleBook(RULES.filter(({ kinds }) => kinds?.includes(kind) ?? true));
  books.set(kind, made);
  return made;
}

/** Looks for signs that a text tries to instruct the model behind its owner's back. Time grows with the length alone. */
export const scanText: ScanText = (text, kind) => {
  const { found: invisible, smuggled } = unseen(text);
  const layers = [...smuggled, ...blobs(text)];
  return findings(
    text,
    [
      invisible.map(({ kind: { threat, severe }, at, code }) => ({ threat, severe, at, end: at + 1, shown: around(text, at, code) })),
      meanings(text, kind),
      smuggled.map(({ text: hidden, at }) => ({
        threat: 'invisible_unicode',
        severe: true,
        at,
        end: at + 1,
        shown: `hidden text: ${hidden.slice(0, SHOWN)}`,
      })),
      ...layers.map((layer) => decoded(layer, kind)),
    ].flat(),
  );
};
const SHOWN = 200;

/** What was packed is read once more; what is packed inside that is not. */
const decoded = (layer: { readonly text: string; readonly at: number }, kind: TextKind): readonly Found[] =>
  meanings(layer.text, kind).map(({ threat, severe }) => ({
    threat,
    severe,
    at: layer.at,
    end: layer.at + 1,
    shown: `decoded: ${layer.text.slice(0, SHOWN)}`,
  }));

const around = (text: string, at: number, code: number): string => `${codeName(code)} in ${text.slice(Math.max(0, at - 12), at + 24)}`;

/** Rules over words and over single lines. */
function meanings(text: string, kind: TextKind): readonly Found[] {
  const read = plain(text);
  const places = regions(read.text);
  const vocabulary = OTHER_SCRIPTS.test(read.text) && LETTERS_OF_OTHERS.test(read.text) ? everyScript() : latin();
  const { tokens, disguises } = words(read.text, vocabulary);
  const met = marks(read, tokens, places, vocabulary);
  const turns: Mark[] = [];
  const found: Found[] = [];
  const original = (at: number) => read.origin[Math.min(at, read.origin.length - 1)] ?? 0;
  // A document on attacks quotes them: still told, but it does not block the owner's own file.
  const calm = met.filter(({ concept }) => concept === 'security').length >= SECURITY_WORDS;
  const add = (threat: string, severe: boolean, at: number, end: number) =>
    found.push({
      threat,
      severe: severe && !(calm && inQuotes(places[at] ?? 0)) && !DESCRIBED.test(read.text.slice(Math.max(0, at - BEFORE), at)),
      at: original(at),
      end: original(end - 1) + 1,
    });
  let pos = 0;
  for (const line of lines(read.text)) {
    const turn = turnMark(line.text, line.at, pos++ * 8, places[line.at] ?? 0);
    if (turn !== undefined) turns.push(turn);
    if (!maybeCode(line.text)) continue;
    for (const { threat, severe, kinds, test } of STATEMENTS)
      if ((kinds?.includes(kind) ?? true) && test(line.text)) add(threat, severe, line.at, line.at + line.text.length);
  }
  for (const { rule, at, end } of [...match(book(kind), met), ...match(book(kind), turns)]) add(rule.threat, rule.severe, at, end);
  const [first] = disguises;
  if (first !== undefined && disguises.length >= DISGUISES) add('look_alike_letters', true, first.at, first.end);
  return found;
}
/** Words that speak about an order instead of giving it. */
const DESCRIBED =
  /\b(?:such as|phrases? like|sentences? like|wordings?|reads? like an attack|rejected by|orders to|attempts? to|tries to|try to|samples?|specimens?|examples? of)\b/;
const BEFORE = 80;
const SECURITY_WORDS = 3;
const DISGUISES = 2;
