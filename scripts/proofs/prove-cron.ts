/**
 * Scheduled jobs in full size. Each proof writes its own section of docs/proofs/cron.md and leaves the other as it is:
 *   npm run prove -- cron
 *   HERMES_CRON_PROOFS=kills npm run prove -- cron
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cpus, totalmem } from 'node:os';
import { runOrdeal, type OrdealResult } from '../../test/faces/cron/kill/harness.ts';
import { compareWithCroniter, ZONES, type Difference } from '../../test/faces/cron/oracle/compare.ts';
import { bundleProgram } from './bundle-program.ts';

const PAGE = 'docs/proofs/cron.md';
const KILLS_IN_A_ROUND = 20;
const EXPRESSIONS = Number(process.env['HERMES_CRON_EXPRESSIONS'] ?? 500);
const TITLES = { schedules: 'Schedules against croniter', kills: 'Kills, stops and clocks' } as const;

export async function proveCron(kills: number): Promise<boolean> {
  const wanted = process.env['HERMES_CRON_PROOFS']?.split(',') ?? Object.keys(TITLES);
  const proved = [
    ...(wanted.includes('kills') ? [await proveKills(kills)] : []),
    ...(wanted.includes('schedules') ? [await proveSchedules()] : []),
  ];
  return proved.every(Boolean);
}

async function proveSchedules(): Promise<boolean> {
  const { cases, moments, differences, examples, faults } = await compareWithCroniter(EXPRESSIONS, ZONES);
  const lines = [
    `${EXPRESSIONS} expressions, drawn with a fixed seed and with those people write among them, in ${ZONES.length} time zones: for each a year from February 2026 on, and three days around every change of clocks in 2026 and 2027. croniter 6.2.4 is the judge. Every difference must be one of those below, which are wanted.`,
    '',
    `- cases: ${cases}`,
    `- moments of croniter: ${moments}`,
    `- time zones: ${ZONES.join(', ')}`,
    '',
    '| Difference | Moments | For example |',
    '|---|---|---|',
    ...Object.entries(differences).map(
      ([what, count]) => `| ${what} | ${count} | ${examples[what as Difference]?.replaceAll('|', '\\|') ?? ''} |`,
    ),
    '',
  ];
  writeSection('schedules', lines, faults);
  return faults.length === 0;
}

/** Written after each round: a run that is broken off says how far it came. */
async function proveKills(kills: number): Promise<boolean> {
  process.env['HERMES_CRON_PROGRAM'] = await bundleProgram({
    source: 'test/faces/cron/kill/program.ts',
    folder: resolve('dist/proofs/cron'),
    name: 'program',
  });
  const rounds: OrdealResult[] = [];
  for (let round = 1; round <= Math.ceil(kills / KILLS_IN_A_ROUND); round++) {
    const seed = `cron/${round}`;
    const result = await runOrdeal({ seed, processes: 3, kills: Math.min(KILLS_IN_A_ROUND, kills), stops: 3, jumps: 4, pauseMs: 1_200 });
    console.log(`  ${seed}: ${JSON.stringify(result)}`);
    rounds.push(result);
    writeSection('kills', describeRounds(rounds), listFaults(rounds));
  }
  return listFaults(rounds).length === 0;
}
const listFaults = (rounds: readonly OrdealResult[]): readonly string[] =>
  rounds.flatMap(({ faults }, index) => faults.map((fault) => `cron/${index + 1}, ${fault}`));

function describeRounds(rounds: readonly OrdealResult[]): readonly string[] {
  const sum = (key: Exclude<keyof OrdealResult, 'faults'>): number => rounds.reduce((total, round) => total + round[key], 0);
  return [
    `${rounds.length} rounds, with the seeds \`cron/1\` to \`cron/${rounds.length}\`. In each, three processes run the jobs of one home, and a fourth those of another home beside it; the store is on disk, the model answers over a socket. Jobs run every 2, 3, 4 and 5 seconds: with a script alone, with an agent, and with both; some with \`skip\`, some with \`run_once\`. Meanwhile processes are killed with SIGKILL and started again, stopped with SIGSTOP for up to 2.5 s, and the clock of the jobs is set ahead and back by up to an hour. Then the ledger is held against arithmetic: every instant from the first on, also those that the clock jumped over, was run once or stands in a row of those that were left out, and each such row says how many it stands for. Scripts leave a mark outside the store; each run has one delivery, and one message and one outcome in its session.`,
    '',
    `- SIGKILL: ${sum('kills')}, SIGSTOP and SIGCONT: ${sum('stops')}, clock set: ${sum('jumps')}`,
    `- instants by arithmetic: ${sum('instants')}`,
    `- runs: ${sum('runs')}, of these done: ${sum('done')}, failed because a script was cut off or a process died three times: ${sum('failed')}`,
    `- instants left out, each in the ledger: ${sum('missed')}`,
    `- runs that another process finished: ${sum('takenOver')}`,
  ];
}

const HEAD = `# Scheduled jobs

What is promised: [scheduled jobs](../cron.md). Repeat with \`npm run prove -- cron\`; the part with croniter needs it from PyPI (\`scripts/system-deps\`).`;

/** A section of the page takes the place of the one of its name. */
function writeSection(name: keyof typeof TITLES, lines: readonly string[], faults: readonly string[]): void {
  const before = existsSync(PAGE)
    ? readFileSync(PAGE, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const sections = new Map(before.map((text) => [/^## (.*)$/m.exec(text)?.[1] ?? '', text.trim()]));
  const machine = `${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const judged = [`- faults: ${faults.length}`, ...faults.slice(0, 20).map((fault) => `  - ${fault}`)];
  sections.set(TITLES[name], [`## ${TITLES[name]}`, '', ...lines, ...judged, '', `Run on ${machine}.`].join('\n'));
  writeFileSync(PAGE, `${[HEAD, ...Object.values(TITLES).flatMap((title) => sections.get(title) ?? [])].join('\n\n')}\n`);
}
