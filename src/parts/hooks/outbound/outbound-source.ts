import { systemClock } from '../../../base/clock.ts';
import { UsageError } from '../../../base/errors.ts';
import { randomHex } from '../../../base/ids.ts';
import type { HookLine } from '../../../contracts/services/hooks.ts';
import { HOOK_EXAMPLES } from '../entries/examples.ts';
import type { HookEntry, HookSourceDeps } from '../entries/hook-entry.ts';
import { postEvent } from './post-event.ts';
import { readOutbound, type OutboundHook } from './read-outbound.ts';

/** Every address under `hooks.outbound`. */
export const listOutboundHooks = (deps: HookSourceDeps): readonly HookEntry[] =>
  readOutbound(deps.table).map((reading) =>
    reading.ok ? toEntry(reading.hook, deps) : toBroken(reading.name, reading.why, `Correct hooks.${reading.name} in config.yaml.`),
  );

const toBroken = (name: string, why: string, fix: string, path = `hooks.${name}`): HookEntry => {
  const line: HookLine = { kind: 'outbound', name, path, state: 'refused', why };
  return { name, line: async () => line, fix };
};

function toEntry({ name, url, events, secretEnv }: OutboundHook, { env, networkTo }: HookSourceDeps): HookEntry {
  const secret = env[secretEnv] ?? '';
  if (secret === '')
    return toBroken(name, `${secretEnv} is not set, and nothing is sent unsigned`, `Set ${secretEnv} in .env to a long random text.`, url);
  return {
    name,
    line: async () => ({ kind: 'outbound', name, path: url, events, state: 'active' }),
    fix: `Correct hooks.${name} in config.yaml.`,
    test: async (wanted, signal) => {
      const event = events.find((each) => each === (wanted ?? events[0]));
      if (event === undefined) throw new UsageError(`${name} gets ${events.join(', ')}, and not ${wanted ?? ''}.`);
      const now = systemClock.now();
      const post = { url, secret, id: `evt_${randomHex(12)}`, event, input: HOOK_EXAMPLES[event], at: now };
      const verdict = await postEvent(post, networkTo(url), now, signal);
      return verdict.type === 'taken'
        ? { ok: true, event, output: `The receiver answered ${verdict.status}.` }
        : { ok: false, event, output: '', why: verdict.why };
    },
  };
}
