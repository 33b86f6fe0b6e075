import type { ScanText, TextKind } from '../../../contracts/scan.ts';
import { formatCodePoint } from './characters/invisible.ts';
import { findUnseen } from './characters/unseen.ts';
import { collectFindings, type ScanFound } from './findings.ts';
import { findLines } from './rules/lines.ts';
import { FORBIDDEN, HIDDEN_ORDER, ROLE_TOKEN, VEILED_ORDER, wordRows, type PhraseRow } from './rules/words.ts';
import { codeRanges, findHiddenPlaces } from './text/hidden.ts';
import { toPlainText, type PlainText } from './text/plain.ts';
import { toProse, type Prose } from './text/prose.ts';

const SHOWN = 200;

/** Looks for signs that a text tries to instruct the model behind its owner's back. Time grows with the length alone. */
export const scanText: ScanText = (text, kind) => {
  const { found: invisible, smuggled } = findUnseen(text);
  return collectFindings(text, [
    ...invisible.map(({ kind: { threat, severe }, at, code }) => ({ threat, severe, at, end: at + 1, shown: around(text, at, code) })),
    ...meanings(text, kind),
    ...smuggled.map((hidden) => shownAs('invisible_unicode', true, 'hidden text', hidden)),
    ...smuggled.flatMap((layer) => meanings(layer.text, kind).map(({ threat, severe }) => shownAs(threat, severe, 'decoded', layer))),
  ]);
};

const shownAs = (
  threat: string,
  severe: boolean,
  how: string,
  { text, at }: { readonly text: string; readonly at: number },
): ScanFound => ({
  threat,
  severe,
  at,
  end: at + 1,
  shown: `${how}: ${text.slice(0, SHOWN)}`,
});

const around = (text: string, at: number, code: number): string =>
  `${formatCodePoint(code)} in ${text.slice(Math.max(0, at - 12), at + 24)}`;

/** Words, hidden places, role tokens and single lines. */
function meanings(text: string, kind: TextKind): readonly ScanFound[] {
  const plain = toPlainText(text);
  const prose = toProse(plain);
  const calm = calmPlaces(text, prose.text);
  const place = ({ origin }: PlainText, threat: string, severe: boolean, at: number, end: number): ScanFound => {
    const from = origin[at] ?? 0;
    return { threat, severe: severe && !calm(from), at: from, end: (origin[end - 1] ?? from) + 1 };
  };
  const [disguise] = prose.disguises;
  return [
    ...wordHits(prose).map(({ threat, at, end }) => place(prose, threat, true, at, end)),
    ...hiddenHits(plain).map(({ threat, at, end }) => place(plain, threat, true, at, end)),
    ...roleHits(plain).map(({ at, end }) => place(plain, 'sys_prompt_override', true, at, end)),
    ...Array.from(findLines(plain.text, kind), ({ threat, severe, at, end }) => place(plain, threat, severe, at, end)),
    ...(disguise === undefined || prose.disguises.length < DISGUISES
      ? []
      : [{ threat: 'look_alike_letters', severe: true, at: disguise, end: disguise + 1 }]),
  ];
}
const DISGUISES = 2;

interface Hit {
  readonly threat: string;
  readonly at: number;
  readonly end: number;
}

const wordHits = ({ text }: Prose): readonly Hit[] =>
  wordRows().flatMap((row) =>
    Array.from(text.matchAll(row.pattern), ({ index: at, 0: all }) => ({ threat: row.threat, at, end: at + all.length })).filter(
      (hit) => !isExcused(text, row, hit),
    ),
  );

function isExcused(text: string, { before, after }: PhraseRow, { at, end }: Hit): boolean {
  const lead = text.slice(Math.max(0, at - 60), at);
  const rest = text.slice(end, end + 80);
  return [FORBIDDEN, ...before].some((excuse) => excuse.test(lead)) || after.some((excuse) => excuse.test(rest));
}

function hiddenHits({ text, origin }: PlainText): readonly Hit[] {
  return findHiddenPlaces(text).filter(({ at, end, veiled }) => {
    const inside = toProse({ text: text.slice(at, end), origin: origin.subarray(at, end) }).text;
    return [HIDDEN_ORDER(), ...(veiled ? [VEILED_ORDER()] : [])].some((order) => inside.search(order) >= 0);
  });
}

function roleHits({ text }: PlainText): readonly Omit<Hit, 'threat'>[] {
  const hits = Array.from(text.matchAll(ROLE_TOKEN), ({ index: at, 0: all }) => ({ at, end: at + all.length }));
  const code = hits.length === 0 ? () => false : codeRanges(text);
  return hits.filter(({ at }) => !code(at));
}

const SECURITY =
  /\b(?:attack(?:s|er)?|malicious|injections?|phishing|payloads?|vulnerability|exploit|threat|hostile|detection|adversar\w+|injected)\b/g;
const SECURITY_WORDS = 3;

/** A document on attacks quotes them: what stands in its quotations, fences and tables is told and does not block the owner's own file. */
function calmPlaces(text: string, prose: string): (at: number) => boolean {
  if ((prose.match(SECURITY)?.length ?? 0) < SECURITY_WORDS) return () => false;
  const code = codeRanges(text);
  return (at) => {
    const lead = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 300), at);
    return code(at) || /^\s*[>|]/.test(lead) || (lead.match(/["“”]/g)?.length ?? 0) % 2 === 1;
  };
}
