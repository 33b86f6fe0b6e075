import { Template } from '@huggingface/jinja';
import { createSeededRandom } from '../../../src/testing/seeded-random.ts';
import { startTokenServer } from '../../../src/testing/token-server/server.ts';
import type { ChatmlMessage, ServerCodec } from '../../../src/testing/token-server/shapes.ts';
import type { SmolModel } from './smollm.ts';

/** What the server itself saw and did: the witness the traces are held against. */
export interface Generation {
  readonly prompt: readonly number[];
  readonly tokens: readonly number[];
  readonly finish: 'stop' | 'length';
  /** The words of the reply, without its end. */
  readonly text: string;
}
export interface SmolServer extends AsyncDisposable {
  readonly url: string;
  readonly codec: ServerCodec;
  readonly generations: readonly Generation[];
}

/** Tokens of a free answer. */
export const MAX_WORDS = 16;

/**
 * SmolLM2 in the shapes of the servers. Its first two replies of a conversation are held to a grammar (a call; two calls), for it
 * calls no tools by itself; the third is free. It samples at temperature 1 and tells the log-probabilities of the model itself, as
 * vLLM does: neither grammar nor sampling changes them.
 */
export async function startSmolServer(model: SmolModel, seed: string): Promise<SmolServer> {
  const template = new Template(model.template);
  const codec: ServerCodec = {
    encode: model.encode,
    decode: model.decode,
    render: (messages: readonly ChatmlMessage[], _tools, isAsking) => template.render({ messages, add_generation_prompt: isAsking }),
    end: model.end,
  };
  const { next: random } = createSeededRandom(seed);
  const pieces = listPieces(model);
  const generations: Generation[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const server = await startTokenServer({
    codec,
    answer: ({ prompt }) => {
      const next = turn.then(async () => {
        const { tokens, logprobs, finish } = await writeReply(model, prompt, random, pieces);
        const text = model.decode(finish === 'stop' ? tokens.slice(0, -1) : tokens);
        generations.push({ prompt, tokens, finish, text });
        return { tokens, logprobs, finish };
      });
      // One model, one thread: who comes meanwhile waits.
      turn = next.catch(() => undefined);
      return next;
    },
  });
  return { url: server.url, codec, generations, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function writeReply(model: SmolModel, prompt: readonly number[], random: () => number, pieces: TokenPieces) {
  const earlier = model.decode(prompt).split('<|im_start|>assistant\n').length - 2;
  const grammar = GRAMMARS[earlier];
  const step = await model.write(prompt);
  const [tokens, logprobs]: [number[], number[]] = [[], []];
  for (;;) {
    const filter = grammar === undefined ? NO_FILTER : createFilter(model, grammar, model.decode(tokens), pieces);
    const chances = await step(tokens.at(-1), filter.wanted);
    const token = draw(chances, random(), filter.fits);
    tokens.push(token);
    logprobs.push(chances.get(token) ?? Number.NaN);
    if (token === model.end) return { tokens, logprobs, finish: 'stop' as const };
    if (grammar === undefined && tokens.length === MAX_WORDS) return { tokens, logprobs, finish: 'length' as const };
  }
}

/** A token by its chance among those that fit. They come likeliest first; what is a thousand times less likely than those before is left out. */
function draw(chances: ReadonlyMap<number, number>, point: number, fits: (token: number) => boolean): number {
  const kept: (readonly [number, number])[] = [];
  let sum = 0;
  for (const [token, logprob] of chances) {
    if (!fits(token)) continue;
    const chance = Math.exp(logprob);
    if (kept.length > 0 && chance < sum * 1e-3) break;
    kept.push([token, chance]);
    sum += chance;
  }
  let left = point * sum;
  const [first] = kept;
  if (first === undefined) throw new Error('no token fits the grammar');
  return (kept.find(([, chance]) => (left -= chance) <= 0) ?? first)[0];
}

/** Which tokens may come next; `wanted` are some the model may not think of. */
interface TokenFilter {
  readonly wanted: readonly number[];
  readonly fits: (token: number) => boolean;
}
const NO_FILTER: TokenFilter = { wanted: [], fits: () => true };

/** Whether a text is the beginning of what is allowed, all of it, or neither; and the fixed words that may follow it. */
type Grammar = (text: string) => { readonly is: 'open' | 'whole' | 'never'; readonly fixed: string };

function createFilter(model: SmolModel, grammar: Grammar, text: string, pieces: TokenPieces): TokenFilter {
  const { is, fixed } = grammar(text);
  if (is === 'whole') return { wanted: [model.end], fits: (token) => token === model.end };
  const wanted = Array.from(fixed, (_, index) => pieces.byText.get(fixed.slice(0, index + 1)) ?? []).flat();
  return {
    wanted,
    fits: (token) => {
      const piece = pieces.texts[token] ?? '';
      return token !== model.end && piece !== '' && grammar(text + piece).is !== 'never';
    },
  };
}

/** The text of each token, where it is one of plain letters and signs; the grammars know no others. */
interface TokenPieces {
  readonly texts: readonly string[];
  readonly byText: ReadonlyMap<string, readonly number[]>;
}
function listPieces(model: SmolModel): TokenPieces {
  const texts = Array.from({ length: model.size }, (_, token) => {
    const text = model.decode([token]);
    return /^[\n\x20-\x7e]+$/.test(text) ? text : '';
  });
  return { texts, byText: Map.groupBy(texts.keys(), (token) => texts[token] ?? '') };
}

const HEAD = '<tool_call>{"name":"terminal","arguments":{"command":"echo ';
const TAIL = '"}}</tool_call>';
const NEVER = { is: 'never', fixed: '' } as const;

/** So many calls of `echo`, each with a few letters of the model's own. */
const createCalls =
  (count: number): Grammar =>
  (text) => {
    let rest = text;
    for (let call = 0; call < count; call++) {
      if (rest.length < HEAD.length) return HEAD.startsWith(rest) ? { is: 'open', fixed: HEAD.slice(rest.length) } : NEVER;
      if (!rest.startsWith(HEAD)) return NEVER;
      const [words = ''] = /^[a-z][a-z ]{0,7}/.exec(rest.slice(HEAD.length)) ?? [];
      rest = rest.slice(HEAD.length + words.length);
      if (words === '' && rest !== '') return NEVER;
      if (rest.length < TAIL.length)
        return TAIL.startsWith(rest) ? { is: 'open', fixed: words === '' ? '' : TAIL.slice(rest.length) } : NEVER;
      if (!rest.startsWith(TAIL)) return NEVER;
      rest = rest.slice(TAIL.length);
    }
    return rest === '' ? { is: 'whole', fixed: '' } : NEVER;
  };
const GRAMMARS: readonly Grammar[] = [createCalls(1), createCalls(2)];
