/** A process that tells an address until it is killed: node outbound-program.ts HOME URL FROM|drain. Prints the number of each event that is kept. */
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/base/home.ts';
import { createRegistry } from '../../src/base/registry.ts';
import type { HookRegistration } from '../../src/contracts/hooks.ts';
import { openOutbound } from '../../src/parts/hooks/outbound/open-outbound.ts';
import { openHomeStore } from '../../src/parts/store/home-store.ts';

const [folder = '', url = '', what = '0'] = process.argv.slice(2);
await using store = await openHomeStore(resolveHome({ HERMES_HOME: folder }));
const registry = createRegistry<HookRegistration>();
const table = { outbound: [{ url, events: ['on_stream_start'], secret_env: 'S' }] };
await using _line = openOutbound(table, registry, {
  env: { S: 'whsec_c2VjcmV0LW9mLXRoZS1ob29rcy0wMTIzNDU2Nzg5' },
  notice: (words) => void process.stderr.write(`${words}\n`),
  clock: systemClock,
  store,
  // The address is this computer's own, which the judgement of addresses would refuse.
  networkTo: () => ({
    fetch: async ({ url: to, headers = {}, body = '', signal }) => {
      try {
        const { status } = await fetch(to, { method: 'POST', headers, body, signal });
        return { ok: true, url: to, status, headers: {}, body: Buffer.alloc(0), cut: false };
      } catch (error) {
        return { ok: false, reason: String(error), refused: false };
      }
    },
  }),
});
const hook = registry.get('hooks.outbound/1: on_stream_start');
if (hook?.hook !== 'on_stream_start') throw new Error('there is no such hook');
if (what === 'drain') {
  process.stdin.resume();
  await new Promise((ended) => process.stdin.once('end', ended));
} else
  for (let number = Number(what); ; number++) {
    await hook.run({ sessionId: String(number), platform: 'cli', model: 'm' });
    process.stdout.write(`${number}\n`);
  }
