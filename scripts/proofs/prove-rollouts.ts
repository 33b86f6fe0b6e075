/**
 * Rollouts of `hermes env evaluate` and `hermes batch run` in full size. Each proof writes its own section of
 * docs/proofs/rollouts.md and leaves the others as they are:
 *   npm run prove -- rollouts
 *   HERMES_ROLLOUT_PROOFS=isolation npm run prove -- rollouts
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { compareFormats, fetchWitness, WITNESS } from './batch-format/compare.ts';
import { noSandbox } from '../../test/faces/environments/scene.ts';
import { runIsolation } from '../../test/faces/environments/proofs/isolation.ts';
import { listKillPoints, runResumeOrdeal, type ResumeOptions } from '../../test/faces/environments/proofs/resume.ts';

const PAGE = 'docs/proofs/rollouts.md';
const WORKERS = 8;
const TOGETHER = 32;
const TITLES = {
  evaluate: 'An evaluation that is killed',
  batch: 'A batch that is killed',
  isolation: 'Rollouts at once',
  format: 'The format of conversations',
} as const;
type ProofName = keyof typeof TITLES;

export async function proveRollouts(rollouts: number, kills: number): Promise<boolean> {
  if (noSandbox !== false) {
    console.log(`  left out: ${noSandbox}`);
    return true;
  }
  const wanted = process.env['HERMES_ROLLOUT_PROOFS']?.split(',') ?? Object.keys(TITLES);
  const proofs: Readonly<Record<ProofName, () => Promise<boolean>>> = {
    evaluate: () => proveResume('evaluate', 'env', rollouts, kills),
    batch: () => proveResume('batch', 'batch', rollouts, kills),
    isolation: proveIsolation,
    format: async () => proveFormat(),
  };
  let holds = true;
  for (const [name, prove] of Object.entries(proofs)) if (wanted.includes(name)) holds = (await prove()) && holds;
  return holds;
}

async function proveResume(name: ProofName, kind: ResumeOptions['kind'], rollouts: number, count: number): Promise<boolean> {
  const seed = Date.now() % 2 ** 31;
  const kills = listKillPoints(rollouts, count, drawFrom(seed));
  const begun = Date.now();
  const result = await runResumeOrdeal({ kind, rollouts, workers: WORKERS, kills });
  console.log(`  ${name}: ${JSON.stringify(result)}`);
  const about = {
    env: 'Every task is tried twice. Afterwards `samples.jsonl` must have every task and attempt exactly once, as an uninterrupted run has, and `metrics.json` must count them all.',
    batch:
      'Every tenth prompt is there twice. Afterwards `rows.jsonl` must have every prompt exactly as often as the file, and `trajectories.jsonl` each place in it once.',
  };
  const points = Map.groupBy(kills, ({ at, tears }) => (tears === undefined ? at : 'torn'));
  writeSection(
    name,
    [
      `The real program, ${WORKERS} rollouts at a time in sandboxes, a model over a socket. It is killed with SIGKILL again and again, then it may finish. ${about[kind]} What stood whole in the file when the program died may not be asked for again: only what was in flight is paid for twice.`,
      '',
      `- rollouts: ${rollouts}`,
      `- kills: ${result.kills} (at a counted model call ${points.get('call')?.length ?? 0}, at a counted line of the file ${points.get('line')?.length ?? 0}, at a random moment ${points.get('ms')?.length ?? 0}, at a line which is then torn at a random byte ${points.get('torn')?.length ?? 0}); seed ${seed}`,
      `- torn lines: ${result.torn}`,
      `- rollouts begun: ${result.begun}; lost by kills and torn lines: ${result.lost}, ${(result.lost / result.kills).toFixed(1)} a kill`,
      `- seconds: ${Math.round((Date.now() - begun) / 1_000)}`,
    ],
    result.faults,
  );
  return result.faults.length === 0;
}

async function proveIsolation(): Promise<boolean> {
  const whole = await runIsolation(TOGETHER, false);
  const killed = await runIsolation(TOGETHER, true);
  console.log(`  isolation: ${JSON.stringify([whole, killed])}`);
  const faults = [...whole.faults, ...killed.faults.map((fault) => `killed: ${fault}`)];
  writeSection(
    'isolation',
    [
      `${TOGETHER} rollouts of one program at once. Each writes a file into its folder and one into /tmp, sets a variable, starts a process and a server on port 5599, the same in all of them. Only when the last has planted do they look: at files, variables, every process in /proc and what answers on the port. Each must see its own five things and nothing of another. Afterwards no process of them may be in /proc of this machine, no folder of an attempt be left, and the temporary folder be as before. The second time the program is killed with SIGKILL when all have planted; the processes must be gone then too, and one more run does everything again.`,
      '',
      `- rollouts at once: ${whole.together}; in the run that was killed and its repetition: ${killed.together}`,
    ],
    faults,
  );
  return faults.length === 0;
}

/** What the Python system writes is the judge. */
function proveFormat(): boolean {
  const folder = fetchWitness();
  if (folder === undefined) {
    console.log(`  left out: ${WITNESS} could not be had (python3 -m pip download --no-deps ${WITNESS})`);
    return true;
  }
  const result = compareFormats(folder, 3_000, drawFrom(5));
  console.log(`  format: ${JSON.stringify(result)}`);
  writeSection(
    'format',
    [
      `Invented conversations with several calls a turn, reasoning, marks of the format in the texts themselves, structured and broken results, written by us and by ${WITNESS} from PyPI. Every turn but the words of the first, and the list of tools in it, must be the same byte for byte.`,
      '',
      `- conversations: ${result.cases}, turns: ${result.turns}`,
    ],
    result.faults,
  );
  return result.faults.length === 0;
}

/** Numbers from 0 up to 1, the same for the same seed. */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const HEAD = `# Rollouts

What is promised: [environments](../environments.md), [batches](../batch.md). Repeat with \`npm run prove -- rollouts\`; it needs a sandbox (\`scripts/system-deps\`).`;

/** A section of the page takes the place of the one of its name. */
function writeSection(name: ProofName, lines: readonly string[], faults: readonly string[]): void {
  const before = existsSync(PAGE)
    ? readFileSync(PAGE, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const sections = new Map(before.map((text) => [/^## (.*)$/m.exec(text)?.[1] ?? '', text.trim()]));
  const machine = `${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const told = faults.slice(0, 20).map((fault) => `  - ${fault}`);
  sections.set(
    TITLES[name],
    [`## ${TITLES[name]}`, '', ...lines, `- faults: ${faults.length}`, ...told, '', `Run on ${machine}.`].join('\n'),
  );
  const known = Object.values(TITLES).flatMap((title) => sections.get(title) ?? []);
  const others = [...sections].flatMap(([title, text]) => (Object.values<string>(TITLES).includes(title) ? [] : [text]));
  writeFileSync(PAGE, `${[HEAD, ...known, ...others].join('\n\n')}\n`);
}
