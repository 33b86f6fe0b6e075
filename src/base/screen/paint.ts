export type Tint = (text: string) => string;

/** Colours by what they mean. Plain text when nobody watches or NO_COLOR is set. */
export interface Paint {
  readonly strong: Tint;
  readonly faint: Tint;
  readonly good: Tint;
  readonly bad: Tint;
  readonly warn: Tint;
  readonly accent: Tint;
  readonly emphasis: Tint;
  readonly underlined: Tint;
  readonly struck: Tint;
}

const code = (open: number, close: number) => (text: string) => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`);
const same = (text: string): string => text;

export const colours: Paint = {
  strong: code(1, 22),
  faint: code(2, 22),
  good: code(32, 39),
  bad: code(31, 39),
  warn: code(33, 39),
  accent: code(36, 39),
  emphasis: code(3, 23),
  underlined: code(4, 24),
  struck: code(9, 29),
};
export const plain: Paint = {
  strong: same,
  faint: same,
  good: same,
  bad: same,
  warn: same,
  accent: same,
  emphasis: same,
  underlined: same,
  struck: same,
};

/** Colours only for a person: a terminal that has not asked for none. */
export const paintFor = (stream: { readonly isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): Paint =>
  stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb' ? colours : plain;
