import type { Env } from '../../../base/env.ts';

/** How many colors a terminal has. */
export type ColorDepth = 'none' | '16' | '256' | 'truecolor';

/** What the environment says about the terminal's colors. `NO_COLOR` and a dumb terminal have none. */
export function readColorDepth(env: Env): ColorDepth {
  const term = env['TERM'] ?? '';
  if ((env['NO_COLOR'] ?? '') !== '' || term === 'dumb') return 'none';
  if (/^(?:truecolor|24bit)$/i.test(env['COLORTERM'] ?? '') || term.endsWith('-direct')) return 'truecolor';
  if (TRUECOLOR_PROGRAMS.has(env['TERM_PROGRAM'] ?? '') || env['WT_SESSION'] !== undefined) return 'truecolor';
  return term.includes('256') || env['TERM_PROGRAM'] === 'Apple_Terminal' ? '256' : '16';
}
const TRUECOLOR_PROGRAMS: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper']);

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
type Rgb = readonly [red: number, green: number, blue: number];

/** A color as somebody wrote it: one of the sixteen by its name (`red`, `bright-red`), `#rrggbb`, `#rgb` or a number up to 255. */
export type Color = { readonly index: number } | { readonly rgb: Rgb };

export function parseColor(text: string): Color | undefined {
  const name = text.trim().toLowerCase().replaceAll('_', '-');
  const [, bright, base = ''] = /^(?:ansi-?)?(bright-?)?([a-z]+)$/.exec(name) ?? [];
  const at = NAMES.findIndex((known) => known === base);
  if (at >= 0) return { index: at + (bright === undefined ? 0 : 8) };
  if (base === 'gray' || base === 'grey') return { index: 8 };
  if (/^\d{1,3}$/.test(name) && Number(name) < 256) return { index: Number(name) };
  const hex = /^#([\da-f]{6})$/.exec(name)?.[1] ?? /^#([\da-f]{3})$/.exec(name)?.[1]?.replaceAll(/./g, '$&$&');
  if (hex === undefined) return undefined;
  const part = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16);
  return { rgb: [part(0), part(2), part(4)] };
}

/** The codes that set a color on a terminal with so many. */
export function encodeColor(color: Color, depth: Exclude<ColorDepth, 'none'>, isBackground: boolean): string {
  const base = isBackground ? 40 : 30;
  if ('rgb' in color && depth === 'truecolor') return `${base + 8};2;${color.rgb.join(';')}`;
  const index = 'rgb' in color ? nearestIndex(color.rgb) : color.index;
  if (depth !== '16' && index >= 16) return `${base + 8};5;${index}`;
  const named = index < 16 ? index : nearestNamed('rgb' in color ? color.rgb : toRgb(index));
  return String(named < 8 ? base + named : base + 60 + named - 8);
}

/** The levels of the cube of 216 colors, which begins at 16. */
const LEVELS: readonly number[] = [0, 95, 135, 175, 215, 255];
const nearestLevel = (value: number): number =>
  LEVELS.reduce((best, level, index) => (Math.abs(level - value) < Math.abs((LEVELS[best] ?? 0) - value) ? index : best), 0);

function nearestIndex(rgb: Rgb): number {
  const cube = 16 + 36 * nearestLevel(rgb[0]) + 6 * nearestLevel(rgb[1]) + nearestLevel(rgb[2]);
  const gray = 232 + Math.min(23, Math.max(0, Math.round(((rgb[0] + rgb[1] + rgb[2]) / 3 - 8) / 10)));
  return distance(toRgb(gray), rgb) < distance(toRgb(cube), rgb) ? gray : cube;
}

function toRgb(index: number): Rgb {
  if (index >= 232) return [8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232)];
  const at = index - 16;
  return [LEVELS[Math.floor(at / 36)] ?? 0, LEVELS[Math.floor(at / 6) % 6] ?? 0, LEVELS[at % 6] ?? 0];
}

const distance = (one: Rgb, other: Rgb): number => (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;

/** Of the sixteen the one of the same hue: palettes differ, so a color is chosen by what it is, not by its distance. */
function nearestNamed([red, green, blue]: Rgb): number {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return most > 200 ? 15 : most > 140 ? 7 : most > 50 ? 8 : 0;
  const middle = (most + least) / 2;
  return (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
}
