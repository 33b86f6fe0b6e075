import type { FileDiff } from '../../../../contracts/details.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';
import type { Location } from '../files/locate.ts';
import { detectBinaryKind, SNIFFED } from '../files/sniff.ts';
import { measureDiff } from './unified.ts';

/** What a file holds: text, or bytes that can be deleted and moved but not edited. */
export type FileContent = string | OpaqueContent;
export interface OpaqueContent {
  readonly bytes: Buffer;
  /** What is known of them. */
  readonly what: string;
  /** Why they are not edited, to stand behind the name of the file. */
  readonly refusal: string;
}

/** Bytes that are no text. */
export function describeOpaque(bytes: Buffer): OpaqueContent {
  const kind = detectBinaryKind(bytes.subarray(0, SNIFFED));
  if (kind !== undefined) return { bytes, what: kind, refusal: `is not text, it is ${kind}.` };
  const refusal = 'is not valid UTF-8, and patching would damage it; convert it first (iconv) or edit it with a command.';
  return { bytes, what: 'not valid UTF-8', refusal };
}

/** Throws for what cannot be edited. */
export function requireText(content: FileContent, shown: string): string {
  if (typeof content === 'string') return content;
  throw new ToolFailure(`Refused: ${shown} ${content.refusal}`);
}

export function formatContentSize(content: FileContent | undefined): string {
  if (typeof content === 'object') return `${content.bytes.length} bytes`;
  const lines = content === undefined || content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

/** A change as the model reads it, and as faces do; of bytes only their number is told. */
export function describeChange({ shown, path }: Location, before: FileContent | undefined, now: FileContent | undefined) {
  const sides = [before, now].map((side) => (typeof side === 'object' ? '' : side));
  const notes = [before, now].flatMap((side) => (typeof side === 'object' ? [`[${side.bytes.length} bytes, ${side.what}]`] : []));
  const measured = measureDiff({ old: shown, new: shown }, sides[0], sides[1]);
  const change = before === undefined ? 'created' : now === undefined ? 'deleted' : 'changed';
  const file: FileDiff = { path, change, ...measured };
  return { words: [measured.diff, ...notes].join('\n'), file: notes.length === 0 ? file : { ...file, diff: '' } };
}
