import { FENCE_MARKS, type FenceMark } from '../base/fence.ts';
import type { Entry } from '../contracts/entry.ts';
import { markup, type Markup } from './page-markup.ts';
import { drawFolded } from './page-tables.ts';

/** A piece of a text: as it stands, or what our marks put around words of others. */
export type FencedPiece =
  | { readonly type: 'plain'; readonly text: string }
  | { readonly type: 'fence'; readonly mark: FenceMark; readonly attributes: string; readonly text: string };

/** Parts a text at our marks. In a prompt they have no key; in results only those with a key of the session are ours. */
export function splitFences(text: string, keys?: readonly string[]): readonly FencedPiece[] {
  const marks = FENCE_MARKS.join('|');
  const pattern =
    keys === undefined
      ? new RegExp(`<(?<mark>${marks})(?<attributes>(?: [\\w-]+="[^"]*")*)>\\n(?<text>[\\s\\S]*?)\\n</\\k<mark>>`, 'g')
      : new RegExp(
          `<(?<mark>${marks}) key="(?<key>${keys.join('|')})"(?<attributes>(?: [\\w-]+="[^"]*")*)>\\n(?<text>[\\s\\S]*?)\\n</\\k<mark> \\k<key>>`,
          'g',
        );
  if (keys?.length === 0) return [{ type: 'plain', text }];
  const pieces: FencedPiece[] = [];
  let end = 0;
  for (const { index, 0: whole, groups = {} } of text.matchAll(pattern)) {
    if (index > end) pieces.push({ type: 'plain', text: text.slice(end, index) });
    pieces.push({
      type: 'fence',
      mark: FENCE_MARKS.find((mark) => mark === groups['mark']) ?? 'outside',
      attributes: groups['attributes'] ?? '',
      text: groups['text'] ?? '',
    });
    end = index + whole.length;
  }
  return end < text.length ? [...pieces, { type: 'plain', text: text.slice(end) }] : pieces;
}

/** The keys a session's prompts have told for marks in its results. */
export const collectMarkKeys = (entries: readonly Entry[]): readonly string[] => [
  ...new Set(
    entries.flatMap((entry) =>
      entry.type === 'epoch' && /^[\da-f]{8}$/.test(entry.epoch.markKey ?? '') ? [entry.epoch.markKey ?? ''] : [],
    ),
  ),
];

/** The text with every fenced part folded, named by its mark and where it is from. */
export const drawFenced = (text: string, draw: (text: string) => Markup, keys?: readonly string[]): Markup =>
  markup`${splitFences(text, keys).map((piece) =>
    piece.type === 'plain'
      ? piece.text.trim() === ''
        ? undefined
        : draw(piece.text.replace(/^\n+|\n+$/g, ''))
      : drawFolded(describeFence(piece), draw(piece.text), 'fence'),
  )}`;

const NAMES: Readonly<Record<FenceMark, string>> = {
  'project-file': 'Project file',
  memory: 'Memory',
  'user-profile': 'About the user',
  'memory-context': 'Recalled memory',
  available_skills: 'Skills',
  hint: 'Rules of a folder',
  outside: 'Text from outside',
};
const describeFence = ({ mark, attributes }: Extract<FencedPiece, { readonly type: 'fence' }>): string =>
  [NAMES[mark], ...[...attributes.matchAll(/"([^"]*)"/g)].map(([, value]) => value)].join(': ');
