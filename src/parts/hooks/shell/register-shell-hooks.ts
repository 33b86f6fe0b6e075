import { toErrorMessage } from '../../../base/errors.ts';
import type { Registry } from '../../../base/registry.ts';
import { HOOK_KINDS } from '../../../contracts/hook-catalog.ts';
import type { HookRegistration } from '../../../contracts/hooks.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import { judgeTrust, trustHook, type TrustStore } from '../entries/trust.ts';
import { readShellAnswer, type ShellAnswer } from './read-answer.ts';
import { readShellHooks, type ShellHook, type ShellHookReading } from './read-shell-hooks.ts';
import { runShellHook, toShellPayload } from './run-shell-hook.ts';
import { createScriptHash } from './script-hash.ts';

export interface ShellHooksDeps {
  /** The profile's folder. */
  readonly root: string;
  readonly store: TrustStore & Pick<SessionStore, 'find'>;
  readonly notice: (words: string) => void;
  /** What is seen for the first time counts as trusted. */
  readonly autoAccept: boolean;
  /** Ends what still runs. */
  readonly closed: AbortSignal;
}

/** The process ends itself first, and says why. */
const GRACE_MS = 5_000;

/** Hangs the commands of the setting `hooks` up, as hooks like any other. What cannot be read is told, and the rest runs. */
export function registerShellHooks(
  table: Readonly<Record<string, unknown>>,
  registry: Pick<Registry<HookRegistration>, 'add'>,
  deps: ShellHooksDeps,
): void {
  const told = new Set<string>();
  const tellOnce = (words: string): void => {
    if (!told.has(words)) deps.notice(words);
    told.add(words);
  };
  const isTrusted = createTrustCheck(deps, tellOnce);
  for (const reading of readShellHooks(table)) {
    if (!reading.ok) refuseBroken(reading, registry, tellOnce);
    else registry.add(`shell hook ${reading.hook.name}`, toRegistration(reading.hook, deps, isTrusted, tellOnce));
  }
}

/** One that was to say no when it cannot decide says no. */
function refuseBroken(
  { name, why, blocks }: Extract<ShellHookReading, { readonly ok: false }>,
  registry: Pick<Registry<HookRegistration>, 'add'>,
  tellOnce: (words: string) => void,
): void {
  tellOnce(`hooks.${name} in config.yaml is not used: ${why}. hermes hooks doctor shows what to do.`);
  const facts = { owner: `shell hook ${name}`, timeoutMs: GRACE_MS, run: () => Promise.reject(new Error(why)) };
  if (blocks === 'pre_tool_call' || blocks === 'pre_gateway_dispatch') registry.add(`shell hook ${name}`, { hook: blocks, ...facts });
}

type IsTrusted = (hook: ShellHook) => Promise<boolean>;

/** Looked at anew each time, so that what was trusted or changed meanwhile counts at once. */
function createTrustCheck({ root, store, autoAccept }: ShellHooksDeps, tellOnce: (words: string) => void): IsTrusted {
  const hashOf = createScriptHash(root);
  return async (hook) => {
    const hashed = hashOf(hook);
    const state = await judgeTrust(hashed, store);
    if (state === 'trusted') return true;
    if (state === 'untrusted' && autoAccept) {
      await trustHook(hashed, store);
      tellOnce(`shell hook ${hook.name} runs from now on as it is, because hooks_auto_accept is on: ${hook.command}`);
      return true;
    }
    const why = state === 'changed' ? 'its script changed since you trusted it' : 'you have not trusted it';
    tellOnce(`shell hook ${hook.name} does not run: ${why} (${hook.command}). Read it, then type: hermes hooks trust ${hook.name}`);
    return false;
  };
}

/** Whose it is, in words for a model and a person. */
const nameOwner = ({ command }: ShellHook): string => `shell hook ${command.length > 80 ? `${command.slice(0, 79)}…` : command}`;

function toRegistration(
  hook: ShellHook,
  { root, store, closed }: ShellHooksDeps,
  isTrusted: IsTrusted,
  tellOnce: (words: string) => void,
): HookRegistration {
  const isDeciding = HOOK_KINDS[hook.event] === 'decide';
  const ask = async (input: object): Promise<ShellAnswer> => {
    if (!(await isTrusted(hook))) throw new UntrustedHook('it is not trusted as it is now');
    const cwd = (await findCwd(input, store)) ?? root;
    return readShellAnswer(await runShellHook(hook, toShellPayload(hook.event, input, cwd), { root, signal: closed }));
  };
  const run = async (input: object): Promise<unknown> => {
    if (!isMeant(hook, input)) return undefined;
    try {
      return selectAnswer(hook, await ask(input));
    } catch (error) {
      if (isDeciding && hook.failClosed) throw error;
      if (error instanceof UntrustedHook) return undefined;
      // Who looks on is passed over by whoever called it, and told of there.
      if (!isDeciding) throw error;
      tellOnce(`shell hook ${hook.name} failed, and counts as no opinion (fail_closed is off): ${toErrorMessage(error)}`);
      return undefined;
    }
  };
  const facts = { hook: hook.event, owner: nameOwner(hook), timeoutMs: hook.timeoutMs + GRACE_MS, run };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever calls a hook reads its answer as that of a stranger
  return facts as unknown as HookRegistration;
}
class UntrustedHook extends Error {}

const isMeant = ({ matches }: ShellHook, input: { readonly tool?: unknown }): boolean =>
  typeof input.tool !== 'string' || matches(input.tool);

async function findCwd(input: { readonly sessionId?: unknown }, store: Pick<SessionStore, 'find'>): Promise<string | undefined> {
  const { sessionId } = input;
  if (typeof sessionId !== 'string') return undefined;
  return (await store.find(sessionId)).find(({ id }) => id === sessionId)?.cwd;
}

/** Of an answer, what its event may say. */
export function selectAnswer({ event }: Pick<ShellHook, 'event'>, { decision, context, text }: ShellAnswer): unknown {
  switch (event) {
    case 'pre_tool_call':
    case 'pre_gateway_dispatch':
      return decision;
    case 'pre_llm_call':
    case 'pre_compress':
      if (decision !== undefined) throw new Error(`it decided something, but ${event} can only add words`);
      return context;
    case 'transform_tool_result':
    case 'transform_terminal_output':
      return text;
    default:
      return undefined;
  }
}
