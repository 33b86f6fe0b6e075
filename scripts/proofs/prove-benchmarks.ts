/**
 * The benchmark environments in full size. Writes docs/proofs/benchmarks.md:
 *   npm run prove -- benchmarks
 *   HERMES_BENCHMARKS=tasks,harbor npm run prove -- benchmarks    only these chapters; the others stay
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { proveHarbor } from './benchmarks/harbor.ts';
import { proveHumanEval } from './benchmarks/human-eval.ts';
import type { ProofSection } from './benchmarks/section.ts';
import { proveTaskSet } from './benchmarks/task-set.ts';
import { proveYcBench } from './benchmarks/yc-bench.ts';

const PAGE = 'docs/proofs/benchmarks.md';
const PARTS: Readonly<Record<string, () => Promise<ProofSection>>> = {
  'human-eval': proveHumanEval,
  'yc-bench': () => proveYcBench(Number(process.env['HERMES_YC_SEEDS'] ?? 3)),
  tasks: () => proveTaskSet(Number(process.env['HERMES_CHEATS_PER_TASK'] ?? 11)),
  harbor: proveHarbor,
};
const HEAD = `# Benchmarks

What the benchmark environments (\`docs/environments-benchmarks.md\`) are worth. Models are scripted, everything else is real: tools, sandbox, judge, packages. Repeat with \`npm run prove -- benchmarks\`; Python packages are installed below \`.cache/benchmarks\`.`;

export async function proveBenchmarks(): Promise<boolean> {
  const wanted = (process.env['HERMES_BENCHMARKS'] ?? Object.keys(PARTS).join(',')).split(',');
  let holds = true;
  for (const [name, prove] of Object.entries(PARTS)) {
    if (!wanted.includes(name)) continue;
    const section = await prove();
    console.log(name, section.faults);
    holds &&= section.faults.length === 0;
    writeSection(section);
  }
  return holds;
}

/** Puts a chapter in the place of the one with its title. */
function writeSection({ title, lines, faults }: ProofSection): void {
  const machine = `Run on ${new Date().toISOString().slice(0, 16)}Z, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB.`;
  const own = [`## ${title}`, '', ...lines, '', `- faults: ${faults.length}`, ...faults.map((fault) => `  - ${fault}`), '', machine].join(
    '\n',
  );
  const [, ...before] = existsSync(PAGE) ? readFileSync(PAGE, 'utf8').split(/\n(?=## )/) : [''];
  const others = before.map((chapter) => chapter.trimEnd());
  const at = others.findIndex((chapter) => chapter.startsWith(`## ${title}\n`));
  const chapters = at < 0 ? [...others, own] : others.with(at, own);
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync(PAGE, `${[HEAD, ...chapters].join('\n\n')}\n`);
}
