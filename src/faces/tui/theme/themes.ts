import type { StyleRule } from '../../../contracts/terminal-extension.ts';
import type { StyleName } from '../contract.ts';

/** Colors by what they mean. What a theme says nothing about is the terminal's own. */
export interface Theme {
  readonly name: string;
  readonly description: string;
  readonly background: 'dark' | 'light';
  readonly styles: Readonly<Partial<Record<StyleName, StyleRule>>>;
}
/** The colors of a theme by their part; the rules below are the same for all themes. */
interface Palette {
  readonly accent: string;
  readonly good: string;
  readonly warn: string;
  readonly orange: string;
  readonly bad: string;
  readonly faint: string;
  readonly rule: string;
  readonly code: string;
  readonly keyword: string;
  readonly string: string;
  readonly number: string;
  readonly comment: string;
  readonly selection: string;
}

const colorStyles = (color: Palette): Theme['styles'] => ({
  strong: { bold: true },
  emphasis: { italic: true },
  struck: { color: color.faint },
  faint: { color: color.faint },
  accent: { color: color.accent },
  good: { color: color.good },
  warn: { color: color.warn },
  bad: { color: color.bad },
  user: { bold: true },
  prompt: { color: color.accent, bold: true },
  rule: { color: color.rule },
  heading: { color: color.accent, bold: true },
  code: { color: color.code },
  link: { color: color.accent, underline: true },
  quote: { color: color.faint, italic: true },
  thinking: { color: color.faint, italic: true },
  tool: { bold: true },
  'diff.added': { color: color.good },
  'diff.removed': { color: color.bad },
  'diff.context': { color: color.faint },
  status: { color: color.faint },
  'status.low': { color: color.good },
  'status.mid': { color: color.warn },
  'status.high': { color: color.orange },
  'status.full': { color: color.bad, bold: true },
  selected: { background: color.selection, bold: true },
  'syntax.keyword': { color: color.keyword },
  'syntax.string': { color: color.string },
  'syntax.number': { color: color.number },
  'syntax.comment': { color: color.comment, italic: true },
  'syntax.name': { color: color.accent },
  question: { color: color.warn, bold: true },
});

const dark: Theme = {
  name: 'dark',
  description: 'Soft colors on a dark background',
  background: 'dark',
  styles: colorStyles({
    accent: '#82aaf0',
    good: '#8cc98f',
    warn: '#e2c08d',
    orange: '#e69a5c',
    bad: '#ec7a7a',
    faint: '#8b919c',
    rule: '#4a505c',
    code: '#8fd0dd',
    keyword: '#c397d8',
    string: '#a9c77d',
    number: '#e0a070',
    comment: '#858c99',
    selection: '#2d3a52',
  }),
};

/** Only the sixteen colors, which the owner's palette defines: fits wherever the terminal's own colors do. */
const terminal: Theme = {
  name: 'terminal',
  description: 'The 16 colors of your terminal',
  background: 'dark',
  styles: {
    ...colorStyles({
      accent: 'cyan',
      good: 'green',
      warn: 'yellow',
      orange: 'bright-red',
      bad: 'red',
      faint: 'white',
      rule: 'bright-black',
      code: 'cyan',
      keyword: 'magenta',
      string: 'green',
      number: 'yellow',
      comment: 'white',
      selection: 'blue',
    }),
    struck: { dim: true },
    faint: { dim: true },
    quote: { dim: true, italic: true },
    thinking: { dim: true, italic: true },
    'diff.context': { dim: true },
    status: { dim: true },
    'syntax.comment': { dim: true, italic: true },
    selected: { color: 'black', background: 'cyan' },
  },
};

const light: Theme = {
  name: 'light',
  description: 'Soft colors on a light background',
  background: 'light',
  styles: colorStyles({
    accent: '#1f5fae',
    good: '#2a7a3b',
    warn: '#8f5f00',
    orange: '#b4500f',
    bad: '#b3312f',
    faint: '#626975',
    rule: '#b9bec7',
    code: '#0f6b78',
    keyword: '#83359c',
    string: '#4b6f16',
    number: '#a1500c',
    comment: '#666d79',
    selection: '#d9e5f7',
  }),
};

const contrast: Theme = {
  name: 'contrast',
  description: 'High contrast on a light background',
  background: 'light',
  styles: {
    ...colorStyles({
      accent: '#00309c',
      good: '#005a1c',
      warn: '#664000',
      orange: '#7d2b00',
      bad: '#9c0000',
      faint: '#3d3d3d',
      rule: '#5c5c5c',
      code: '#00434d',
      keyword: '#5b0080',
      string: '#2d4a00',
      number: '#6b2f00',
      comment: '#4a4a4a',
      selection: '#ffe08a',
    }),
    text: { color: '#000000' },
    strong: { color: '#000000', bold: true },
    user: { color: '#000000', bold: true },
    emphasis: { italic: true, underline: true },
    'diff.added': { color: '#005a1c', bold: true },
    'diff.removed': { color: '#9c0000', bold: true },
  },
};

export const THEMES: readonly Theme[] = [dark, terminal, light, contrast];

/**
 * The theme of a name. `auto` takes the one for what the terminal said about its background, and its own sixteen colors
 * where it said nothing. A name that is not known gives nothing.
 */
export function chooseTheme(name: string, background: 'light' | 'dark' | undefined): Theme | undefined {
  if (name === 'auto' || name === 'default') return background === undefined ? terminal : background === 'light' ? light : dark;
  return THEMES.find((theme) => theme.name === name);
}
