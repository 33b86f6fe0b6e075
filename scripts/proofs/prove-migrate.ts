/**
 * Homes written by the programs themselves, of every version there is: `npm run prove -- migrate`. Fetches them from PyPI and
 * npm into a temporary folder, or into the one HERMES_MIGRATE_HOMES names, which is kept: a second run takes the homes that are
 * there. Writes docs/proofs/migrate.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';
import {
  countSteps,
  killAndFinish,
  readSaid,
  runMigrate,
  takeOver,
  takeOverShared,
  type KillMoment,
  type OtherHome,
} from '../../test/walks/other-homes.ts';

const WHEELS = ['0.13.0', '0.14.0', '0.15.0', '0.15.1', '0.15.2', '0.16.0', '0.17.0', '0.18.0', '0.18.1', '0.18.2', '0.19.0'];
const OPENCLAW = '2026.9.6';

interface ProofRow {
  readonly program: string;
  readonly sessions: number;
  readonly messages: number;
  readonly kills: number;
  readonly wrong: readonly string[];
}

/** Takes over the home of every version, and kills the take-over of the newest of each program so often. */
export async function proveMigrate(kills: number): Promise<boolean> {
  const kept = process.env['HERMES_MIGRATE_HOMES'];
  const root = mkdtempSync(join(tmpdir(), 'hermes-prove-migrate-'));
  try {
    const homes = [...writeHermesHomes(kept ?? root), writeOpenClawHome(kept ?? root)];
    const rows: ProofRow[] = [];
    for (const [index, [program, other]] of homes.entries()) {
      console.log(`taking over the home of ${program} …`);
      const ours = join(root, `ours-${index}`);
      const { sessions, messages, wrong } = await takeOver(ours, other);
      const shared = other.source === 'hermes' ? await takeOverShared(join(root, `shared-${index}`, '.hermes'), other) : [];
      const isNewest = homes[index + 1]?.[1].source !== other.source;
      const killed = isNewest ? await killOften(root, other, kills) : { kills: 0, wrong: [] };
      rows.push({ program, sessions, messages, kills: killed.kills, wrong: [...wrong, ...shared, ...killed.wrong] });
    }
    mkdirSync('docs/proofs', { recursive: true });
    writeFileSync('docs/proofs/migrate.md', pageOf(rows));
    console.log(tableOf(rows));
    for (const { program, wrong } of rows) for (const words of wrong) console.log(`${program}: ${words}`);
    return rows.every(({ wrong }) => wrong.length === 0);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type NamedHome = readonly [program: string, home: OtherHome];

/** One environment with what the newest needs serves all; each version runs from its own unpacked wheel. */
function writeHermesHomes(root: string): NamedHome[] {
  const [python, run] = [
    join(root, 'venv', 'bin', 'python'),
    (file: string, ...args: string[]) => execFileSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'] }),
  ];
  const isWritten = (version: string) => existsSync(join(root, 'hermes', version, 'said.json'));
  if (!WHEELS.every(isWritten)) {
    run('python3', '-m', 'venv', join(root, 'venv'));
    run(python, '-m', 'pip', 'install', '--quiet', `hermes-agent==${WHEELS.at(-1) ?? ''}`);
  }
  for (const [index, version] of WHEELS.entries()) if (!isWritten(version)) write(version, index);
  return WHEELS.map((version) => {
    const person = join(root, 'hermes', version);
    return [`hermes-agent ${version}`, { source: 'hermes', folder: join(person, '.hermes'), said: readSaid(join(person, 'said.json')) }];
  });

  function write(version: string, index: number): void {
    const [wheel, source, person] = [join(root, 'wheels', version), join(root, 'source', version), join(root, 'hermes', version)];
    run(python, '-m', 'pip', 'download', '--quiet', '--no-deps', '-d', wheel, `hermes-agent==${version}`);
    run(python, '-m', 'zipfile', '-e', join(wheel, readdirSync(wheel)[0] ?? ''), source);
    mkdirSync(person, { recursive: true });
    const folder = join(person, '.hermes');
    const env = { ...process.env, HOME: person, HERMES_HOME: folder, PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1' };
    // Every other one ends as if it had been killed: its last words are then in the log beside the database.
    const args = [resolve('scripts/proofs/write-hermes-home.py'), join(person, 'said.json'), ...(index % 2 === 0 ? ['--killed'] : [])];
    execFileSync(python, args, { env, cwd: person, stdio: 'ignore' });
  }
}

function writeOpenClawHome(root: string): NamedHome {
  const person = join(root, 'openclaw');
  if (!existsSync(join(person, 'said.json'))) {
    const place = join(root, 'npm');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{}');
    execFileSync('npm', ['install', '--silent', '--ignore-scripts', `openclaw@${OPENCLAW}`], {
      cwd: place,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const script = resolve('scripts/proofs/write-openclaw-home.ts');
    const said = execFileSync(process.execPath, [script, join(place, 'node_modules', 'openclaw'), person], { encoding: 'utf8' });
    writeFileSync(join(person, 'said.json'), said);
  }
  return [`openclaw ${OPENCLAW}`, { source: 'openclaw', folder: join(person, '.openclaw'), said: readSaid(join(person, 'said.json')) }];
}

/** At every step that is told, and at moments between them. */
async function killOften(root: string, other: OtherHome, kills: number): Promise<Pick<ProofRow, 'kills' | 'wrong'>> {
  const [whole, home] = [join(root, `whole-${other.source}`), join(root, 'killed')];
  mkdirSync(whole);
  const begin = Date.now();
  const steps = countSteps((await runMigrate(whole, other, '--yes', '--json')).out);
  const takes = Date.now() - begin;
  const random = createSeededRandom('migrate');
  const moments: KillMoment[] = [
    ...Array.from({ length: steps }, (_, index) => ({ line: index + 1 })),
    ...Array.from({ length: Math.max(0, kills - steps) }, () => ({ ms: random.int(20, takes) })),
  ];
  const wrong: string[] = [];
  for (const moment of moments) {
    if (existsSync(home)) rmSync(home, { recursive: true });
    wrong.push(...(await killAndFinish(home, other, moment, whole)));
  }
  return { kills: moments.length, wrong };
}

const tableOf = (rows: readonly ProofRow[]): string =>
  [
    '| Home written by | sessions taken | messages, all found | kills | findings |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ program, sessions, messages, kills, wrong }) => `| ${program} | ${sessions} | ${messages} | ${kills} | ${wrong.length} |`,
    ),
  ].join('\n');

const pageOf = (rows: readonly ProofRow[]): string =>
  [
    '# Homes of other programs',
    '',
    'Each home was written by the program itself: hermes-agent from PyPI by its own session store, memory, skills, settings and jobs (every other version ended without closing its database), OpenClaw from npm by its own command line against a model server on loopback. Each home was taken over into an empty one, and those of hermes-agent also where they are, as a home both programs share. A finding would be: looking changed a byte, a time or an inode of either home; a message that search does not find; a second run that changed anything; any change in the other home; a setting that `config check` complains about; a trouble of the store; after a kill, half of a session, or a home that the next run did not make equal to one of a run nobody killed. Kills come at every step the program tells and at random moments between.',
    '',
    tableOf(rows),
    '',
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`npm run prove -- migrate\`.`,
    '',
  ].join('\n');

if (import.meta.main) process.exitCode = (await proveMigrate(Number(process.argv[2] ?? 60))) ? 0 : 1;
