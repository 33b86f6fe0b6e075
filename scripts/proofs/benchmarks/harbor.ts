import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, readPath } from '../../../src/base/json.ts';
import { readOwnTasks } from '../../../src/faces/environments/library/hermes-tasks.ts';
import { installPeer, PEERS } from './peers.ts';
import { tableOf, type ProofSection } from './section.ts';
import { taskFolder } from './task-set.ts';

/** Podman where limits cannot be raised and control groups are of the old kind. */
const CONTAINERS = `[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
`;

/** The official runner over our tasks: its linter, then its oracle and its nop agent in podman. */
export async function proveHarbor(): Promise<ProofSection> {
  const title = 'Harbor';
  // Its newest requirement of certifi may be a day ahead of a mirror; any certifi will do.
  const needs =
    'pydantic shortuuid typer requests pyyaml rich toml tenacity python-dotenv litellm jinja2 dirhash packaging semver fastapi uvicorn pathspec supabase httpx filelock platformdirs pyjwt jsonschema certifi podman-compose';
  const peer = installPeer('harbor', [['--no-deps', 'harbor==0.25.0'], needs.split(' ')]);
  if (peer === undefined) return { title, lines: [], faults: ['harbor 0.25.0 could not be installed: it needs Python 3.12 or newer'] };
  const tasks = await readOwnTasks(taskFolder(), 'all').catch(() => []);
  const work = join(PEERS, 'harbor-run');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'containers.conf'), CONTAINERS);
  const env = {
    ...process.env,
    PATH: `${join(peer, 'bin')}:${process.env['PATH'] ?? ''}`,
    CONTAINERS_CONF: join(work, 'containers.conf'),
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  };
  spawnSync('bash', [join(import.meta.dirname, 'base-image.sh'), 'podman'], { env, stdio: 'inherit' });
  const copies = tasks.map(({ id, tests }) => {
    const copy = join(work, 'tasks', id);
    cpSync(join(tests, '..'), copy, { recursive: true });
    // Its podman environment knows no way to take the network away, and refuses tasks that want that.
    writeFileSync(
      join(copy, 'task.toml'),
      readFileSync(join(copy, 'task.toml'), 'utf8').replace('allow_internet = false', 'allow_internet = true'),
    );
    return copy;
  });
  const findings = lint(join(peer, 'bin/harbor'), copies, env);
  const rows: (readonly (string | number)[])[] = [['agent of Harbor', 'tasks', 'reward 1', 'reward 0', 'exceptions']];
  const faults = findings.filter((rule) => !EXPECTED_RULES.has(rule)).map((rule) => `lint: ${rule}`);
  for (const [agent, wanted] of [
    ['oracle', 1],
    ['nop', 0],
  ] as const) {
    const out = join(work, agent);
    spawnSync(join(peer, 'bin/harbor'), ['run', '-p', join(work, 'tasks'), '-a', agent, '-e', 'podman', '-o', out, '-n', '2', '-q', '-y'], {
      env,
      stdio: 'inherit',
    });
    const trials = readTrials(out);
    faults.push(...trials.filter(({ reward }) => reward !== wanted).map(({ task, reward }) => `${agent} ${task}: ${reward}`));
    if (trials.length !== tasks.length) faults.push(`${agent}: ${trials.length} of ${tasks.length} tasks were run`);
    rows.push([
      agent,
      trials.length,
      trials.filter(({ reward }) => reward === 1).length,
      trials.filter(({ reward }) => reward === 0).length,
      trials.filter(({ isBroken }) => isBroken).length,
    ]);
  }
  return { title, lines: [WORDS, '', ...tableOf(rows), '', `Its linter: ${count(findings)}.`], faults };
}

const WORDS =
  'harbor 0.25.0 (PyPI) runs the same tasks in podman, in an image made of this machine’s files (`base-image.sh`), and verifies them in place. Its podman environment refuses `allow_internet = false`, so the copies it is given allow it; the containers reach nothing all the same.';

/** It wants a verifier of its own for each task, which is what our runner does, and does not know our section. */
const EXPECTED_RULES: ReadonlySet<string> = new Set(['shared-verifier', 'unknown-config-field']);

function lint(harbor: string, folders: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const { stdout } = spawnSync(harbor, ['lint', '--json', ...folders], { env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const found = parseJson(stdout);
  return Array.isArray(found) ? found.map((row) => wordOf(readPath(row, 'rule'))) : ['no answer'];
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '?');

const count = (words: readonly string[]): string =>
  [...Map.groupBy(words, (word) => word)].map(([word, rows]) => `\`${word}\` ${rows.length}`).join(', ') || 'nothing';

/** Each trial of a job leaves a result.json two folders down. */
export const readTrials = (out: string) =>
  globSync(join(out, '*/*/result.json')).map((path) => {
    const result = parseJson(readFileSync(path, 'utf8'));
    return {
      task: wordOf(readPath(result, 'task_name')),
      reward: Number(readPath(result, 'verifier_result', 'rewards', 'reward') ?? NaN),
      isBroken: readPath(result, 'exception_info') !== null,
    };
  });
