import { clip } from '../../../../base/text.ts';
import { visibleText } from '../../../../contracts/message.ts';
import { oneLine } from '../outcome.ts';
import type { LogRow } from '../rows.ts';

/** Exact strings by which later work finds its way: addresses, paths, ids, error lines. */
const KINDS: readonly RegExp[] = [
  /\bhttps?:\/\/[^\s<>"'`)\]}]{4,200}/g,
  /(?<![\w.@~/-])[\w.@~-]{0,64}(?:\/[\w.@-]{1,64}){1,12}\b/g,
  /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}|[A-Z]{2,8}-\d{1,7})\b/g,
  /^.{0,40}(?:\b\w*Error\b|\berror\b|\bfatal\b|\bpanic\b|\bFAIL(?:ED)?\b).{4,160}$/gm,
];
/** Characters of one message that are looked through; what lies beyond is bulk. */
const LOOKED_THROUGH = 4_000;
const LINE_LENGTH = 200;

/** Anchors of a span, the most useful first: what was named often and lately. The stand-in until an index is handed in. */
export function simpleAnchors(rows: readonly LogRow[]): readonly string[] {
  const seen = new Map<string, { count: number; last: number }>();
  for (const [place, row] of rows.entries()) {
    for (const anchor of new Set(anchorsIn(textOf(row)))) {
      const known = seen.get(anchor);
      seen.set(anchor, { count: (known?.count ?? 0) + 1, last: place });
    }
  }
  const worth = ({ count, last }: { count: number; last: number }) => Math.log2(1 + count) + (3 * (last + 1)) / rows.length;
  return [...seen].toSorted(([, a], [, b]) => worth(b) - worth(a)).map(([anchor]) => anchor);
}

const anchorsIn = (text: string): string[] =>
  KINDS.flatMap((kind) => (text.match(kind) ?? []).filter(telling).map((found) => clip(oneLine(found), LINE_LENGTH, () => '…')));

/** "and/or" is no path. */
const telling = (found: string): boolean => found.length >= 4 && /[.~:\d]|^\/|\/.*\/|[A-Z]/.test(found);

/** What a message says and asks. Words from outside are no anchors: they would come back as ours. */
function textOf({ message }: LogRow): string {
  if (message.role !== 'assistant') {
    return message.content.some(({ trust }) => trust === 'foreign') ? '' : visibleText(message).slice(0, LOOKED_THROUGH);
  }
  const calls = message.content.flatMap((block) => (block.type === 'tool_call' ? [JSON.stringify(block.input).slice(0, 1_000)] : []));
  return `${visibleText(message)}\n${calls.join('\n')}`.slice(0, LOOKED_THROUGH);
}
