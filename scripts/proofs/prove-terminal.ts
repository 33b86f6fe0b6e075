/** hermes at a terminal, killed, hung up on and stopped at many moments. Writes what was counted to docs/proofs/terminal-death.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { noPty } from '../../test/walks/on-terminal.ts';
import { openDeathStage, type Blow, type Death, type DeathPoint } from '../../test/walks/terminal-death.ts';
import { MOMENTS } from '../../test/walks/terminal-moments.ts';

/** A stop of a program that cannot listen yet comes from the terminal. */
const AT_START: readonly Blow[] = ['SIGKILL', 'SIGHUP', 'Ctrl-Z'];
const BLOWS: readonly Blow[] = ['SIGKILL', 'SIGHUP', 'SIGTSTP', 'Ctrl-Z', 'terminal closed', 'SIGTERM'];
const MAX_DELAY_MS = { start: 700, moment: 250 };

export async function proveTerminal(count: number): Promise<boolean> {
  if (noPty !== false) throw new Error(noPty);
  const deaths: Death[] = [];
  await using stage = await openDeathStage();
  for (const point of drawPoints(count)) {
    const death = await stage.die(point);
    deaths.push(death);
    if (death.problems.length > 0) console.log(JSON.stringify(death, null, 1));
    else if (deaths.length % 10 === 0) console.log(`  ${deaths.length}/${count}`);
  }
  const text = report(deaths);
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/terminal-death.md', text);
  console.log(text);
  return deaths.every(({ problems }) => problems.length === 0);
}

/** Every moment with every blow, a part of them at the start; the delay is drawn anew in each run. */
function drawPoints(count: number): DeathPoint[] {
  const draw = (moment: string, blow: Blow): DeathPoint => {
    const most = moment === 'start' ? MAX_DELAY_MS.start : MAX_DELAY_MS.moment;
    return { moment, blow, afterMs: Math.round(Math.random() * most) };
  };
  const start = Array.from({ length: Math.ceil(count / 7) }, (_, index) => draw('start', AT_START[index % AT_START.length] ?? 'SIGKILL'));
  const others = BLOWS.flatMap((blow) => MOMENTS.map(({ name }) => draw(name, blow)));
  return [...start, ...Array.from({ length: count }, () => others).flat()].slice(0, count);
}

function report(deaths: readonly Death[]): string {
  const bad = deaths.filter(({ problems }) => problems.length > 0);
  const found = (words: RegExp): number => bad.filter(({ problems }) => problems.some((problem) => words.test(problem))).length;
  const blows = [...new Set(deaths.map(({ blow }) => blow))];
  const rows = ['start', ...MOMENTS.map(({ name }) => name)].map((name) => {
    const here = deaths.filter(({ moment }) => moment === name);
    return `| ${[name, ...blows.map((blow) => here.filter((death) => death.blow === blow).length)].join(' | ')} |`;
  });
  return [
    '# Death at the terminal',
    '',
    `${deaths.length} sessions of the real program (\`bin/hermes\`) in a shell on a pseudo terminal, each ended or stopped at a moment that is drawn anew in each run.`,
    'Afterwards the terminal is compared with how it was: settings (`stty`), modes and title by the bytes written, screen and modes of xterm, a line typed into the shell.',
    'Then `fg` or `hermes -c` brings the session to rest, and the log is read.',
    '',
    '| | count |',
    '|---|---|',
    `| points | ${deaths.length} |`,
    `| terminal not as before | ${found(/^modes|^stty|alternate screen|below what/)} |`,
    `| texts lost or said twice | ${found(/^said/)} |`,
    `| side effects fired twice, or without consent | ${found(/^done/)} |`,
    `| calls without exactly one result | ${found(/exactly one result/)} |`,
    `| points with any problem | ${bad.length} |`,
    '',
    'Where they were hit:',
    '',
    `| moment | ${blows.join(' | ')} |`,
    `|---|${blows.map(() => '---|').join('')}`,
    ...rows,
    '',
    'After SIGKILL the turn goes on by itself; after SIGHUP, SIGTERM and a closed terminal it has been stopped, and its words are in the log. Texts that wait are answered in both cases.',
    'What it does not show: a kill of the launcher together with the program. Nobody is left then to restore the terminal; `reset` does.',
    'Nor a SIGTSTP sent by hand to a program that has not loaded yet: it stops alone, and the shell waits until it gets a SIGCONT. Ctrl-Z stops the whole job at any time.',
    '',
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`npm run prove -- terminal\`.`,
    '',
  ].join('\n');
}
