import { isUtf8 } from 'node:buffer';
import { ToolFailure } from '../../../../contracts/tool.ts';
import { binaryKind, SNIFFED } from '../files/sniff.ts';
import { unifiedDiff } from './unified.ts';

/** What a file holds: text, or bytes that can be deleted and moved but not edited. */
export type Content = string | Opaque;
export interface Opaque {
  readonly bytes: Buffer;
  /** What is known of them. */
  readonly what: string;
  /** Why they are not edited, to stand behind the name of the file. */
  readonly refusal: string;
}

export function contentOf(bytes: Buffer): Content {
  const kind = binaryKind(bytes.subarray(0, SNIFFED));
  if (kind !== undefined) return { bytes, what: kind, refusal: `is not text, it is ${kind}.` };
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const refusal = 'is not valid UTF-8, and patching would damage it; convert it first (iconv) or edit it with a command.';
  return { bytes, what: 'not valid UTF-8', refusal };
}

/** Throws for what cannot be edited. */
export function textOf(content: Content, shown: string): string {
  if (typeof content === 'string') return content;
  throw new ToolFailure(`Refused: ${shown} ${content.refusal}`);
}

/** A change as the model reads it; of bytes only their number is told. */
export function changeOf(shown: string, before: Content | undefined, now: Content | undefined): string {
  const sides = [before, now].map((side) => (typeof side === 'object' ? '' : side));
  const notes = [before, now].flatMap((side) => (typeof side === 'object' ? [`[${side.bytes.length} bytes, ${side.what}]`] : []));
  return [unifiedDiff({ old: shown, new: shown }, sides[0], sides[1]), ...notes].join('\n');
}
