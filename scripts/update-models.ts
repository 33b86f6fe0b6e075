/**
 * Makes src/parts/providers/models.json from an unpacked copy of the npm package @earendil-works/pi-ai (MIT), which carries a dated
 * table of public facts about models. The package is no dependency of ours. Same package in, same bytes out.
 *
 *   npm pack @earendil-works/pi-ai && tar xzf earendil-works-pi-ai-*.tgz
 *   node scripts/update-models.ts ./package
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TARGET = 'src/parts/providers/models.json';

/**
 * Our providers and the package's files about them. Prices hold for one provider only, so nothing is borrowed from a neighbour. Vendors
 * stand before gateways: the first that has a model speaks for it where no provider is asked.
 */
const FILES: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  'openai-api': 'openai',
  gemini: 'google',
  deepseek: 'deepseek',
  'kimi-coding': 'moonshotai',
  'kimi-coding-cn': 'moonshotai-cn',
  'meta-ai': 'meta',
  minimax: 'minimax',
  'minimax-cn': 'minimax-cn',
  xai: 'xai',
  xiaomi: 'xiaomi',
  zai: 'zai',
  'azure-foundry': 'azure',
  fireworks: 'fireworks',
  nvidia: 'nvidia',
  huggingface: 'huggingface',
  'opencode-zen': 'opencode',
  'opencode-go': 'opencode-go',
  'ai-gateway': 'vercel-ai-gateway',
  openrouter: 'openrouter',
};

/** Models nobody should start with any more, and forms of models that no turn can use: batches, sound, pictures. */
const LEFT_OUT =
  /[:-]batch$|gpt-3\.5|gpt-4($|-)|gpt-4o-2024|gpt-audio|(^|\/)o1|claude-3|gemini-[12]\.[05]-(?!pro$|flash$|flash-lite$)|gemma-[123]\b|llama-[123]\b|llama-3\.[12]|mixtral|mistral-(7b|nemo|saba|large-2407)|qwen-?2|command-r|deepseek-(chat-v3|v3|r1)|nova-(lite|micro|pro|premier)|-image|banana|voxtral|robotics|computer-use/i;

/** How a row reads; stands in the head of the file. */
const ROW =
  'window, longest answer, i = takes images, r = reasons, then US dollars per million tokens: input, output, cache read, cache write 5m, cache write 1h; >N begins the rates of a prompt above N tokens; - is unknown';

interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
interface Source {
  readonly id: string;
  readonly type: string;
  readonly reasoning: boolean;
  readonly input: readonly string[];
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly cost: Rates & { readonly tiers?: readonly (Rates & { readonly inputTokensAbove: number })[] };
}

const folder = process.argv[2] ?? '';
if (folder === '') {
  console.error('usage: node scripts/update-models.ts PATH_OF_THE_UNPACKED_PACKAGE');
  process.exit(2);
}
main();

function main(): void {
  const { name, version, license } = readJson('package.json') as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
  };
  const { generatedAt } = readJson('dist/providers/data/.manifest.json') as { readonly generatedAt: string };
  const everything = readdirSync(join(folder, 'dist/providers/data'))
    .filter((file) => /^\w.*\.json$/.test(file))
    .flatMap((file) => chatModels(file));
  const providers = Object.entries(FILES).map(([id, file]) => [id, table(chatModels(`${file}.json`), everything)] as const);
  const head = { source: `${name} ${version}`, license, date: generatedAt.slice(0, 10), row: ROW };
  writeFileSync(TARGET, `${JSON.stringify({ ...head, providers: Object.fromEntries(providers) }, undefined, 2)}\n`);
  console.log(`${TARGET}: ${providers.reduce((sum, [, rows]) => sum + Object.keys(rows).length, 0)} models from ${name} ${version}`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(folder, path), 'utf8'));
}

function chatModels(file: string): Source[] {
  const groups = readJson(join('dist/providers/data', file)) as Record<string, Record<string, Source>>;
  return Object.values(groups).flatMap((models) => Object.values(models).filter((model) => model.type === 'chat'));
}

/** Newest first, as far as names tell: versions count as numbers. */
function table(models: readonly Source[], everything: readonly Source[]): Record<string, string> {
  const kept = models.filter(({ id }) => !LEFT_OUT.test(id));
  const order = new Intl.Collator('en', { numeric: true });
  return Object.fromEntries(
    kept.toSorted((a, b) => order.compare(b.id, a.id)).map((model) => [model.id, row(model, windowOf(model, everything))]),
  );
}

function row(model: Source, window: number): string {
  const marks = `${model.input.includes('image') ? 'i' : ''}${model.reasoning ? 'r' : ''}` || '-';
  const facts = [window, model.maxTokens > 0 ? model.maxTokens : '-', marks];
  const tiers = (model.cost.tiers ?? []).toSorted((a, b) => a.inputTokensAbove - b.inputTokensAbove);
  const priced = isPriced(model)
    ? [...rates(model.id, model.cost), ...tiers.flatMap((tier) => [`>${tier.inputTokensAbove}`, ...rates(model.id, tier)])]
    : [];
  return [...facts, ...priced].join(' ');
}

/** The package caps some windows where the dearer rates begin. A rate that could never apply gives it away: then the widest statement holds. */
function windowOf({ id, contextWindow, cost }: Source, everything: readonly Source[]): number {
  const capped = (cost.tiers ?? []).some((tier) => tier.inputTokensAbove >= contextWindow);
  if (!capped) return contextWindow;
  return Math.max(...everything.filter((other) => bare(other.id) === bare(id)).map((other) => other.contextWindow));
}
function bare(id: string): string {
  return id.split('/').at(-1) ?? id;
}

/** The package writes 0 for what it does not know; only names that say so are free. */
function isPriced({ id, cost }: Source): boolean {
  return cost.input > 0 || cost.output > 0 || /[:/-]free$/.test(id);
}

function rates(id: string, { input, output, cacheRead, cacheWrite }: Rates): (number | string)[] {
  const free = input === 0 && output === 0;
  const known = (price: number): number | string => (price > 0 || free ? price : '-');
  const all = [input, output, known(cacheRead), known(cacheWrite), free ? 0 : hourWrite(id, input, cacheWrite)];
  return all.slice(0, all.findLastIndex((price) => price !== '-') + 1);
}

/** Anthropic's published factors: a write for five minutes costs 1.25 times the input, for an hour twice the input. */
function hourWrite(id: string, input: number, write: number): number | string {
  const published = /claude/i.test(id) && input > 0 && Math.abs(write / input - 1.25) < 0.001;
  return published ? Number((2 * input).toPrecision(6)) : '-';
}
