import { clip } from '../../../base/text.ts';
import { isMessageEntry, type Entry } from '../../../contracts/entry.ts';
import type { Message } from '../../../contracts/message.ts';
import { pickBestAnchors } from './anchor-lines.ts';

/** Tokens of anchors a summary is offered; it keeps as many as it has room for. */
const BUDGET = 4_000;
/** Of a result its beginning and its end are looked through: what lies between is bulk, and `context_recall` finds it. */
const OF_A_RESULT = 1_200;

/** Exact strings of a span for its summary, the most useful first. Words from outside are none: they would come back as ours. */
export const findSummaryAnchors = (rows: readonly Entry[]): readonly { readonly fact: string; readonly line: string }[] =>
  pickBestAnchors(
    rows.filter(isMessageEntry).flatMap((row) => (isForeign(row.message) ? [] : [{ ...row, message: clipped(row.message) }])),
    BUDGET,
  );

const isForeign = (message: Message): boolean => message.content.some(({ trust }) => trust === 'foreign');

const clipped = (message: Message): Message =>
  message.role === 'tool'
    ? {
        ...message,
        content: message.content.map((block) =>
          block.type === 'text' ? { ...block, text: clip(block.text, OF_A_RESULT, () => '\n') } : block,
        ),
      }
    : message;
