import type { LogMessage } from '../../../../contracts/entry.ts';
import { clip } from '../../../../base/text.ts';
import { joinTextBlocks } from '../../../../contracts/message.ts';
import { collapseWhitespace } from '../rows/outcome.ts';

/** What a word must look like to lead later work back: an address, a path, an id. */
const TELLING =
  /^(?:https?:\/\/\S{4,}|(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*|[\w@-][\w.@-]*(?:\/[\w.@-]+)+|[0-9a-f-]{7,40}|[A-Z]{2,8}-\d{1,7})$/;
/** "and/or" is no path, "defaced" and a year are no ids. */
const HOLLOW = /^(?:[a-z]+\/[a-z]+|[a-f-]+|[\d-]+)$/;
const BETWEEN = /[\s"'`()<>{}[\],;|]+/;
const TROUBLE = /error\b|\bfatal\b|\bpanic\b|\bFAIL/gi;

/** Characters of one message that are looked through, at its beginning and its end; what lies between is bulk. */
const LOOKED_THROUGH = { user: 4_000, assistant: 4_000, tool: 500 };
const OF_A_CALL = 1_000;
const LINE_LENGTH = 200;

/** Anchors of a span, the most useful first: what was named often and lately. The stand-in until an index is handed in. */
export function findSimpleAnchors(rows: readonly LogMessage[]): readonly { readonly fact: string; readonly line: string }[] {
  const seen = new Map<string, { count: number; last: number }>();
  for (const [place, row] of rows.entries()) {
    for (const anchor of anchorsIn(textOf(row))) {
      const known = seen.get(anchor);
      seen.set(anchor, { count: (known?.count ?? 0) + 1, last: place });
    }
  }
  const worth = ({ count, last }: { count: number; last: number }) => Math.log2(1 + count) + (3 * (last + 1)) / rows.length;
  return [...seen].toSorted(([, a], [, b]) => worth(b) - worth(a)).map(([anchor]) => ({ fact: anchor, line: anchor }));
}

function anchorsIn(text: string): ReadonlySet<string> {
  const likely = text.split(BETWEEN).filter((word) => word.length >= 5 && word.length <= LINE_LENGTH && /[/\d]/.test(word));
  const named = likely.map((word) => word.replace(/[.:!?]+$/, '')).filter((word) => TELLING.test(word) && !HOLLOW.test(word));
  return new Set([...named, ...troubleIn(text)]);
}

/** The lines that tell of trouble, whole. */
const troubleIn = (text: string): string[] =>
  [...text.matchAll(TROUBLE)].slice(0, 5).map(({ index }) => {
    const end = text.indexOf('\n', index);
    const line = text.slice(text.lastIndexOf('\n', index) + 1, end < 0 ? text.length : end);
    return clip(collapseWhitespace(line), LINE_LENGTH, () => '…');
  });

/** What a message says and asks. Words from outside are no anchors: they would come back as ours. */
function textOf({ message }: LogMessage): string {
  if (message.content.some(({ trust }) => trust === 'foreign')) return '';
  const calls = message.content.flatMap((block) => (block.type === 'tool_call' ? [JSON.stringify(block.input).slice(0, OF_A_CALL)] : []));
  return [clip(joinTextBlocks(message), LOOKED_THROUGH[message.role], () => '\n'), ...calls].join('\n');
}
