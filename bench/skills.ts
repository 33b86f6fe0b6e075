/**
 * The skill catalog with 200 skills beside a bare walk over the same files, in turns.
 *   node bench/skills.ts [--skills N] [--runs N] [--json]
 * cold: fresh process, no snapshot; floor: list, stat and read every file. Heads are plain, as nearly all are.
 * mixed: the same, and every tenth head has a folded description, so that yaml is loaded inside the measured time.
 * warm: fresh process with a snapshot; floor: list and stat every file. Ours is the time until the section of the prompt is there.
 * All are measured in a bundle as `hermes` is one, with Node's compile cache, and after its own modules are loaded.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import type { Figure } from './experiments.ts';
import { FOLDED, PLAIN, writeSkills } from './skill-files.ts';
import { rowOf, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    skills: { type: 'string', default: '200' },
    runs: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const MEASURES = ['cold-floor', 'cold', 'mixed-floor', 'mixed', 'warm-floor', 'warm', 'again-floor', 'again'];
const MIXED = 'mixed';

async function main(skills: number, runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-skills-'));
  try {
    const program = await build(join(folder, 'program'));
    writeSkills(join(folder, 'skills'), skills, PLAIN);
    writeSkills(join(folder, MIXED, 'skills'), skills, (n) => (n % 10 === 0 ? FOLDED : PLAIN)(n));
    // One round is not counted: it fills the compile cache and the system's own.
    const [, ...rounds] = Array.from({ length: runs + 1 }, () => new Map(MEASURES.map((name) => [name, run(program, name, folder)])));
    const rows = figuresOf(skills, (name) => rounds.map((round) => round.get(name) ?? Number.NaN)).map(rowOf);
    console.log(values.json ? JSON.stringify(rows, null, 2) : tableOf(rows, []));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const figuresOf = (skills: number, of: (name: string) => readonly number[]): readonly Figure[] => [
  { name: `${skills} skills, cold, fresh process`, unit: 'ms', goal: { most: 120 }, floor: of('cold-floor'), ours: of('cold') },
  { name: `${skills} skills, cold, a tenth not plain`, unit: 'ms', goal: { most: 120 }, floor: of('mixed-floor'), ours: of('mixed') },
  { name: `${skills} skills, snapshot, fresh process`, unit: 'ms', goal: { most: 5 }, floor: of('warm-floor'), ours: of('warm') },
  { name: `${skills} skills, same process`, unit: 'ms', goal: { most: 5 }, floor: of('again-floor'), ours: of('again') },
];

async function build(dir: string): Promise<string> {
  const bundle = await rolldown({
    input: { program: join(import.meta.dirname, 'skills-measured.ts') },
    platform: 'node',
    logLevel: 'warn',
  });
  await bundle.write({ dir, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' });
  await bundle.close();
  return join(dir, 'program.cjs');
}

const run = (program: string, measure: string, folder: string): number =>
  Number(
    execFileSync(process.execPath, [program, measure.replace(MIXED, 'cold'), measure.startsWith(MIXED) ? join(folder, MIXED) : folder], {
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    }),
  );

await main(Number(values.skills), Number(values.runs));
