import { isObject, readPath } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { ExportedFact, MemoryProvider, MemoryScope } from '../../contracts/memory-provider.ts';
import { toPluginLine, toPluginText } from '../words/plugin-words.ts';
import type { PluginProcess } from '../process/plugin-process.ts';

/** Longer than anybody waits for a recall; whoever asks has a limit of their own. */
const MEMBER_MS = 60_000;
const FACTS_AT_ONCE = 200;

/** Whom words for no session are for. */
const OWNER: MemoryScope = { sessionId: '', platform: 'cli', isOwner: true };

type Member = keyof MemoryProvider;

/**
 * A memory provider in a plugin's process. What the contract asks for at once (whether it is available, its tools, the fields of
 * its set-up) is asked when it is opened; words for the prompt are asked when a session begins. A member the plugin does not have
 * is not here either.
 */
export async function openRemoteMemory(name: string, process: PluginProcess): Promise<MemoryProvider> {
  const { memory: members = [] } = await process.setUp();
  if (members.length === 0) throw new Error(`the plugin adds no memory provider ${name}`);
  const has = (member: Member): boolean => members.includes(member);
  const ask = async (member: Member, args: readonly unknown[], signal?: AbortSignal): Promise<Json | undefined> =>
    process.call({ method: 'memory', params: { name: member, input: toWire(args) } }, { timeoutMs: MEMBER_MS, signal });
  const known = async (member: Member): Promise<Json | undefined> => (has(member) ? ask(member, []) : undefined);
  const [usual, available, reason, tools, fields, paths] = await Promise.all([
    // Its words are static: they can be shown before any session begins.
    has('systemBlock') ? ask('systemBlock', [OWNER]).catch(() => undefined) : undefined,
    ...(['available', 'unavailableReason', 'tools', 'configFields', 'backupPaths'] as const).map(known),
  ]);
  const blocks = new Map<string, string>();
  const drop = (work: Promise<unknown>): void => void work.catch(() => undefined);
  const readBlock = async (scope: MemoryScope): Promise<void> => {
    const block = await ask('systemBlock', [scope]);
    if (typeof block === 'string') keepLatest(blocks, scope.sessionId, block);
  };
  // oxlint-disable typescript/no-unsafe-type-assertion -- what a plugin gives is read with limits by whoever uses it
  return {
    name,
    available: () => available === true,
    ...(has('unavailableReason') && { unavailableReason: () => (typeof reason === 'string' ? toPluginLine(reason) : undefined) }),
    initialize: async (scene) => {
      if (has('initialize')) await ask('initialize', [scene]);
      if (has('systemBlock')) await readBlock(scene);
    },
    ...(has('systemBlock') && {
      systemBlock: ({ sessionId, isOwner }) => blocks.get(sessionId) ?? (isOwner && typeof usual === 'string' ? usual : undefined),
    }),
    ...(has('recall') && {
      recall: async (query, request) => readList(await ask('recall', [query, request], request.signal)) as never,
    }),
    ...(has('queueRecall') && { queueRecall: (query, scope) => drop(ask('queueRecall', [query, scope])) }),
    ...(has('syncTurn') && { syncTurn: async (turn, signal) => void (await ask('syncTurn', [turn, signal], signal)) }),
    ...(has('sessionEnd') && { sessionEnd: async (end, signal) => void (await ask('sessionEnd', [end, signal], signal)) }),
    ...(has('sessionSwitch') && { sessionSwitch: async (change) => void (await ask('sessionSwitch', [change])) }),
    ...(has('beforeCompress') && {
      beforeCompress: async (messages, scope) => {
        const text = await ask('beforeCompress', [messages, scope], scope.signal);
        return typeof text === 'string' ? text : undefined;
      },
    }),
    ...(has('delegated') && { delegated: (scope) => drop(ask('delegated', [scope])) }),
    ...(has('wrote') && { wrote: async (change, signal) => void (await ask('wrote', [change, signal], signal)) }),
    ...(has('tools') && { tools: () => readList(tools) as never }),
    ...(has('call') && {
      call: async (tool, input, call) => {
        const answer = await ask('call', [tool, input, call], call.signal);
        return typeof answer === 'string' ? answer : JSON.stringify(answer ?? null);
      },
    }),
    ...(has('readsOnly') && { readsOnly: async (tool, input) => (await ask('readsOnly', [tool, input])) === true }),
    ...(has('configFields') && { configFields: () => readList(cleanWords(fields)) as never }),
    ...(has('saveConfig') && { saveConfig: async (values) => void (await ask('saveConfig', [values])) }),
    ...(has('backupPaths') && { backupPaths: () => readList(paths).filter((path) => typeof path === 'string') }),
    ...(has('exportFacts') && { exportFacts: () => exportFacts(ask) }),
    ...(has('importFacts') && { importFacts: (facts) => importFacts(facts, ask) }),
    ...(has('status') && {
      status: async (signal) => {
        const words = await ask('status', [signal], signal);
        return typeof words === 'string' ? toPluginText(words) : '';
      },
    }),
    ...(has('close') && { close: async () => void (await ask('close', [])) }),
  };
  // oxlint-enable typescript/no-unsafe-type-assertion
}

/** Every text in it as a line: a person is asked with these words. */
const cleanWords = (value: Json | undefined): Json | undefined => {
  if (typeof value === 'string') return toPluginLine(value);
  if (Array.isArray(value)) return value.map((each) => cleanWords(each) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [toPluginLine(key), cleanWords(each) ?? null]));
};
const readList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Signals are named, and made anew on the other side. */
function toWire(args: readonly unknown[]): Json[] {
  return args.map((arg): Json => {
    if (arg instanceof AbortSignal) return 'signal';
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract's own data
    const value = arg as Json;
    return isObject(value) && Reflect.get(value, 'signal') instanceof AbortSignal ? { ...value, signal: 'signal' } : (value ?? null);
  });
}

type AskMember = (member: Member, args: readonly unknown[]) => Promise<Json | undefined>;

async function* exportFacts(ask: AskMember): AsyncGenerator<ExportedFact> {
  for (let next: Json | undefined = null; next !== undefined;) {
    const piece: Json | undefined = await ask('exportFacts', [next]);
    for (const fact of readList(readPath(piece, 'facts'))) if (isExported(fact)) yield fact;
    next = readPath(piece, 'next');
  }
}
const isExported = (fact: Json): fact is Json & JsonObject & ExportedFact => isObject(fact) && typeof fact['text'] === 'string';

async function importFacts(facts: AsyncIterable<ExportedFact>, ask: AskMember): Promise<number> {
  let [count, waiting]: [number, ExportedFact[]] = [0, []];
  const send = async (): Promise<void> => {
    const taken = await ask('importFacts', [waiting]);
    count += typeof taken === 'number' ? taken : 0;
    waiting = [];
  };
  for await (const fact of facts) if (waiting.push(fact) >= FACTS_AT_ONCE) await send();
  if (waiting.length > 0) await send();
  return count;
}

const MAX_BLOCKS = 200;
function keepLatest(blocks: Map<string, string>, key: string, text: string): void {
  blocks.set(key, text);
  if (blocks.size > MAX_BLOCKS) blocks.delete(blocks.keys().next().value ?? '');
}
