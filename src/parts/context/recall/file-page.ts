import { cutExcerpt } from './excerpt.ts';
import { listFileRows, type FileRow } from './file-rows.ts';
import type { RecallLog } from './log.ts';
import { formatRecallCall, cut, formatRowHeading, indentLines, listNumbers, TOTAL, type RecallPage } from './page.ts';
import { splitPassageLines } from './passages.ts';

/** Characters of one row, and below which no more is begun. */
const EACH = 1_500;
const LEAST = 300;
const MAX_NAMED = 30;

/** What became of a file in this session: the newest row first, each with the words around the name or its content. */
export function renderFilePage(path: string, log: RecallLog, limit: number): RecallPage {
  const { as, rows } = listFileRows(path, log);
  if (rows.length === 0)
    return { text: `No message of this session names ${cut(path, 200)}. Try a part of the path, or a query.`, shown: [] };
  const gone = rows.filter(({ row }) => log.gone(row.seq));
  const visible = rows.filter(({ row }) => !log.gone(row.seq));
  const blocks: string[] = [];
  let left = TOTAL;
  for (const each of gone.slice(0, limit)) {
    if (left < LEAST) break;
    const block = draw(each, Math.min(EACH, left - LEAST / 2));
    blocks.push(block);
    left -= block.length + 2;
  }
  const opening = `${rows.length} ${rows.length === 1 ? 'entry has' : 'entries have'} to do with ${cut(as, 200)}, newest first.`;
  return {
    text: [opening, ...blocks, ...closing(gone.slice(blocks.length), visible, path)].join('\n\n'),
    shown: gone.slice(0, blocks.length).map(({ row }) => row),
  };
}

function draw({ row, did, at }: FileRow, most: number): string {
  const spot = splitPassageLines(row.text, 0, row.text.length).find(({ end }) => end > at) ?? { start: 0, end: 0 };
  const { start, end, text } = row.text.length <= most ? { start: 0, end: row.text.length, text: row.text } : cutExcerpt(row, spot, most);
  const whole = end - start >= row.text.length ? '' : `, characters ${start}–${end} of ${row.text.length}`;
  return `${formatRowHeading(row)}, ${did} it${whole}:\n${indentLines(text)}`;
}

function closing(rest: readonly FileRow[], visible: readonly FileRow[], file: string): string[] {
  const named = (rows: readonly FileRow[]) =>
    [...Map.groupBy(rows, ({ did }) => did)]
      .map(
        ([did, list]) =>
          `${did} ${listNumbers(
            list.map(({ row }) => row.seq),
            MAX_NAMED,
          )}`,
      )
      .join('; ');
  const oldest = rest[0]?.row.seq;
  return [
    ...(visible.length > 0 ? [`In messages you still see: ${named(visible)}.`] : []),
    ...(rest.length > 0 ? [`Older: ${named(rest)}.`] : []),
    ...(oldest !== undefined ? [`Go on: ${formatRecallCall({ file, from: 1, to: oldest })}`] : []),
  ];
}
