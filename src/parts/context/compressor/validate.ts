import { cutBySections, splitSections } from './sections.ts';
import type { IsSuspicious } from './suspicious.ts';

export type NotesCheckResult = { readonly ok: true; readonly notes: string } | { readonly ok: false; readonly why: string };

/** At least one of each line must be there. */
const REQUIRED = [['goal'], ['progress', 'done', 'in progress'], ['next steps', 'critical context']];

export interface NotesCheckOptions {
  /** Tokens the notes may take. */
  readonly most: number;
  readonly suspicious: IsSuspicious;
  /** What the model read. Asked for only when the notes do not follow the template. */
  readonly source: () => string;
}

/** Whether what a model gave can stand for the rows it read. Too long is cut; anything else wrong refuses it. */
export function checkNotes(answer: string, options: NotesCheckOptions): NotesCheckResult {
  const notes = unwrapped(answer);
  const problem = PROBLEMS.map((find) => find(notes, options)).find((found) => found !== undefined);
  if (problem !== undefined) return { ok: false, why: problem };
  const cut = cutBySections(notes, options.most);
  return findFormProblem(cut, options) === undefined
    ? { ok: true, notes: cut }
    : { ok: false, why: 'the notes cannot be cut to their size' };
}

const PROBLEMS: readonly ((notes: string, options: NotesCheckOptions) => string | undefined)[] = [
  (notes) => (notes === '' ? 'the model gave no words' : undefined),
  findFormProblem,
  (notes) => (hasBody(notes) ? undefined : 'the notes have headings and nothing under them'),
  (notes, { suspicious }) => (suspicious(notes) ? 'the notes hold an order to the model, which must have come from the log' : undefined),
];

/** Headings of the model's own, and different words of the log, from which on notes in another form are notes. */
const OWN_HEADINGS = 3;
const KEPT_WORDS = 8;

/**
 * Notes under the headings of the template have their form. Small models write the headings in the language of the log: such notes stand
 * by what they keep of it, since a session that is never summarized is worse than one with notes in another form.
 */
function findFormProblem(notes: string, { source }: NotesCheckOptions): string | undefined {
  const missing = missingSections(notes);
  if (missing === undefined) return undefined;
  const sections = splitSections(notes).filter(({ name, lines }) => name !== '' && lines.slice(1).some((line) => line.trim() !== ''));
  if (sections.length < OWN_HEADINGS) return missing;
  const read = collectWords(source());
  const kept = [...collectWords(sections.flatMap(({ lines }) => lines.slice(1)).join('\n'))].filter((word) => read.has(word));
  return kept.length >= KEPT_WORDS ? undefined : `${missing}, and keep too little of what was read`;
}

/** Words that say something: long ones, ids and paths; pairs of signs where a script has no spaces. */
function collectWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_./@-]{4,}/gu) ?? [];
  const signs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/gu) ?? [];
  const pairs = signs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)));
  return new Set([...words.map((word) => word.replace(/^[./-]+|[./-]+$/g, '')), ...pairs]);
}

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
