/** The prefix rule in full size: `node scripts/prove-prefix.ts [sessions] [sessions with real restarts]`. Writes docs/proofs/prefix.md. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { jobsFor, perform, type Done, type Job } from '../test/prefix/jobs.ts';
import { pageOf } from '../test/prefix/page.ts';

/** Runs of each mutation. */
const MUTATION_SEEDS = 25;
const WORKERS = Math.min(2, availableParallelism());

/** `sessions` in all, of which `restarts` go through the real program, each turn a process. Says whether everything held. */
export async function provePrefix(sessions: number, restarts: number): Promise<boolean> {
  const started = performance.now();
  const jobs = jobsFor(sessions - restarts, restarts, MUTATION_SEEDS);
  console.log(`the prefix rule: ${sessions} sessions, ${restarts} of them with real restarts, ${jobs.length} jobs …`);
  const done = await inWorkers(jobs);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/prefix.md', pageOf(done, machine(sessions, restarts, minutes)));
  const broken = done.filter(({ breaches }) => breaches.length > 0).length;
  console.log(`${done.length} jobs in ${minutes} min, ${broken} of them with breaches; docs/proofs/prefix.md says more`);
  return broken === 0;
}

function machine(sessions: number, restarts: number, minutes: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return `Run on ${day}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${minutes} minutes. Seeds from 1 on: \`HERMES_SEED=N HERMES_PROPERTY_RUNS=1 node --test test/prefix/prefix.test.ts\` (or \`restarts.test.ts\`) runs one session again. Repeat with \`node scripts/prove-prefix.ts ${sessions} ${restarts}\`.`;
}

/** Hands the jobs out one by one, so that no worker waits for a slow one. */
async function inWorkers(jobs: readonly Job[]): Promise<Done[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-prefix-'));
  const left = jobs.toReversed();
  const done: Done[] = [];
  const heard = (one: Done) => {
    done.push(one);
    for (const breach of one.breaches) console.log(`  ${one.job.kind}: ${breach.slice(0, 400)}`);
    if (done.length % 250 === 0) console.log(`  ${done.length}/${jobs.length}`);
  };
  try {
    await Promise.all(Array.from({ length: WORKERS }, () => worker(folder, () => left.pop(), heard)));
    return done;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function worker(folder: string, next: () => Job | undefined, heard: (done: Done) => void): Promise<void> {
  const child = fork(import.meta.filename, ['--worker', folder]);
  const give = () => giveTo(child, next());
  return new Promise((resolve, reject) => {
    child.on('message', (done: Done) => (heard(done), give()));
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    give();
  });
}
function giveTo(child: ChildProcess, job: Job | undefined): void {
  if (job === undefined) child.disconnect();
  else child.send(job);
}

/** Does what it is given until the other side hangs up. */
function serve(folder: string): void {
  process.on('message', (job: Job) => void perform(job, folder).then((done) => process.send?.(done)));
}

if (import.meta.main) {
  const [first, second] = process.argv.slice(2);
  if (first === '--worker') serve(second ?? tmpdir());
  else process.exitCode = (await provePrefix(Number(first ?? 10_000), Number(second ?? 200))) ? 0 : 1;
}
