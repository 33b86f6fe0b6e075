import { cutBySections, splitSections } from './sections.ts';
import type { IsSuspicious } from './suspicious.ts';

export type NotesCheckResult = { readonly ok: true; readonly notes: string } | { readonly ok: false; readonly why: string };

/** At least one of each line must be there. */
const REQUIRED = [['goal'], ['progress', 'done', 'in progress'], ['next steps', 'critical context']];

/** Whether what a model gave can stand for the rows it read. Too long is cut; anything else wrong refuses it. */
export function checkNotes(answer: string, most: number, suspicious: IsSuspicious): NotesCheckResult {
  const notes = unwrapped(answer);
  const problem = PROBLEMS.map((find) => find(notes, suspicious)).find((found) => found !== undefined);
  if (problem !== undefined) return { ok: false, why: problem };
  const cut = cutBySections(notes, most);
  return missingSections(cut) === undefined ? { ok: true, notes: cut } : { ok: false, why: 'the notes cannot be cut to their size' };
}

const PROBLEMS: readonly ((notes: string, suspicious: IsSuspicious) => string | undefined)[] = [
  (notes) => (notes === '' ? 'the model gave no words' : undefined),
  (notes) => missingSections(notes),
  (notes) => (hasBody(notes) ? undefined : 'the notes have headings and nothing under them'),
  (notes, suspicious) => (suspicious(notes) ? 'the notes hold an order to the model, which must have come from the log' : undefined),
];

function missingSections(notes: string): string | undefined {
  const names = new Set(splitSections(notes).map(({ name }) => name));
  const missing = REQUIRED.filter((any) => !any.some((name) => names.has(name)));
  return missing.length === 0 ? undefined : `the notes lack the section ${missing.map((any) => any.join(' or ')).join(', ')}`;
}

/** Something besides headings, dashes and "none". */
const hasBody = (notes: string): boolean =>
  splitSections(notes).some(({ name, lines }) =>
    lines.slice(name === '' ? 0 : 1).some((line) => line.replace(/[\s\-*#.:]|\bnone\b|\bn\/a\b/gi, '') !== ''),
  );

/** Without the reasoning and the code fence some models put around an answer. */
const unwrapped = (answer: string): string =>
  answer
    .replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '')
    .trim()
    .replace(/^```\w*\n([\s\S]*?)\n?```$/, '$1')
    .trim();
