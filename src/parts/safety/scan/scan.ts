import type { ScanText, TextKind } from '../../../contracts/scan.ts';
import { formatCodePoint } from './characters/invisible.ts';
import { findUnseen } from './characters/unseen.ts';
import { collectFindings, type ScanFound } from './findings.ts';
import { splitTextLines } from './match/lines.ts';
import { findConcepts } from './match/marks.ts';
import { match, createRuleBook, type RuleBook } from './match/match.ts';
import { loadVocabulary } from './match/vocabulary.ts';
import { RULES } from './rules/all.ts';
import { findStatements } from './rules/statements.ts';
import { findBlobs } from './text/blobs.ts';
import { toPlainText, type PlainText } from './text/plain.ts';
import { PLACE, findRegions } from './text/regions.ts';
import { findAttributes, withoutTags } from './text/tags.ts';
import { tokenizeText } from './text/words.ts';

/** Arranged with the first text of a kind; nothing is compiled when the module is loaded. */
const books = new Map<TextKind, RuleBook>();

function book(kind: TextKind): RuleBook {
  const known = books.get(kind);
  if (known !== undefined) return known;
  const made = createRuleBook(RULES.filter(({ kinds }) => kinds?.includes(kind) ?? true));
  books.set(kind, made);
  return made;
}

/** Looks for signs that a text tries to instruct the model behind its owner's back. Time grows with the length alone. */
export const scanText: ScanText = (text, kind) => {
  const { found: invisible, smuggled } = findUnseen(text);
  const layers = [...smuggled, ...findBlobs(text)];
  return collectFindings(
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
const decoded = (layer: { readonly text: string; readonly at: number }, kind: TextKind): readonly ScanFound[] =>
  meanings(layer.text, kind).map(({ threat, severe }) => ({
    threat,
    severe,
    at: layer.at,
    end: layer.at + 1,
    shown: `decoded: ${layer.text.slice(0, SHOWN)}`,
  }));

const around = (text: string, at: number, code: number): string =>
  `${formatCodePoint(code)} in ${text.slice(Math.max(0, at - 12), at + 24)}`;

/** Rules over words and over single lines: of the text as it stands, and as a page shows it. */
function meanings(text: string, kind: TextKind): readonly ScanFound[] {
  const read = toPlainText(text);
  const shown = withoutTags(read);
  return shown === undefined ? meaningsIn(read, kind) : [...meaningsIn(read, kind), ...meaningsIn(shown, kind)];
}

function meaningsIn(read: PlainText, kind: TextKind): readonly ScanFound[] {
  const places = findRegions(read.text);
  const unread = findAttributes(read.text);
  const vocabulary = loadVocabulary(read.text);
  const { tokens, disguises } = tokenizeText(read.text, vocabulary);
  const met = findConcepts(read.text, tokens, places, vocabulary).filter(({ at }) => unread[at] !== 1);
  const found: ScanFound[] = [];
  // A document on attacks quotes them: still told, but it does not block the owner's own file.
  const calm = met.filter(({ concept }) => concept === 'security').length >= SECURITY_WORDS;
  const original = (at: number) => read.origin[Math.min(at, read.origin.length - 1)] ?? 0;
  const add = (threat: string, severe: boolean, at: number, end: number) =>
    found.push({ threat, severe: severe && !(calm && inQuotes(places[at] ?? 0)), at: original(at), end: original(end - 1) + 1 });
  for (const { text: line, at } of splitTextLines(read.text))
    for (const { threat, severe } of findStatements(line, kind)) add(threat, severe, at, at + line.length);
  for (const { rule, at, end } of match(book(kind), met, read.text)) add(rule.threat, rule.severe, at, end);
  const [first] = disguises;
  if (first !== undefined && disguises.length >= DISGUISES) add('look_alike_letters', true, first.at, first.end);
  return found;
}
const inQuotes = (place: number): boolean => (place & (PLACE.quoted | PLACE.fence | PLACE.table)) !== 0;
const SECURITY_WORDS = 3;
const DISGUISES = 2;
