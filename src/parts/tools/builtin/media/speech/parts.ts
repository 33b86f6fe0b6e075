import type { Format } from './backend.ts';
import { joinWav, readWav, type Wav } from './wav.ts';

/** Where a text may be cut, the best place first: paragraph, sentence, clause, word. */
const CUTS: readonly RegExp[] = [/\n\s*\n/g, /[.!?…。!?]["'”’)]*\s+|[。!?]/g, /[,;:،、]\s+|\n/g, /\s+/g];

/** Cuts a text into parts no longer than the cap, at the best places there are. */
export function splitText(text: string, cap: number): readonly string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > cap) {
    const end = cutBefore(rest, cap);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...parts, rest].filter((part) => part !== '');
}

function cutBefore(text: string, cap: number): number {
  const head = text.slice(0, cap);
  for (const cut of CUTS) {
    const last = [...head.matchAll(cut)].at(-1);
    // A cut near the beginning would make many small parts.
    if (last !== undefined && last.index + last[0].length > cap / 4) return last.index + last[0].length;
  }
  const lone = head.charCodeAt(cap - 1);
  return lone >= 0xd800 && lone <= 0xdbff ? cap - 1 : cap;
}

/** Joins spoken parts to one file; `undefined` where the form does not allow it. */
export function joinSound(parts: readonly Buffer[], format: Format): Buffer | undefined {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first;
  return JOINS[format]?.(parts);
}

const JOINS: Readonly<Record<Format, ((parts: readonly Buffer[]) => Buffer | undefined) | undefined>> = {
  // Frames stand on their own; only a head in the middle would be a stumbling block.
  mp3: ([first = Buffer.alloc(0), ...others]) => Buffer.concat([first, ...others.map(withoutTag)]),
  wav: joinWavs,
  // Pages are numbered through: joined files are played to the end of the first part.
  opus: undefined,
};
export const isJoinable = (format: Format): boolean => JOINS[format] !== undefined;

/** An ID3 head tells its own length, seven bits to a byte. */
function withoutTag(bytes: Buffer): Buffer {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return bytes;
  const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | ((bytes[at] ?? 0) & 0x7f), 0);
  return bytes.subarray(10 + size);
}

function joinWavs(parts: readonly Buffer[]): Buffer | undefined {
  const wavs = parts.map(readWav);
  const [first] = wavs;
  const same = wavs.filter((wav): wav is Wav => first !== undefined && wav?.format.equals(first.format) === true);
  if (first === undefined || same.length !== parts.length) return undefined;
  return joinWav({ format: first.format, samples: Buffer.concat(same.map(({ samples }) => samples)) });
}
