import type { StyleRule } from '../../../contracts/terminal-extension.ts';
import type { Styles } from '../contract.ts';
import { encodeColor, parseColor, type ColorDepth } from './colors.ts';

export type StyleRules = Readonly<Record<string, StyleRule | undefined>>;

/** The styles of a screen: those of extensions, over them those of the theme, over them those of the owner's own file. */
export function createStyles(depth: ColorDepth, ...layers: readonly StyleRules[]): Styles {
  const rules = new Map(layers.flatMap((layer) => Object.entries(layer)));
  const codes = new Map<string, readonly [open: string, close: string]>();
  const codesOf = (name: string): readonly [open: string, close: string] => {
    const known = codes.get(name) ?? encodeRule(rules.get(name) ?? {}, depth);
    codes.set(name, known);
    return known;
  };
  if (depth === 'none') return (_, text) => text;
  return (name, text) => {
    if (text === '') return '';
    const [open, close] = codesOf(name);
    return open + text + close;
  };
}

const ATTRIBUTES = [
  ['bold', 1, 22],
  ['dim', 2, 22],
  ['italic', 3, 23],
  ['underline', 4, 24],
] as const;

/** What a rule writes before a text and behind it. A color that cannot be read is none. */
function encodeRule(rule: StyleRule, depth: ColorDepth): readonly [open: string, close: string] {
  if (depth === 'none') return ['', ''];
  const color = rule.color === undefined ? undefined : parseColor(rule.color);
  const background = rule.background === undefined ? undefined : parseColor(rule.background);
  const set = [
    ...ATTRIBUTES.flatMap(([name, on, off]) => (rule[name] === true ? [[String(on), String(off)] as const] : [])),
    ...(color === undefined ? [] : [[encodeColor(color, depth, false), '39'] as const]),
    ...(background === undefined ? [] : [[encodeColor(background, depth, true), '49'] as const]),
  ];
  if (set.length === 0) return ['', ''];
  const offs = new Set(set.map(([, off]) => off));
  return [`\u001b[${set.map(([on]) => on).join(';')}m`, `\u001b[${[...offs].join(';')}m`];
}
