import { isUtf8 } from 'node:buffer';
import { ToolFailure } from '../../../../contracts/tool.ts';
import { lazy } from '../../../../base/lazy.ts';
import { detectBinaryKind, SNIFFED } from './sniff.ts';

export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'shift_jis' | 'windows-1252';
export interface DecodedBytes {
  /** With the byte order mark, where there is one. */
  readonly text: string;
  readonly encoding: FileEncoding;
}

export const ENCODING_NAMES: Readonly<Record<FileEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
  shift_jis: 'Shift-JIS',
  'windows-1252': 'Latin-1 (windows-1252)',
};

/** Text in the encoding of its file; `undefined` for what is no text, or would not be written back as it was read. */
export function decodeBytes(bytes: Buffer): DecodedBytes | undefined {
  const head = bytes.subarray(0, SNIFFED);
  const wide = detectUtf16(head);
  if (wide !== undefined) return decodeStrictly(bytes, wide);
  if (detectBinaryKind(head) !== undefined) return undefined;
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), encoding: 'utf-8' };
  if (isDamagedUtf8(bytes.toString('utf8'))) return undefined;
  const japanese = decodeStrictly(bytes, 'shift_jis');
  if (japanese !== undefined && KANA.test(japanese.text) && !PRIVATE.test(japanese.text)) return japanese;
  return countHigh(bytes) > bytes.length * MAX_HIGH ? undefined : decodeStrictly(bytes, 'windows-1252');
}

/** The bytes of a text as its file has them. Throws for a character that the encoding does not have. */
export function encodeText(text: string, encoding: FileEncoding, shown: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = TABLES[encoding]();
  return Buffer.concat(
    Array.from(text, (char) => {
      const code = table.get(char);
      if (code === undefined) throw new UnencodableText(shown, encoding, char);
      return code;
    }),
  );
}

/** The file's own encoding has no place for what was to be written. */
export class UnencodableText extends ToolFailure {
  constructor(shown: string, encoding: FileEncoding, char: string) {
    super(`Nothing changed: ${shown} is written in ${ENCODING_NAMES[encoding]}, which has no ${JSON.stringify(char)}.`);
  }
}

const KANA = /[\u{3041}-\u{30ff}]/u;
const PRIVATE = /[\u{e000}-\u{f8ff}]/u;
/** Share of bytes above ASCII in what is still taken for a Western text. */
const MAX_HIGH = 0.3;

function decodeStrictly(bytes: Buffer, encoding: FileEncoding): DecodedBytes | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return encodeText(text, encoding, '').equals(bytes) ? { text, encoding } : undefined;
  } catch {
    return undefined;
  }
}

/** By its mark, or by the zeros that plain letters leave in every second byte. */
function detectUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return head[2] === 0 && head[3] === 0 ? undefined : 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const pairs = Math.floor(head.length / 2);
  const zeros = [0, 0];
  for (let at = 0; at < pairs * 2; at++) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (pairs < 2 || Math.min(even, odd) > 0 || Math.max(even, odd) < pairs * 0.7) return undefined;
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

/** As many whole characters of UTF-8 as broken ones: other encodings hit upon one only by chance. */
function isDamagedUtf8(text: string): boolean {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const whole = count(/[^\0-\x7f\u{fffd}]/gu);
  return whole > 0 && whole >= count(/\u{fffd}/gu);
}

function countHigh(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte >= 0x80) count += 1;
  return count;
}

type EncodingTable = ReadonlyMap<string, Buffer>;
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Which bytes stand for a character, asked of the decoder: the platform encodes nothing but Unicode. */
function createTable(encoding: FileEncoding, codes: Iterable<readonly number[]>): EncodingTable {
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, Buffer>();
  for (const code of codes) {
    const char = decoder.decode(Uint8Array.from(code));
    if (!char.includes('\u{fffd}') && Array.from(char).length === 1 && !table.has(char)) table.set(char, Buffer.from(code));
  }
  return table;
}

/** Characters that stand there twice have their code outside the rows 0xED and 0xEE, which copy others. */
const SHIFT_JIS_LEADS = [...range(0x81, 0x9f), ...range(0xe0, 0xec), ...range(0xef, 0xfc), 0xed, 0xee];
const shiftJisCodes = (): number[][] => [
  ...[...range(0, 0x80), ...range(0xa1, 0xdf)].map((byte) => [byte]),
  ...SHIFT_JIS_LEADS.flatMap((lead) => [...range(0x40, 0x7e), ...range(0x80, 0xfc)].map((trail) => [lead, trail])),
];

const TABLES: Readonly<Record<'shift_jis' | 'windows-1252', () => EncodingTable>> = {
  shift_jis: lazy(() => createTable('shift_jis', shiftJisCodes())),
  'windows-1252': lazy(() =>
    createTable(
      'windows-1252',
      range(0, 0xff).map((byte) => [byte]),
    ),
  ),
};
