import { join } from 'node:path';
import type { Env } from '../../base/env.ts';
import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { findNearest } from '../../base/text.ts';
import type { HookLine, HookService } from '../../contracts/services/hooks.ts';
import { hears, readHooks, type Hook, type HookReading } from './hook-folder.ts';
import { judgeHook, revokeHook, trustHook, type TrustStore } from './hooks.ts';
import { runHandler } from './run-handler.ts';

export function createHookService(env: Env, store: TrustStore): HookService {
  const { root } = resolveHome(env);
  const folder = join(root, 'hooks');
  const read = (name: string): Hook => findHook(name, readHooks(folder), folder);
  return {
    list: () => Promise.all(readHooks(folder).map((reading) => describeHook(reading, folder, store))),
    trust: async (name) => {
      const hook = read(name);
      await trustHook(hook, store);
      return describeHook({ ok: true, hook }, folder, store);
    },
    revoke: (name) => revokeHook(name, store),
    test: async (name, event, signal) => {
      const hook = read(name);
      if ((await judgeHook(hook, store)) !== 'trusted')
        throw new UsageError(`hook ${name} is not trusted as it is now. Read ${hook.path}, then type: hermes hooks trust ${name}`);
      const wanted = event ?? exampleEvent(hook);
      if (!hears(hook, wanted)) throw new UsageError(`hook ${name} does not listen to ${wanted}. It listens to ${hook.events.join(', ')}.`);
      return { name, event: wanted, ...(await runHandler(hook, wanted, exampleOf(wanted), { root, signal })) };
    },
  };
}

function findHook(name: string, readings: readonly HookReading[], folder: string): Hook {
  const names = readings.map((reading) => (reading.ok ? reading.hook.name : reading.name));
  const found = readings[names.indexOf(name)];
  if (found?.ok === true) return found.hook;
  if (found !== undefined) throw new UsageError(`hook ${name} cannot run: ${found.why}`);
  const nearest = findNearest(name, names);
  throw new UsageError(`there is no hook "${name}" in ${folder}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`);
}

async function describeHook(reading: HookReading, folder: string, store: TrustStore): Promise<HookLine> {
  if (!reading.ok) return { name: reading.name, path: join(folder, reading.name), state: 'refused', why: reading.why };
  const { hash: _hash, ...facts } = reading.hook;
  return { ...facts, state: await judgeHook(reading.hook, store) };
}

const exampleEvent = ({ events }: Hook): string => (events[0] ?? '').replace('command:*', 'command:status').replace(/:\*$/, ':start');

/** As a gateway would tell it, of nobody. */
function exampleOf(event: string): object {
  const person = { platform: 'test', user_id: '1' };
  const session = { ...person, session_key: 'agent:main:test:private:1' };
  const turn = { ...person, chat_id: '1', thread_id: null, chat_type: 'private', session_id: 'test', message: 'A test.' };
  const examples: Readonly<Record<string, object>> = {
    'gateway:startup': { platforms: ['test'] },
    'session:start': { ...session, session_id: 'test' },
    'session:end': { ...session, session_id: 'test', reason: 'expired' },
    'session:reset': session,
    'agent:start': turn,
    'agent:step': { ...person, session_id: 'test', iteration: 1, tool_names: ['terminal'] },
    'agent:end': { ...turn, response: 'An answer.', model: 'test', provider: 'test' },
  };
  return examples[event] ?? { ...person, command: event.replace(/^command:/, ''), args: '' };
}
