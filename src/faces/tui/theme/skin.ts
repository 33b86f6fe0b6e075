import { isObject } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import { toOneLine } from '../../../base/printable.ts';
import type { StyleRule } from '../../../contracts/terminal-extension.ts';
import type { StyleName } from '../contract.ts';
import { parseColor } from './colors.ts';

/** What the owner's own theme file (`<home>/skins/NAME.yaml`) changes. Everything it leaves out is the theme's. */
export interface Skin {
  readonly styles: Readonly<Record<string, StyleRule>>;
  readonly spinner: { readonly frames?: readonly string[]; readonly verbs?: readonly string[] };
  readonly branding: {
    readonly agentName?: string;
    readonly welcome?: string;
    readonly goodbye?: string;
    readonly promptSymbol?: string;
    readonly logo?: string;
  };
  /** What of the file cannot be used, each in one sentence. */
  readonly problems: readonly string[];
}

/** What a color of such a file means here; `background` for those that are one. Names without a meaning here are accepted and do nothing. */
const COLORS: Readonly<Record<string, readonly { readonly style: StyleName; readonly part?: 'background' }[]>> = {
  banner_title: [{ style: 'heading' }],
  banner_accent: [{ style: 'accent' }, { style: 'link' }],
  banner_dim: [{ style: 'faint' }, { style: 'thinking' }],
  banner_text: [{ style: 'text' }],
  ui_accent: [{ style: 'accent' }],
  ui_label: [{ style: 'strong' }],
  ui_ok: [{ style: 'good' }, { style: 'status.low' }, { style: 'diff.added' }],
  ui_error: [{ style: 'bad' }, { style: 'status.full' }, { style: 'diff.removed' }],
  ui_warn: [{ style: 'warn' }, { style: 'status.mid' }, { style: 'question' }],
  prompt: [{ style: 'prompt' }, { style: 'user' }],
  input_rule: [{ style: 'rule' }],
  session_label: [{ style: 'status' }],
  status_bar_bg: [{ style: 'status', part: 'background' }],
  selection_bg: [{ style: 'selected', part: 'background' }],
  completion_menu_current_bg: [{ style: 'selected', part: 'background' }],
};

const MAX_NAME = 40;
const MAX_TEXT = 400;

export function readSkin(data: unknown): Skin {
  const file = isObject(data) ? data : {};
  const problems = isObject(data) || data === null || data === undefined ? [] : ['The file must be a map of keys.'];
  const [colors, spinner, branding] = [file['colors'], file['spinner'], file['branding']].map((part) => (isObject(part) ? part : {}));
  return {
    styles: { ...readColors(colors ?? {}, problems), ...readRules(file['styles'], problems) },
    spinner: readSpinner(spinner ?? {}),
    branding: readBranding(branding ?? {}, file['banner_logo']),
    problems,
  };
}

function readColors(colors: JsonObject, problems: string[]): Record<string, StyleRule> {
  const styles: Record<string, StyleRule> = {};
  for (const [key, value] of Object.entries(colors)) {
    if (!isColor(value)) problems.push(`colors.${toOneLine(key)} is not a color: use #rrggbb, one of the 16 names or a number up to 255.`);
    else
      for (const { style, part = 'color' } of (Object.hasOwn(COLORS, key) ? COLORS[key] : undefined) ?? [])
        styles[style] = { ...BASES[style], ...styles[style], [part]: String(value) };
  }
  return styles;
}
/** What stays of a style whose color is another one. */
const BASES: Readonly<Partial<Record<StyleName, StyleRule>>> = {
  heading: { bold: true },
  link: { underline: true },
  thinking: { italic: true },
  strong: { bold: true },
  prompt: { bold: true },
  user: { bold: true },
  question: { bold: true },
  'status.full': { bold: true },
  selected: { bold: true },
};

const isColor = (value: unknown): value is string | number =>
  (typeof value === 'string' || typeof value === 'number') && parseColor(String(value)) !== undefined;

/** Any style by its name, ours or an extension's. */
function readRules(given: unknown, problems: string[]): Record<string, StyleRule> {
  if (!isObject(given)) return {};
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, rule]) => {
      const read = readRule(rule);
      if (read === undefined)
        problems.push(`styles.${toOneLine(name)} is not a style: use color, background, bold, dim, italic, underline.`);
      return read === undefined ? [] : [[name, read] as const];
    }),
  );
}

function readRule(given: unknown): StyleRule | undefined {
  if (isColor(given)) return { color: String(given) };
  if (!isObject(given)) return undefined;
  const { color, background, bold, dim, italic, underline } = given;
  const looks = { bold, dim, italic, underline };
  const set = Object.fromEntries(Object.entries(looks).filter(([, value]) => typeof value === 'boolean'));
  if ([color, background].some((value) => value !== undefined && !isColor(value))) return undefined;
  return { ...set, ...(isColor(color) && { color: String(color) }), ...(isColor(background) && { background: String(background) }) };
}

const readTexts = (value: unknown): readonly string[] | undefined => {
  const texts = Array.isArray(value) ? value.flatMap((text) => (typeof text === 'string' ? [toOneLine(text).slice(0, MAX_NAME)] : [])) : [];
  return texts.some((text) => text !== '') ? texts.filter(Boolean) : undefined;
};

function readSpinner(spinner: JsonObject): Skin['spinner'] {
  const { waiting_faces: faces, thinking_verbs: verbs } = spinner;
  const [frames, words] = [readTexts(faces), readTexts(verbs)];
  return { ...(frames !== undefined && { frames }), ...(words !== undefined && { verbs: words }) };
}

function readBranding(branding: JsonObject, logo: unknown): Skin['branding'] {
  const { agent_name: agentName, welcome, goodbye, prompt_symbol: promptSymbol } = branding;
  const texts = { agentName, welcome, goodbye, promptSymbol };
  const read = Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' && toOneLine(text) !== ''
      ? [[name, toOneLine(text).slice(0, name === 'promptSymbol' ? 8 : MAX_TEXT)] as const]
      : [],
  );
  return { ...Object.fromEntries(read), ...(typeof logo === 'string' && logo.trim() !== '' && { logo }) };
}
