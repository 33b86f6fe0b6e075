import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFamilyWindow } from './families.ts';
import type { Prices, Rates } from './prices.ts';

/** What is known of a model. */
export interface ModelCard {
  readonly window: number;
  readonly maxOutput?: number;
  readonly images: boolean;
  readonly reasoning: boolean;
  readonly prices?: Prices;
}
/** Questions about models, answered from a dated table. What nobody knows is `undefined`. */
export interface ModelTable {
  /** Where the facts come from and of what day they are. */
  readonly source: string;
  readonly date: string;
  window(provider: string, model: string): number | undefined;
  maxOutput(provider: string, model: string): number | undefined;
  /** The model itself, wherever it is served; without prices unless this provider has it. */
  card(provider: string, model: string): ModelCard | undefined;
  /** Only of this provider: the same model costs another price elsewhere. */
  prices(provider: string, model: string): Prices | undefined;
  /** Names of all models the table has of this provider, newest first as far as it knows. */
  list(provider: string): readonly string[];
}

let loaded: ModelTable | undefined;

/** The table of this version, read when the first question comes. */
export function loadModels(): ModelTable {
  loaded ??= createModelTable(loadText());
  return loaded;
}
const loadText = (): string => readFileSync(join(import.meta.dirname, 'models.json'), 'latin1');

/**
 * Answers from the text of models.json, which holds one model a line: `"NAME": "ROW"`. The lines are searched and the rest is never
 * parsed, which is ten times cheaper than reading all of it for the one model of a run.
 */
export function createModelTable(text: string): ModelTable {
  let lower: string | undefined;
  const own = (provider: string, model: string): string | undefined => {
    const rows = section(text, provider);
    return (
      rows &&
      namesOf(model)
        .map((name) => rowAfter(rows, `"${name}": "`))
        .find((row) => row !== undefined)
    );
  };
  /** The same model as another provider serves it; vendors stand before gateways. */
  const anywhere = (model: string): string | undefined => {
    const plain = plainName(model);
    const all = (lower ??= text.toLowerCase());
    const spellings = [plain, plain.replaceAll('.', '-'), plain.replaceAll('.', 'p')];
    const keys = spellings.flatMap((name) => [`"${name}": "`, `/${name}": "`]).filter((key) => all.includes(key));
    const [first] = keys.toSorted((one, other) => all.indexOf(one) - all.indexOf(other));
    return first === undefined ? undefined : rowAfter(all, first);
  };
  const card = (provider: string, model: string): ModelCard | undefined => {
    const row = own(provider, model);
    if (row !== undefined) return readRow(row);
    const other = anywhere(model);
    return other === undefined ? undefined : withoutPrices(readRow(other));
  };
  return {
    source: rowAfter(text, '"source": "') ?? '',
    date: rowAfter(text, '"date": "') ?? '',
    card,
    window: (provider, model) => card(provider, model)?.window ?? findFamilyWindow(plainName(model)),
    maxOutput: (provider, model) => card(provider, model)?.maxOutput,
    prices: (provider, model) => {
      const row = own(provider, model);
      return row === undefined ? undefined : readRow(row).prices;
    },
    list: (provider) => [...(section(text, provider) ?? '').matchAll(/^ {6}"([^"]+)": "/gm)].map(([, name = '']) => name),
  };
}

/** Names of models there are rows for: of one provider, or of all, each once. */
export function listModelNames(provider?: string): readonly string[] {
  const text = loadText();
  const rows = provider === undefined ? text.slice(text.indexOf('"providers": {')) : (section(text, provider) ?? '');
  return [...new Set([...rows.matchAll(/^ {6}"([^"]+)": "/gm)].map(([, name = '']) => name))];
}

/** The providers there are rows for. */
export const listModelProviders = (): readonly string[] => [...loadText().matchAll(/^ {4}"([^"]+)": \{/gm)].map(([, name = '']) => name);

function section(text: string, provider: string): string | undefined {
  const start = text.indexOf(`\n    "${provider}": {`);
  return start < 0 ? undefined : text.slice(start, text.indexOf('\n    }', start));
}
function rowAfter(text: string, key: string): string | undefined {
  const start = text.indexOf(key);
  return start < 0 ? undefined : text.slice(start + key.length, text.indexOf('"', start + key.length));
}

/** The name as it stands, then without its date, then without its vendor. */
const namesOf = (model: string): readonly string[] => [model, withoutDate(model), withoutVendor(model), withoutDate(withoutVendor(model))];
const withoutVendor = (model: string): string => model.split('/').at(-1) ?? model;
/** `-20251001`, `-2025-10-01`, `@20251001`. */
const withoutDate = (model: string): string => model.replace(/[-@]20\d{2}-?\d{2}-?\d{2}$/, '');
/** One name for one model over all providers: `anthropic/claude-opus-4.6` and `claude-opus-4-6` are the same. */
const plainName = (model: string): string =>
  withoutDate(withoutVendor(model))
    .toLowerCase()
    .replace(/:\w+$/, '')
    .replace(/(\d)[-p](?=\d)/g, '$1.');

function readRow(row: string): ModelCard {
  const [facts = '', ...tiers] = row.split(' >');
  const [window, maxOutput, marks = '', ...rates] = facts.split(' ');
  const prices: Prices = { ...readRates(rates), ...(tiers.length > 0 && { tiers: tiers.map(readTier) }) };
  return {
    window: Number(window),
    ...(maxOutput !== undefined && maxOutput !== '-' && { maxOutput: Number(maxOutput) }),
    images: marks.includes('i'),
    reasoning: marks.includes('r'),
    ...(rates.length > 0 && { prices }),
  };
}

function readTier(text: string): Rates & { readonly above: number } {
  const [above, ...rates] = text.split(' ');
  return { above: Number(above), ...readRates(rates) };
}

const CLASSES = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const;
const readRates = (words: readonly string[]): Rates =>
  Object.fromEntries(CLASSES.flatMap((name, place) => ((words[place] ?? '-') === '-' ? [] : [[name, Number(words[place])]])));

const withoutPrices = ({ window, maxOutput, images, reasoning }: ModelCard): ModelCard => ({
  window,
  ...(maxOutput !== undefined && { maxOutput }),
  images,
  reasoning,
});
