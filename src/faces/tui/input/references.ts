/** Something in a message that stands for a text: `@file:src/a.ts:10-20`, `@diff`, `@README.md`. */
export interface Reference {
  /** As it stands in the message. */
  readonly raw: string;
  readonly kind: ReferenceKind;
  /** A path, a number or an address; empty where none is needed. */
  readonly target: string;
  /** From this line to that one, both counted from 1. */
  readonly lines?: { readonly from: number; readonly to: number };
}
/** `path` has no name before it: it counts only when there is such a file or folder. */
export type ReferenceKind = 'file' | 'folder' | 'diff' | 'staged' | 'git' | 'url' | 'path';

/** The kinds a person can name, with what stands behind them. */
export const REFERENCE_KINDS: readonly {
  readonly kind: Exclude<ReferenceKind, 'path'>;
  readonly text: string;
  readonly summary: string;
}[] = [
  { kind: 'file', text: '@file:', summary: 'A file, or lines of it: @file:src/main.ts:10-20' },
  { kind: 'folder', text: '@folder:', summary: 'The list of files in a folder' },
  { kind: 'diff', text: '@diff', summary: 'Changes that are not staged' },
  { kind: 'staged', text: '@staged', summary: 'Changes that are staged' },
  { kind: 'git', text: '@git:', summary: 'The last commits: @git:3' },
  { kind: 'url', text: '@url:', summary: 'A web page as text' },
];

/** Behind the start, a blank or a bracket: an address such as me@example.com is none. */
const REFERENCE = /(?<=^|[\s([{])@(?:(file|folder|url|git):)?(?:"([^"\n]+)"|([^\s"]+))((?<="):\d+(?:-\d+)?)?/g;
/** What ends a sentence is no part of a name that stands at its end. */
const ENDING = /[.,;:!?)\]}]+$/;
/** This folder and the one above it. */
const DOTS = /^\.{1,2}$/;
const LINES = /:(\d+)(?:-(\d+))?$/;

export function parseReferences(text: string): Reference[] {
  return Array.from(text.matchAll(REFERENCE), ([raw, named, quoted, plain, behind]) => {
    const bare = named !== undefined && DOTS.test(plain ?? '') ? (plain ?? '') : (plain?.replace(ENDING, '') ?? '');
    const target = quoted ?? bare;
    const shown = quoted === undefined ? raw.slice(0, raw.length - (plain ?? '').length + bare.length) : raw;
    if (named === undefined && (target === 'diff' || target === 'staged')) return { raw: shown, kind: target, target: '' } as const;
    const kind = readKind(named);
    return kind === 'file' || kind === 'path' ? { raw: shown, kind, ...splitLines(target, behind) } : { raw: shown, kind, target };
  }).filter(({ kind, target }) => target !== '' || kind === 'diff' || kind === 'staged');
}

const readKind = (named: string | undefined): ReferenceKind =>
  named === 'file' || named === 'folder' || named === 'url' || named === 'git' ? named : 'path';

function splitLines(target: string, behind = ''): Pick<Reference, 'target' | 'lines'> {
  const found = LINES.exec(target + behind);
  if (found === null) return { target };
  const [whole, from = '', to = from] = found;
  return { target: (target + behind).slice(0, -whole.length), lines: { from: Number(from), to: Number(to) } };
}

/** A path as it is written behind `@file:`. */
export const quotePath = (path: string): string => (/[\s"]/.test(path) ? `"${path}"` : path);
