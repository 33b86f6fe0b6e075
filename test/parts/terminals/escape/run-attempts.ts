/**
 * Tries the attempts of the themes in a world of its own, as whoever runs it: `node run-attempts.ts attended|unattended|none
 * [themes] [part of a name] [all|part] [floor [level of Landlock]]`, with HOME set to an empty folder. Prints a line of JSON for each. In part each profile
 * has every eighth attempt, another one each, and those that are meant for it alone; without a wall it is every fourth.
 */
import { existsSync } from 'node:fs';
import type { Terminal } from '../../../../src/contracts/terminal.ts';
import { probeFloor } from '../../../../src/parts/terminals/sandbox/floor-probe.ts';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { localTerminal } from '../../../../src/parts/terminals/local/local.ts';
import type { Attempt } from './attempt.ts';
import { openWalled } from './open-walled.ts';
import { THEMES } from './themes.ts';
import { createWorld, SECRET, type World } from './world.ts';

export interface TriedAttempt {
  readonly theme: string;
  readonly name: string;
  /** How it showed that it came off. */
  readonly escaped?: string;
  readonly leftOut?: string;
  readonly output: string;
  readonly ms: number;
}

const [how = 'unattended', onlyThemes = '', onlyName = '', share = 'all', tier = '', level = ''] = process.argv.slice(2);
const found = tier === 'floor' ? await probeFloor('a test asked for it') : undefined;
if (found !== undefined && 'why' in found) throw new Error(found.why);
const tools = found === undefined || level === '' ? found : { ...found, level: Math.min(Number(level), found.level) };
const open = (world: World): Promise<Terminal> =>
  how === 'none'
    ? localTerminal.open({ cwd: world.project, env: world.env })
    : openWalled(world, how === 'attended' ? 'attended' : 'unattended', tools === undefined ? {} : { tools });

/** Whether it is an attempt for this run. */
function isTried(name: string, { bare, only }: Attempt, at: number): boolean {
  if (!name.includes(onlyName)) return false;
  if (how === 'none') return bare === true && (share === 'all' || at % 4 === 2);
  return only === undefined ? share === 'all' || at % 8 === (how === 'attended' ? 0 : 2) : only === how;
}

async function tryOut(terminal: Terminal, world: World, { tries, afterwards, shows }: Attempt) {
  const told = [
    typeof tries === 'string'
      ? (await run(terminal, `cd ${world.project}; ${tries}`, { timeoutMs: 15_000 })).output
      : await tries(terminal, world),
    (await run(terminal, 'echo went on', { timeoutMs: 15_000 })).output,
    ...(afterwards === undefined ? [] : [world.owner(afterwards)]),
  ].join('\n');
  const escaped = [told.includes(SECRET) ? 'the secret was told' : undefined, world.look(), shows?.(world)];
  const lost = !told.includes('went on') && how !== 'none' ? 'the next command did not run' : undefined;
  return { output: told, escaped: [...escaped, lost].filter((each) => each !== undefined).join('; ') };
}

async function main(): Promise<void> {
  for (const [theme, table] of Object.entries(THEMES)) {
    if (onlyThemes !== '' && !onlyThemes.split(',').includes(theme)) continue;
    const world = await createWorld();
    let session: Terminal | undefined;
    for (const [at, [name, row]] of Object.entries(table(world)).entries()) {
      const attempt: Attempt = typeof row === 'string' ? { tries: row } : row;
      if (!isTried(name, attempt, at)) continue;
      const started = Date.now();
      const leftOut = attempt.needs !== undefined && !existsSync(attempt.needs) ? `there is no ${attempt.needs}` : undefined;
      const tell = (more: Partial<TriedAttempt>) =>
        console.log(JSON.stringify({ theme, name, output: '', ...more, ms: Date.now() - started } satisfies TriedAttempt));
      if (leftOut !== undefined) {
        tell({ leftOut });
        continue;
      }
      // Commands share a sandbox, as those of a session do; deeds have one to themselves.
      const shared = typeof attempt.tries === 'string' && attempt.before === undefined && how !== 'none';
      if (attempt.before !== undefined) world.owner(attempt.before);
      const terminal = shared ? (session ??= await open(world)) : await open(world);
      world.look();
      const { escaped, output } = await tryOut(terminal, world, attempt);
      if (!shared || escaped !== '') await terminal[Symbol.asyncDispose]();
      if (shared && escaped !== '') session = undefined;
      const late = world.look();
      const all = [escaped, late === undefined ? '' : `afterwards: ${late}`].filter((each) => each !== '').join('; ');
      tell({ output: output.slice(0, 4_000), ...(all !== '' && { escaped: all }) });
      world.renew();
    }
    await session?.[Symbol.asyncDispose]();
    world.close();
  }
}
await main();
process.exit(0);
