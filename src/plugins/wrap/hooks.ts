import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { HOOK_KINDS } from '../../contracts/hook-catalog.ts';
import type { HookName, HookRegistration } from '../../contracts/hooks.ts';
import { toPluginLine } from '../words/plugin-words.ts';
import type { PluginProcess } from '../process/plugin-process.ts';

const HOOK_MS = 10_000;

/**
 * A hook of a plugin as one of ours. What fails here fails as any hook does: only one that decides blocks. One that is listed and
 * was never hung up has no opinion.
 */
export function wrapHook(plugin: string, hook: HookName, process: PluginProcess): HookRegistration {
  const run = async (seen: unknown): Promise<unknown> => {
    const { hooks } = await process.setUp();
    if (!hooks.includes(hook)) return undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what hooks are told is plain data
    const answer = await process.call({ method: 'hook', params: { name: hook, input: seen as JsonObject } }, { timeoutMs: HOOK_MS });
    return HOOK_KINDS[hook] === 'decide' ? cleanDecision(answer) : answer;
  };
  // Its own time is shorter, so that a plugin that hangs is noticed and ended by whoever can do that.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever asks checks what comes back
  return { hook, owner: `plugin ${plugin}`, timeoutMs: HOOK_MS + 1_000, run } as unknown as HookRegistration;
}

/** People read why something is blocked or asked about, and by which name it is remembered. */
function cleanDecision(answer: Json | undefined): Json | undefined {
  if (!isObject(answer)) return answer;
  const { message, ruleKey } = answer;
  return {
    ...answer,
    ...(typeof message === 'string' && { message: toPluginLine(message) }),
    ...(typeof ruleKey === 'string' && { ruleKey: toPluginLine(ruleKey, 200) }),
  };
}
