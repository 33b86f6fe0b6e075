import type { ToolDefinition } from '../../contracts/provider.ts';
import type { ParsedPiece, ParseRun } from '../../contracts/tool-call-parser.ts';
import type { CallFormat } from './format.ts';
import { findStart, hasMore, peekMarker, skipSpace, takeMarker, type Input, type Reading } from './input.ts';
import { createArgumentTypes } from './values.ts';

/** How thoughts are written, whatever the format. */
const THOUGHTS: Readonly<Record<string, string>> = { '<think>': '</think>', '<longcat_think>': '</longcat_think>', '[THINK]': '[/THINK]' };
const OPENERS = Object.keys(THOUGHTS);
const CLOSERS = Object.values(THOUGHTS);

type Scan = Generator<ParsedPiece | undefined, void, void>;

/**
 * The scanner all formats share. It knows text, thoughts and ends; what follows the marker of a call is the format's own business.
 * A piece is told once nothing that follows could change it, so it does not matter how the text was cut.
 */
export function createScanner(format: CallFormat, tools: readonly ToolDefinition[], isThinking: boolean): ParseRun {
  const input: Input = { text: '', at: 0, isOver: false };
  const scan = scanReply(format, tools, input, isThinking ? CLOSERS : []);
  const read = (): readonly ParsedPiece[] => {
    const pieces: ParsedPiece[] = [];
    for (let next = scan.next(); next.done !== true && next.value !== undefined; next = scan.next()) pieces.push(next.value);
    return pieces;
  };
  return {
    step: (chunk) => {
      input.text += chunk;
      return read();
    },
    end: () => {
      input.isOver = true;
      return read();
    },
  };
}

/** `thought`: what ends the thought that is open, if one is. */
function* scanReply(
  { calls, closers = [], ends }: CallFormat,
  tools: readonly ToolDefinition[],
  input: Input,
  thought: readonly string[],
): Scan {
  const types = createArgumentTypes(tools);
  const boundaries = [...Object.keys(calls), ...closers, ...ends];
  const stops = [...Object.keys(calls), ...OPENERS, ...CLOSERS, ...ends];
  const outside = [...stops, ...closers];
  let [open, isBehindCall] = [thought, false];
  for (;;) {
    const markers = open.length > 0 ? [...open, ...ends] : outside;
    const type = open.length > 0 ? 'thinking' : 'text';
    const text = takeText(input, markers);
    if (text !== '') yield { type, text };
    isBehindCall &&= text.trim() === '';
    const marker = yield* takeMarker(input, markers);
    if (marker === undefined) {
      if (!(yield* hasMore(input))) return;
      continue;
    }
    const from = input.at - marker.length;
    if (ends.includes(marker)) {
      if (!(yield* isEnd(input, markers))) yield { type, text: marker };
    } else if (open.length > 0) open = [];
    else if (OPENERS.includes(marker)) open = [THOUGHTS[marker] ?? ''];
    else if (CLOSERS.includes(marker)) yield { type: 'recall' };
    else if (Object.hasOwn(calls, marker)) {
      const pieces = (yield* calls[marker]?.(input, { from, types, tools, ends, boundaries, stops }) ?? []) ?? [];
      const isLast = input.isOver && input.at >= input.text.length;
      for (const piece of pieces) yield isLast && 'text' in piece ? withoutEnds(piece, ends) : piece;
      isBehindCall = pieces.some((piece) => piece.type !== 'text');
    } else yield { type: isBehindCall ? 'marker' : 'text', text: marker };
  }
}

/** All that is certainly no marker. What was read is let go. */
function takeText(input: Input, markers: readonly string[]): string {
  const end = findStart(input, markers);
  const text = input.text.slice(input.at, end);
  input.text = input.text.slice(end);
  input.at = 0;
  return text;
}

/** An end is one where nothing but space follows or another marker; in the midst of words it is one of them. */
function* isEnd(input: Input, markers: readonly string[]): Reading<boolean> {
  const from = input.at;
  yield* skipSpace(input);
  const isLast = !(yield* hasMore(input)) || (yield* peekMarker(input, markers)) !== undefined;
  input.at = from;
  return isLast;
}

/** A call that was cut by the end of its turn has that end in its last string. */
function withoutEnds<T extends { readonly text: string }>(piece: T, ends: readonly string[]): T {
  const text = piece.text.trimEnd();
  const end = ends.find((one) => text.endsWith(one));
  return end === undefined ? piece : withoutEnds({ ...piece, text: text.slice(0, -end.length) }, ends);
}
