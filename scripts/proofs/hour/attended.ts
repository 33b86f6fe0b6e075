/** A session with an owner who allows for the session whatever is asked, by the library as it is shipped. Prints how often the owner was asked. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const LIBRARY = pathToFileURL(resolve(import.meta.dirname, '../../../dist/library/index.js')).href;
const { openHost, resolveHome } = (await import(LIBRARY)) as typeof import('../../../src/index.ts');

let asked = 0;
{
  const { env } = process;
  await using host = await openHost({ env, home: resolveHome(env) });
  await using session = await host.openSession({
    platform: 'cli',
    cwd: process.cwd(),
    ports: {
      clarify: async ({ choices }) => {
        asked++;
        return choices.find((each) => /session/i.test(each)) ?? 'yes';
      },
    },
  });
  for await (const _event of session.send(await session.message('Work.'), AbortSignal.timeout(600_000)));
}
console.log(asked);
