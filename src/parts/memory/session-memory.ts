import { toErrorMessage } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { replaceLoneSurrogates, takeStart } from '../../base/text.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type { MemoryProvider, MemoryScene, MemoryScope, RecalledFact } from '../../contracts/memory-provider.ts';
import type { Message, TextBlock } from '../../contracts/message.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import type { AnyTool } from '../../contracts/tool.ts';
import { createProviderTools } from './provider-tools.ts';

/** The external memory as one session has it: what goes wrong in it, or is too long, or is no answer, costs its answer. */
export interface SessionMemory {
  readonly name: string;
  readonly scope: MemoryScope;
  systemBlock(): string | undefined;
  /** What is known that is worth telling with these words; rejects in words for the owner. */
  readonly recall?: (
    query: string,
    options: { readonly signal: AbortSignal; readonly maxChars: number },
  ) => Promise<readonly RecalledFact[]>;
  /** Tools of its own, without those whose names are taken. */
  tools(isTaken: (name: string) => boolean): readonly AnyTool[];
  /** What a summary of these messages should keep. */
  insights(messages: readonly Message[], signal: AbortSignal): Promise<readonly TextBlock[]>;
}

export interface SessionMemoryDeps {
  readonly provider: MemoryProvider;
  readonly scope: MemoryScope;
  readonly role: MemoryScene['role'];
  /** Whether the provider is still the one in use; one that another took the place of is asked nothing more. */
  readonly isOpen: () => boolean;
  readonly notice: (words: string) => void;
  readonly admit: () => Promise<AdmitText>;
}

const INSIGHTS_MS = 5_000;
const MAX_INSIGHTS = 6_000;
/** Far above what is shown: an answer that is longer is none, and nothing of it is shown. */
const MAX_FACTS = 1_000;
const MAX_FACT_CHARS = 20_000;
const MAX_BLOCK_CHARS = 20_000;

export function createSessionMemory({ provider, scope, role, isOpen, notice, admit }: SessionMemoryDeps): SessionMemory {
  const { name } = provider;
  return {
    name,
    scope,
    systemBlock: () => contain(() => readBlock(provider.systemBlock?.(scope)), name, notice),
    ...(provider.recall !== undefined && {
      recall: async (query: string, options: { readonly signal: AbortSignal; readonly maxChars: number }) =>
        isOpen() ? readFacts(await provider.recall?.(query, { ...scope, ...options }), name) : [],
    }),
    tools: (isTaken) =>
      role === 'primary' && scope.isOwner && scope.isGroup !== true
        ? createProviderTools({ provider, scope, isOpen, notice, isTaken })
        : [],
    insights: async (messages, signal) => {
      if (provider.beforeCompress === undefined || role !== 'primary' || !isOpen()) return [];
      try {
        const given: unknown = await runWithTimeout(
          (deadline) => provider.beforeCompress?.(messages, { ...scope, signal: AbortSignal.any([signal, deadline]) }),
          INSIGHTS_MS,
          new Error(`no answer within ${INSIGHTS_MS / 1_000} s`),
        );
        return await labelInsights(given, name, admit);
      } catch (error) {
        notice(`The memory ${name} gave nothing to keep for a summary: ${toErrorMessage(error)}`);
        return [];
      }
    },
  };
}

/** What a provider says is data of others: read with limits, and whatever is no fact is no fact. */
export function readFacts(given: unknown, name: string): readonly RecalledFact[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw new Error(`the memory ${name} gave no list of facts`);
  if (given.length > MAX_FACTS) throw new Error(`the memory ${name} gave ${given.length} facts, which nobody can read`);
  return given.flatMap((fact: unknown): RecalledFact[] => {
    if (!isObject(fact) || typeof fact['text'] !== 'string' || fact['text'].length > MAX_FACT_CHARS) return [];
    const text = replaceLoneSurrogates(fact['text']).replaceAll('\0', '').trim();
    const { at, foreign } = fact;
    if (text === '') return [];
    return [
      {
        text,
        ...(typeof at === 'number' && Number.isFinite(at) && { at }),
        ...labelFact(foreign, name),
      },
    ];
  });
}

/** A label that is no text says all the same that the words are not the owner's. */
function labelFact(foreign: unknown, name: string): Pick<RecalledFact, 'foreign'> {
  if (foreign === undefined || foreign === false || foreign === null) return {};
  const source = typeof foreign === 'string' ? takeStart(foreign.replaceAll(/\s+/g, ' ').trim(), 200) : '';
  return { foreign: source === '' ? `memory ${name}` : source };
}

function readBlock(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  if (given.length > MAX_BLOCK_CHARS) throw new Error(`it gave ${given.length} characters, which are too many`);
  return replaceLoneSurrogates(given).replaceAll('\0', '').trim() || undefined;
}

async function labelInsights(given: unknown, name: string, admit: () => Promise<AdmitText>): Promise<readonly TextBlock[]> {
  const text = readBlock(given);
  if (text === undefined) return [];
  const admission = (await admit())(text, { kind: 'memory', name: `what ${name} wants kept`, owned: false });
  return admission.allow ? [{ type: 'text', text: takeStart(text, MAX_INSIGHTS), trust: 'foreign', source: `memory ${name}` }] : [];
}

function contain<Value>(work: () => Value, name: string, notice: (words: string) => void): Value | undefined {
  try {
    return work();
  } catch (error) {
    notice(`The memory ${name} has no words for the prompt: ${toErrorMessage(error)}`);
    return undefined;
  }
}
