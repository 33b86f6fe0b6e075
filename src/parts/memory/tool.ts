import { toErrorMessage } from '../../base/errors.ts';
import type { ApprovalRequest } from '../../contracts/consent.ts';
import type { MemoryOperation, MemoryTarget } from '../../contracts/memory.ts';
import { createTextBlock } from '../../contracts/message.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import { ToolFailure, ToolRefusal, type Tool, type ToolContext, type ToolOutput } from '../../contracts/tool.ts';
import { admitEntries } from './admitted.ts';
import { changeMemory, type MemoryChangeResult } from './change-memory.ts';
import type { MemoryOperationResult } from './change.ts';
import { formatMemoryUsage } from './entries.ts';
import { resolveMemoryStore, TARGETS, type MemoryPlace, type MemoryStore } from './stores.ts';

interface OperationInput {
  readonly action?: MemoryOperation['action'];
  readonly content?: string;
  readonly old_text?: string;
}
export interface MemoryInput extends OperationInput {
  readonly target: MemoryTarget;
  readonly operations?: readonly OperationInput[];
}
export interface MemoryToolOptions extends MemoryPlace {
  /** The owner wants to be asked before each change (`memory.write_approval`). */
  readonly asksFirst?: boolean;
  /** Told after each change that is on disk. */
  wrote?(operation: MemoryOperation, target: MemoryTarget): void;
}

const ACTION = { type: 'string', enum: ['add', 'replace', 'remove'] };
const PLAIN = { type: 'string' };

export const memoryTool = (options: MemoryToolOptions): Tool<MemoryInput> => {
  const tries = refusedTries();
  return {
    name: 'memory',
    description:
      'Save facts for later sessions. target user: about the person; memory: your own notes. operations: a batch, all or nothing.',
    input: {
      type: 'object',
      properties: {
        target: { type: 'string', enum: [...TARGETS] },
        action: ACTION,
        content: PLAIN,
        old_text: { type: 'string', description: 'replace, remove: text found in that entry only' },
        operations: {
          type: 'array',
          items: { type: 'object', properties: { action: ACTION, content: PLAIN, old_text: PLAIN }, required: ['action'] },
        },
      },
      required: ['target'],
      additionalProperties: false,
    },
    effects: () => ({ kind: 'write', resources: ['memory'] }),
    replay: 'never',
    idempotent: false,
    offTerminal: true,
    housekeeping: true,
    trust: 'tool',
    timeoutMs: 30_000,
    maxResult: 100_000,
    available: () => TARGETS.some((target) => resolveMemoryStore(target, options).enabled),
    needs: 'memory.memory_enabled or memory.user_profile_enabled',
    sink: () => 'memory',
    ...(options.asksFirst === true && {
      asks: async (input) => ({ action: describeChange(input), refusal: describeUnsaved }),
    }),
    run: async (input, context) => {
      const verdict = options.asksFirst === true ? await context.approve(describeChange(input)) : { allow: true as const };
      if (!verdict.allow) throw new ToolRefusal(describeUnsaved(verdict.reason));
      const result = await attempt(input, context, options);
      if (!result.ok) throw new ToolFailure(tries.told(context, result.words));
      tell(result.effects, input.target, context, options);
      return answer(resolveMemoryStore(input.target, options), result, options.admit);
    },
  };
};

/** The whole change, as the owner is asked about it. */
const describeChange = ({ target, operations = [], ...single }: MemoryInput): ApprovalRequest => ({
  tool: 'memory',
  summary: (operations.length > 0 ? operations : [single]).map((each) => describeOperation(target, each)).join('\n'),
  reason: 'you want to be asked before memory changes (memory.write_approval)',
  key: 'memory_write',
});
const describeOperation = (target: MemoryTarget, { action = 'add', content = '', old_text: old = '' }: OperationInput): string =>
  [`${action} in ${target}:`, ...(old === '' ? [] : [`the entry with "${old}"`]), ...(old === '' || content === '' ? [] : ['→']), content]
    .join(' ')
    .trim();
const describeUnsaved = (why: string): string =>
  `Not saved: the owner wants to be asked before memory changes, and did not agree: ${why} Do not say it was remembered.`;

async function attempt(input: MemoryInput, context: ToolContext, options: MemoryToolOptions): Promise<MemoryChangeResult> {
  const store = resolveMemoryStore(input.target, options);
  if (!store.enabled)
    return { ok: false, words: `Not saved: the owner has switched ${input.target} off (${store.setting}). Do not say it was remembered.` };
  const operations = operationsOf(input);
  if ('refusal' in operations) return { ok: false, words: `${operations.refusal} Nothing was changed.` };
  const { sessionId, turnId, taint, signal } = context;
  return changeMemory(options, input.target, operations.list, { source: { sessionId, turnId, foreign: taint }, signal });
}

type Operations = { readonly list: readonly MemoryOperation[] } | { readonly refusal: string };

/** Some models fill every field: beside a batch, a single action without words means nothing. */
function operationsOf({ operations = [], action, content = '', old_text = '' }: MemoryInput): Operations {
  const single = content.trim() !== '' || old_text.trim() !== '';
  if (operations.length > 0 && single) return { refusal: 'Give either action or operations, not both.' };
  const given = operations.length > 0 ? operations : [{ ...(action !== undefined && { action }), content, old_text }];
  const list: MemoryOperation[] = [];
  for (const each of given) {
    const operation = operationOf(each);
    if (operation === undefined) return { refusal: 'action is missing: add, replace or remove.' };
    list.push(operation);
  }
  return { list };
}

function operationOf({ action, content = '', old_text: oldText = '' }: OperationInput): MemoryOperation | undefined {
  switch (action) {
    case 'add':
      return { action, content };
    case 'replace':
      return { action, oldText, content };
    case 'remove':
      return { action, oldText };
    case undefined:
      return undefined;
  }
}

/** The change is made whatever a listener thinks of it. */
function tell(effects: readonly MemoryOperationResult[], target: MemoryTarget, { report }: ToolContext, options: MemoryToolOptions): void {
  try {
    for (const { did, operation } of effects) if (did !== 'unchanged') options.wrote?.(operation, target);
  } catch (error) {
    report(`The external memory could not follow a change of ${target}: ${toErrorMessage(error)}`);
  }
}

const DID: Readonly<Record<MemoryOperationResult['did'], string>> = {
  added: 'Added',
  replaced: 'Replaced; the entry is now',
  removed: 'Removed',
  unchanged: 'Already there, nothing changed',
};

function answer(
  { target, file }: MemoryStore,
  { effects, used, limit, count, backup }: MemoryChangeResult & { ok: true },
  admit: AdmitText,
): ToolOutput {
  const changed = effects.some(({ did }) => did !== 'unchanged');
  // An entry that was blocked is gone without having been shown.
  const shown = admitEntries(
    effects.map((effect) => effect.text),
    file,
    admit,
  );
  const lines = [
    ...effects.map(({ did }, index) => `${DID[did]}: ${shown[index]?.shown}`),
    `${target}: ${formatMemoryUsage(used, limit)}, ${count} ${count === 1 ? 'entry' : 'entries'}.`,
    ...(changed ? ['It is on disk. The prompt of this session keeps its snapshot; the next session will show the change.'] : []),
    ...(backup === undefined ? [] : [`The file had been edited by hand; a copy as it was is in ${backup}.`]),
  ];
  return {
    content: [createTextBlock(lines.join('\n'), 'tool')],
    details: { kind: 'data', data: { target, used, limit, count, changes: effects.map(({ did, text: entry }) => ({ did, entry })) } },
  };
}

const MAX_TRIES = 3;
/** Sessions whose tries are remembered; the count of a session is of its latest turn only. */
const MAX_SESSIONS = 256;

/** Counts refusals in a turn, so that a model that cannot get it right does not spend the turn on it. */
function refusedTries() {
  const counts = new Map<string, { readonly turnId: string; readonly count: number }>();
  return {
    told: ({ sessionId, turnId }: ToolContext, words: string): string => {
      const before = counts.get(sessionId);
      const count = before?.turnId === turnId ? before.count + 1 : 1;
      counts.delete(sessionId);
      counts.set(sessionId, { turnId, count });
      const [oldest] = counts.keys();
      if (counts.size > MAX_SESSIONS && oldest !== undefined) counts.delete(oldest);
      return count < MAX_TRIES
        ? words
        : `${words}\nThat was refused try ${count} of this turn: stop trying, go on with the task and tell the user that it was not saved.`;
    },
  };
}
