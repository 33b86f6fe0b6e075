/** An agent in a process of its own, to be killed: `node agent.ts FOLDER MODE MARK` opens a server, calls it once and waits. */
import { call, odd, openIn, wordsOf } from './setup.ts';
import { ODD_SERVER, type Mode } from './odd-server.ts';

export const AGENT = import.meta.filename;

async function work(folder: string, mode: Mode, mark: string): Promise<void> {
  const mcp = await openIn(folder, [odd(mode, { args: [ODD_SERVER, mode, mark] })]);
  const pid = wordsOf(await call(mcp, 'mcp__odd__pid'));
  const waiting = call(mcp, 'mcp__odd__never');
  process.stdout.write(`${pid}\n`);
  await waiting;
}

if (import.meta.main) {
  const [folder = '', mode = 'plain', mark = ''] = process.argv.slice(2);
  await work(folder, mode as Mode, mark);
}
