import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { HookLine } from '../../contracts/services/hooks.ts';
import { hears, readHooks, type Hook, type HookReading } from './hook-folder.ts';
import type { HookEntry, HookSourceDeps } from './entries/hook-entry.ts';
import { runHandler } from './run-handler.ts';
import { judgeTrust, toLineState } from './entries/trust.ts';

/** Every folder below `hooks`. */
export const listFolderHooks = ({ root, store }: HookSourceDeps): readonly HookEntry[] => {
  const folder = join(root, 'hooks');
  return readHooks(folder).map((reading) => (reading.ok ? toEntry(reading.hook, { root, store }) : toBroken(reading, folder)));
};

const toBroken = ({ name, why }: Extract<HookReading, { readonly ok: false }>, folder: string): HookEntry => {
  const line: HookLine = { kind: 'folder', name, path: join(folder, name), state: 'refused', why };
  return { name, line: async () => line, fix: `Correct ${line.path}.` };
};

const toEntry = (hook: Hook, { root, store }: Pick<HookSourceDeps, 'root' | 'store'>): HookEntry => {
  const { hash: _hash, ...facts } = hook;
  return {
    name: hook.name,
    line: async () => ({ kind: 'folder', ...facts, state: toLineState(await judgeTrust(hook, store)) }),
    trust: { name: hook.name, hashed: () => hook },
    fix: `Read ${hook.path}, then type: hermes hooks trust ${hook.name}`,
    test: async (event, signal) => {
      const wanted = event ?? exampleEvent(hook);
      if (!hears(hook, wanted))
        throw new UsageError(`hook ${hook.name} does not listen to ${wanted}. It listens to ${hook.events.join(', ')}.`);
      return { event: wanted, ...(await runHandler(hook, wanted, exampleOf(wanted), { root, signal })) };
    },
  };
};

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
