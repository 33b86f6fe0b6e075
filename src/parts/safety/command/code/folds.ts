import { dirname } from 'node:path';
import { LONGEST_VALUE } from '../values/marks.ts';

/** What an expression of constants stands for: a text, a number, or a list of them. */
export type Constant = string | number | readonly Constant[];
type FoldConstants = (...args: readonly Constant[]) => Constant | undefined;
type FoldMethod = (on: Constant, ...args: readonly Constant[]) => Constant | undefined;

const isText = (value: Constant | undefined): value is string => typeof value === 'string';
const isList = (value: Constant | undefined): value is readonly Constant[] => Array.isArray(value);
const plain = (value: Constant): string => (isList(value) ? value.map(plain).join('') : String(value));

const character = (code: Constant): string => (typeof code === 'number' && code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : '');
const characters = (codes: readonly Constant[]): string => codes.flat().map(character).join('');
const reversed = (text: string): string => Array.from(text).toReversed().join('');
const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97;
    return String.fromCodePoint((((letter.codePointAt(0) ?? base) - base + 13) % 26) + base);
  });
const unpacked = (text: string, encoding: 'base64' | 'hex'): string => Buffer.from(text.replaceAll(/\s/g, ''), encoding).toString('utf8');
/** By the name an encoding has in whatever language. */
function decoded(text: string, encoding: string): string | undefined {
  if (/^(?:hex|hex_codec|H\*)$/i.test(encoding)) return unpacked(text, 'hex');
  if (/^(?:base64(?:url)?|base64_codec|m0?)$/i.test(encoding)) return unpacked(text, 'base64');
  if (/^rot_?13$/i.test(encoding)) return rot13(text);
  return /^(?:utf-?8|ascii|latin-?1|binary|unicode_escape|raw_unicode_escape|utf16le)$/i.test(encoding) ? text : undefined;
}
const byEncoding: FoldConstants = (text, encoding = 'utf8') => {
  if (isList(text)) return characters(text);
  return isText(text) && isText(encoding) ? decoded(text, encoding) : undefined;
};
const base64: FoldConstants = (text) => (isText(text) ? unpacked(text, 'base64') : undefined);
const hex: FoldConstants = (text) => (isText(text) ? unpacked(text, 'hex') : undefined);
const same: FoldConstants = (text) =>
  isText(text) ? text : typeof text === 'number' ? String(text) : isList(text) ? characters(text) : undefined;
const joins: FoldConstants = (between = '', ...rest) => {
  const [only] = rest;
  return isText(between) ? (isList(only) && rest.length === 1 ? only : rest.flat()).map(plain).join(between) : undefined;
};
const packs: FoldConstants = (format, ...rest) => {
  if (!isText(format)) return undefined;
  const [only] = rest.flat();
  return /^[CcUW]/.test(format) ? characters(rest) : isText(only) ? decoded(only, format) : undefined;
};
/** `%s`, `%c` and `{}` filled in one after the other. */
export function fillFormat(format: string, values: readonly Constant[]): string {
  let at = 0;
  return format.replaceAll(/%(%|-?\d*[scdix])|\{(\d*)\}/g, (whole, how?: string, index?: string) => {
    if (how === '%') return '%';
    const value = values[index === undefined || index === '' ? at++ : Number(index)];
    if (value === undefined) return whole;
    return how?.endsWith('c') === true && typeof value === 'number' ? character(value) : plain(value);
  });
}
const formats: FoldConstants = (format, ...values) => (isText(format) ? fillFormat(format, values) : undefined);

const rows = <Value>(value: Value, names: string): Record<string, Value> =>
  Object.fromEntries(names.split(' ').map((name) => [name, value] as const));

/** Functions that give the same for the same, by the last part of their name. */
export const FOLDS: Readonly<Record<string, FoldConstants>> = {
  ...rows((...codes: readonly Constant[]) => characters(codes), 'chr fromCharCode fromCodePoint unichr'),
  ord: (text) => (isText(text) ? text.codePointAt(0) : undefined),
  ...rows(same, 'str String bytes bytearray list'),
  ...rows(byEncoding, 'Buffer.from Buffer codecs.decode'),
  ...rows(
    base64,
    'b64decode urlsafe_b64decode standard_b64decode decode64 strict_decode64 urlsafe_decode64 base64_decode decode_base64 atob a2b_base64',
  ),
  ...rows(hex, 'fromhex unhexlify a2b_hex hex2bin'),
  ...rows((text: Constant | undefined) => (isText(text) ? rot13(text) : undefined), 'str_rot13 rot13'),
  ...rows(
    (text: Constant | undefined) => (isText(text) ? reversed(text) : isList(text) ? text.toReversed() : undefined),
    'strrev reverse reversed',
  ),
  ...rows((text: Constant | undefined) => (isText(text) ? text.toLowerCase() : undefined), 'lc strtolower'),
  ...rows((text: Constant | undefined) => (isText(text) ? text.toUpperCase() : undefined), 'uc strtoupper'),
  ...rows(
    (text: Constant | undefined) =>
      isText(text) ? text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => unpacked(code, 'hex')) : undefined,
    'unquote decodeURIComponent urldecode rawurldecode unescape',
  ),
  ...rows((path?: Constant) => (isText(path) ? path : undefined), 'abspath realpath'),
  dirname: (path) => (isText(path) ? dirname(path) : undefined),
  ...rows(joins, 'join implode'),
  pack: packs,
  ...rows(formats, 'sprintf format'),
};

const cut: FoldMethod = (on, from = 0, to) => {
  if ((!isText(on) && !isList(on)) || typeof from !== 'number' || (to !== undefined && typeof to !== 'number')) return undefined;
  return on.slice(from, to);
};
const swapped: FoldMethod = (on, from, to) => (isText(on) && isText(from) && isText(to) ? on.replaceAll(from, () => to) : undefined);
const keepText: FoldMethod = (on) => (isText(on) ? on : undefined);
const asText: FoldMethod = (on, encoding = 'utf8') =>
  isText(on) && isText(encoding) && !/^(?:hex|base64)/i.test(encoding) ? (decoded(on, encoding) ?? on) : undefined;
const unpacks: FoldMethod = (on, format) => (isText(on) && isText(format) ? decoded(on, format) : undefined);

/** What is called on a constant. */
export const METHODS: Readonly<Record<string, FoldMethod>> = {
  ...rows(keepText, 'strip trim chomp encode to_s b bytes valueOf force_encoding'),
  ...rows(asText, 'toString decode'),
  ...rows(swapped, 'replace replaceAll gsub sub tr'),
  ...rows((on: Constant) => (isText(on) ? reversed(on) : isList(on) ? on.toReversed() : undefined), 'reverse toReversed'),
  ...rows((on: Constant) => (isText(on) ? on.toLowerCase() : undefined), 'lower toLowerCase downcase'),
  ...rows((on: Constant) => (isText(on) ? on.toUpperCase() : undefined), 'upper toUpperCase upcase'),
  ...rows((on: Constant, by?: Constant) => (isText(on) ? on.split(isText(by) ? by : by === undefined ? /\s+/ : '') : undefined), 'split'),
  chars: (on) => (isText(on) ? Array.from(on) : undefined),
  ...rows(cut, 'slice substring'),
  substr: (on, from = 0, length) =>
    isText(on) && typeof from === 'number' && (length === undefined || typeof length === 'number')
      ? on.slice(from, length === undefined ? undefined : from + length)
      : undefined,
  join: (on, other) =>
    isList(on)
      ? joins(other ?? ',', on)
      : isText(on) && other !== undefined
        ? joins(on, isText(other) ? Array.from(other) : other)
        : undefined,
  ...rows(
    (on: Constant, times?: Constant) =>
      isText(on) && typeof times === 'number' && on.length * times < LONGEST_VALUE ? on.repeat(Math.max(0, times)) : undefined,
    'repeat',
  ),
  concat: (on, ...rest) => (isText(on) ? on + rest.map(plain).join('') : undefined),
  format: (on, ...values) => (isText(on) ? fillFormat(on, values) : undefined),
  pack: (on, format) => (isList(on) && format !== undefined ? packs(format, ...on) : undefined),
  ...rows(unpacks, 'unpack1 unpack'),
};
