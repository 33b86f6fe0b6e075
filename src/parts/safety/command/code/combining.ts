import { LONGEST_VALUE } from '../values/marks.ts';
import type { CodeToken } from './tokens.ts';
import { type Constant, fillFormat } from './folds.ts';

/** A part of a text or a list: `[a]`, `[a:b]`, `[a:b:step]`. */
export function sliceConstant(value: Constant, parts: readonly (number | undefined)[]): Constant | undefined {
  if (typeof value === 'number') return undefined;
  const [from, to, step = 1] = parts;
  if (parts.length === 1) return from === undefined ? undefined : value.at(from);
  const items: readonly Constant[] = typeof value === 'string' ? Array.from(value) : value;
  const order = step < 0 ? items.toReversed() : items.slice(from, to);
  const taken = order.filter((_, index) => index % Math.abs(step || 1) === 0);
  return typeof value === 'string' ? taken.join('') : taken;
}

/** Two constants with a sign between them. */
export function combineConstants(left: Constant, sign: string, right: Constant): Constant | undefined {
  if (sign === '%') return typeof left === 'string' ? fillFormat(left, Array.isArray(right) ? right : [right]) : undefined;
  if (sign === '*') {
    if (typeof left !== 'string' || typeof right !== 'number' || right < 0 || left.length * right > LONGEST_VALUE) return undefined;
    return left.repeat(Math.floor(right));
  }
  if (typeof left === 'number' && typeof right === 'number') return sign === '+' ? left + right : undefined;
  return Array.isArray(left) || Array.isArray(right) ? undefined : `${String(left)}${String(right)}`;
}

/** Where the parenthesis that opens here is closed. */
export function findClosing(tokens: readonly CodeToken[], open: number): number {
  let [depth, at] = [0, open];
  for (; at < Math.min(tokens.length, open + 20); at++) {
    if (tokens[at]?.type !== 'mark') continue;
    if (tokens[at]?.text === '(') depth++;
    if (tokens[at]?.text === ')' && --depth === 0) break;
  }
  return at;
}
