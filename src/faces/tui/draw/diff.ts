import { toOneLine, toPrintable } from '../../../base/printable.ts';
import { fitWidth, splitByWidth } from '../../../base/width.ts';
import { measurePaintedWidth } from '../../../base/markdown/flow.ts';
import type { FileDiff } from '../../../contracts/details.ts';
import type { DrawContext, StyleName } from '../contract.ts';
import { foldLines } from './fold.ts';

interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '⋮';
  readonly number?: number;
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const LOOK: Readonly<Record<DiffLine['sign'], StyleName>> = {
  '+': 'diff.added',
  '-': 'diff.removed',
  ' ': 'diff.context',
  '⋮': 'faint',
};
/** Lines of all the changes of a call that are shown without asking. */
const SHOWN_LINES = 20;
/** Narrower than this a line of a file says nothing. */
const LEAST = 8;

/** The changes of a call: each file named where there are several, each line with its number. */
export function drawDiffs(files: readonly FileDiff[], context: DrawContext): string[] {
  const isHidden = context.hidesDiffs === true && context.expanded !== true;
  const drawn = files.flatMap((file) => [
    ...(files.length > 1 ? [nameFile(file, context)] : []),
    ...(isHidden ? [] : drawDiff(file, context)),
  ]);
  return foldLines(drawn, { head: SHOWN_LINES, tail: 0 }, context);
}

function nameFile(file: FileDiff, { style, columns }: DrawContext): string {
  const size = drawDiffSize(file, style);
  const room = Math.max(LEAST, columns - 3 - measurePaintedWidth(size));
  return `  ${style('strong', fitWidth(toOneLine(file.path), room))} ${size}`;
}

/** `+3 −1`, or what became of the whole file. */
export function drawDiffSize({ added, removed, change }: FileDiff, style: DrawContext['style']): string {
  const size = [
    ...(added > 0 || removed === 0 ? [style('diff.added', `+${added}`)] : []),
    ...(removed > 0 ? [style('diff.removed', `−${removed}`)] : []),
  ].join(' ');
  return change === 'changed' ? size : `${style('faint', change === 'created' ? 'new' : 'deleted')} ${size}`;
}

function drawDiff({ diff, cut }: FileDiff, { style, columns }: DrawContext): string[] {
  const lines = parseDiff(diff);
  const digits = String(Math.max(0, ...lines.map(({ number = 0 }) => number))).length;
  const room = Math.max(LEAST, columns - digits - 5);
  const drawn = lines.flatMap(({ sign, number, text }) =>
    splitByWidth(text, room).map((slice, index) => {
      const gutter = `  ${style('faint', String(index === 0 ? (number ?? '') : '').padStart(digits))} `;
      return `${gutter}${style(LOOK[sign], `${index === 0 ? sign : ' '} ${slice}`.trimEnd())}`.trimEnd();
    }),
  );
  return cut === true ? [...drawn, style('faint', '  … the rest of this diff was not kept')] : drawn;
}

function parseDiff(diff: string): DiffLine[] {
  let [before, after, begun] = [0, 0, false];
  return toPrintable(diff)
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line): DiffLine[] => {
      const hunk = HUNK.exec(line);
      if (hunk !== null) {
        const again = begun;
        [before, after, begun] = [Number(hunk[1]), Number(hunk[2]), true];
        return again ? [{ sign: '⋮', text: '' }] : [];
      }
      if (!begun) return [];
      if (line.startsWith('+')) return [{ sign: '+', number: after++, text: line.slice(1) }];
      if (line.startsWith('-')) return [{ sign: '-', number: before++, text: line.slice(1) }];
      if (!line.startsWith(' ')) return [];
      before++;
      return [{ sign: ' ', number: after++, text: line.slice(1) }];
    });
}
