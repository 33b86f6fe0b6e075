import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parseJson, readPath } from '../../src/base/json.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';

/** Harbor wants Python 3.12; `HERMES_TEST_HARBOR` names one that has the package. */
const python = [process.env['HERMES_TEST_HARBOR'], '.cache/python/bin/python', 'python3'].find((each) => {
  try {
    execFileSync(each ?? '', ['-c', 'import harbor.agents.installed.hermes'], { stdio: 'ignore' });
    return each !== undefined;
  } catch {
    return false;
  }
});

/** Writes the file the task asks for, then answers; in a session that goes on it only answers. */
const answer = ({ text }: RecordedRequest): Reply => {
  if (text.includes('what did you write')) return { text: 'I wrote hello.' };
  if (text.includes('"role":"tool"')) return { text: 'Done.' };
  return { calls: [{ name: 'terminal', arguments: { command: 'printf hello > result.txt' } }] };
};

/** The settings that the agent of Harbor 0.24 writes. */
const CONFIG = `agent:
  max_turns: 20
checkpoints:
  enabled: false
delegation:
  max_iterations: 50
memory:
  memory_enabled: false
  user_profile_enabled: false
model: test-model
provider: auto
terminal:
  backend: local
  timeout: 180
toolsets:
- hermes-cli
`;

interface Container extends Disposable {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}
/** A folder that stands for a container in which `hermes` is installed. */
function openContainer(url: string): Container {
  const root = mkdtempSync(join(tmpdir(), 'hermes-harbor-'));
  for (const folder of ['home/.local/bin', 'work', 'logs/agent', 'hermes']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(resolve('bin/hermes'), join(root, 'home/.local/bin/hermes'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${url}/v1` };
  return { root, env, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

test('the commands of the agent that Harbor ships run a task, and its trajectory can be read', async () => {
  await using model = await startWireServer({ answer });
  using container = openContainer(model.url);
  const { root } = container;
  const bash = async (command: string, more: object = {}): Promise<string> => {
    const env = { ...container.env, HERMES_HOME: join(root, 'hermes'), TERMINAL_ENV: 'local', ...more };
    const { stdout } = await promisify(execFile)('bash', ['-c', `set -o pipefail; export PATH="$HOME/.local/bin:$PATH" && ${command}`], {
      cwd: join(root, 'work'),
      env,
    });
    return stdout;
  };
  const session = join(root, 'logs/agent/hermes-session.jsonl');
  const exported = `(hermes sessions export ${session} --source oneshot 2>/dev/null; [ -s ${session} ] || hermes sessions export ${session} --source cli 2>/dev/null) && head -n 1 ${session} || true`;
  const ask = (words: string) =>
    `hermes --yolo chat ${words}-q "$HARBOR_INSTRUCTION" -Q --model test-model --provider openai-api --toolsets terminal,file 2>&1 | tee ${join(root, 'logs/agent/hermes.txt')}`;
  assert.match(await bash('hermes version'), /^hermes /);
  await bash(`cat > ${join(root, 'hermes/config.yaml')} << 'EOF'\n${CONFIG}EOF`);
  assert.match(await bash(ask(''), { HARBOR_INSTRUCTION: 'Write hello into result.txt.' }), /Done\.\n$/);
  assert.equal(readFileSync(join(root, 'work/result.txt'), 'utf8'), 'hello');
  const line = parseJson((await bash(exported)).split('\n')[0] ?? '');
  const id = readPath(line, 'id');
  assert.ok(typeof id === 'string');
  const messages = readPath(line, 'messages');
  assert.ok(Array.isArray(messages));
  assert.deepEqual(
    messages.map((message) => readPath(message, 'role')),
    ['user', 'assistant', 'tool', 'assistant'],
  );
  assert.equal(readPath(messages, 1, 'tool_calls', 0, 'function', 'arguments'), '{"command":"printf hello > result.txt"}');
  assert.ok(Number(readPath(messages, 3, 'usage', 'prompt_tokens')) > 0);
  // A trial that goes on resumes by the id, or by `latest` where it knows none, and exports over the file it made.
  for (const resumed of [id, 'latest'])
    assert.match(await bash(ask(`--resume ${resumed} `), { HARBOR_INSTRUCTION: 'So what did you write?' }), /I wrote hello\.\n$/);
  const again = (await bash(`hermes sessions export ${session} --source oneshot && cat ${session}`)).trim().split('\n');
  assert.equal(again.length, 1, 'it went on in the same session');
  const said = readPath(parseJson(again[0] ?? ''), 'messages');
  assert.equal(Array.isArray(said) && said.length, 8);
});

/** Runs Harbor's own class, as it is. Its paths are those of a container: they lead into the folder that stands for it. */
const DRIVER = `
import asyncio, json, logging, os, pathlib, subprocess, sys
from harbor.agents.installed.hermes import Hermes
from harbor.environments.base import ExecResult
from harbor.models.agent.context import AgentContext
root = pathlib.Path(sys.argv[1])
class Environment:
    default_user = None
    async def exec(self, command, user=None, env=None, cwd=None, timeout_sec=None):
        here = lambda words: words.replace('/tmp/hermes', str(root / 'hermes')).replace('/logs/', str(root / 'logs') + '/')
        given = {name: here(value) for name, value in (env or {}).items()}
        done = subprocess.run(['bash', '-c', here(command)], cwd=root / 'work', env={**os.environ, **given}, capture_output=True, text=True)
        return ExecResult(stdout=done.stdout, stderr=done.stderr, return_code=done.returncode)
async def main():
    agent = Hermes(logs_dir=root / 'logs' / 'agent', model_name='openai/test-model')
    context = AgentContext()
    await agent.run('Write hello into result.txt.', Environment(), context)
    agent.populate_context_post_run(context)
    steps = json.loads((root / 'logs' / 'agent' / 'trajectory.json').read_text())['steps']
    print(json.dumps({'sources': [step['source'] for step in steps], 'prompt': context.n_input_tokens, 'completion': context.n_output_tokens}))
asyncio.run(main())
`;

test(
  'the agent that Harbor ships, unmodified, runs a task with us',
  {
    skip:
      python === undefined && 'no Python with harbor (pip install harbor, on Python 3.12 or later; HERMES_TEST_HARBOR names that Python)',
  },
  async () => {
    await using model = await startWireServer({ answer });
    using container = openContainer(model.url);
    const { stdout } = await promisify(execFile)(python ?? '', ['-c', DRIVER, container.root], { env: container.env });
    assert.equal(readFileSync(join(container.root, 'work/result.txt'), 'utf8'), 'hello');
    const told = parseJson(stdout.trim().split('\n').at(-1) ?? '');
    assert.deepEqual(readPath(told, 'sources'), ['user', 'agent', 'agent']);
    assert.ok(Number(readPath(told, 'prompt')) > 0 && Number(readPath(told, 'completion')) > 0);
  },
);
