/** A process that talks on a home until it is killed: node talker.ts HOME FILE talk|drain. Its provider appends what it is told to the file. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { openHost } from '../../../src/app/open-host.ts';
import { resolveHome } from '../../../src/base/home.ts';
import type { MemoryProvider } from '../../../src/contracts/memory-provider.ts';
import { scriptedProvider } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';

const [folder = '', file = '', what = 'talk'] = process.argv.slice(2);
const home = resolveHome({ HERMES_HOME: folder });
writeFileSync(home.config, 'memory:\n  provider: notes\n');
const note = (line: object): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
/** What has been done: the process is killed soon after a drawn one of these. */
const say = (mark: string): void => void process.stdout.write(`${mark}\n`);
/** Slow enough to be killed in the middle. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const provider: MemoryProvider = {
  name: 'notes',
  available: () => true,
  syncTurn: async ({ key, sessionId, userMessage }) => {
    await pause(Math.random() * 10);
    note({ type: 'turn', key, sessionId, userMessage });
    await pause(Math.random() * 5);
  },
  sessionEnd: async ({ key, sessionId, turns }) => {
    await pause(Math.random() * 10);
    note({ type: 'end', key, sessionId, turns: turns.length });
    say('telling end');
    await pause(Math.random() * 10);
  },
};
say('begun');
await using host = await openHost({
  home,
  register: ({ memoryProviders }) => void memoryProviders.add('notes', { description: 'a test', open: () => provider }),
});
const never = new AbortController().signal;
const open = () => host.openSession({ provider: scriptedRoute(scriptedProvider(() => ({ text: 'done' }))), mcp: false, cwd: folder });

if (what === 'drain') {
  await using _ = await open();
  while ((await host.store.memory.backlog('notes')).sessions > 0) await pause(20);
} else {
  for (;;) {
    await using handle = await open();
    for (let turn = 0; turn < 2; turn++) {
      await Array.fromAsync(handle.send(await handle.message(`turn ${turn} of ${handle.session.id}`), never));
      say('turn');
    }
    say('ending');
    await handle.end('reset');
    say('ended');
  }
}
