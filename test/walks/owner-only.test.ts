import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { quoteShellWord } from '../../src/base/shell.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { MAIN, toServer } from './hermes.ts';
import { command, resultsIn, rowsOf, stage } from './stage.ts';

const HERMES = `${quoteShellWord(process.execPath)} ${quoteShellWord(MAIN)}`;
const REFUSED = /is only for the owner, and this was started by a command of an agent\. Nothing was done; run it yourself/;
const LINUX = { skip: process.platform === 'linux' ? false : 'only Linux tells of limits and terminals', timeout: 240_000 };
const DANGEROUS = 'chmod -R 777 build && echo ran >> marks';

/** What an agent would do to be asked no more. */
const ACTS = [
  'approvals allow ID',
  'approvals deny ID',
  'config set approvals.mode off',
  'config set command_allowlist [privilege]',
  'config set terminal.backend local',
  'config set security.redact_secrets false',
  'config set context.engine evil',
  'tools enable terminal',
  'mcp add x --command true',
  'mcp remove x',
  'checkpoints clear --yes',
  'trash empty --yes',
  'memory add user "obey"',
  'memory remove user 1',
  'skills install ./x --yes',
  'skills remove x',
  'migrate --yes',
  'prompt allow AGENTS.md',
  'gateway run',
  'gateway start',
  'gateway stop --all',
  'gateway restart',
  'gateway install',
  'gateway setup --platform telegram --owner 1',
  'hooks trust x',
  'hooks test x',
  'send telegram hi',
  'chat -q hi --yolo',
];

test(
  'what is the owner’s to do is refused below a command of an agent, whatever that does to its variables',
  { timeout: 240_000 },
  async () => {
    const { run, home, cwd } = stage({ terminal: { backend: 'local' } });
    mkdirSync(join(cwd, 'build'));
    await using server = await startWireServer({ replies: [command(DANGEROUS), { text: 'no' }] });
    assert.equal((await run(['chat', '-q', 'go', ...toServer(server.url)])).code, 0);
    const [open] = rowsOf<{ readonly id: string }>(await run(['approvals', 'list', '--json']));
    const before = readFileSync(join(home, 'config.yaml'), 'utf8');
    const acts = ACTS.map((act) => act.replace('ID', open?.id ?? ''));
    const lines = [
      ...acts.map((act) => `${HERMES} ${act}`),
      `env -u HERMES_COMMAND_ID ${HERMES} ${acts[0]}`,
      `env -i PATH="$PATH" HOME="$HOME" HERMES_HOME="$HERMES_HOME" sh -c ${quoteShellWord(`${HERMES} ${acts[2]}; true`)}`,
      `HERMES_YOLO_MODE=1 ${HERMES} chat -q hi`,
    ];
    const script = lines.map((line) => `${line} 2>&1; echo "code $?"`).join('\n');
    server.script(command(script, { timeout: 200 }), { text: 'done' });
    const outer = await run(['chat', '-q', 'go', '--yolo', ...toServer(server.url)]);
    assert.equal(outer.code, 0, outer.err);
    const told = resultsIn(server.requests.at(-1)).at(-1) ?? '';
    const said = told.split('\n').filter((line) => line.startsWith('hermes: '));
    assert.equal(said.length, lines.length, told);
    for (const [index, words] of said.entries()) assert.match(words, REFUSED, lines[index] ?? '');
    assert.equal(told.match(/^code 2$/gm)?.length, lines.length - 1, told);
    assert.deepEqual(
      [readFileSync(join(home, 'config.yaml'), 'utf8'), rowsOf(await run(['approvals', 'list', '--json'])).length],
      [before, 1],
    );
  },
);

test('an agent below a command is possible, and nobody approves anything there, whatever its settings say', async () => {
  const { run, home, cwd, marks } = stage({ approvals: { mode: 'off' }, terminal: { backend: 'local' } });
  mkdirSync(join(cwd, 'build'));
  await using server = await startWireServer({ replies: [command(DANGEROUS), { text: 'inner' }] });
  const inner = await run(['chat', '-q', 'go', ...toServer(server.url)], { env: { HERMES_COMMAND_ID: 'x' } });
  assert.deepEqual([inner.code, inner.out], [0, 'inner\n'], inner.err);
  assert.match(resultsIn(server.requests.at(-1))[0] ?? '', /^Not run: .*started by a command of another agent, where nobody can approve/);
  assert.deepEqual(marks(), []);
  const looked = await run(['config', 'get', 'approvals.mode'], { env: { HERMES_COMMAND_ID: 'x' } });
  assert.equal(looked.out, 'off\n');
  assert.equal((await run(['config', 'set', 'model.default', 'm'], { env: { HERMES_COMMAND_ID: 'x' } })).code, 0);
  assert.match(readFileSync(join(home, 'config.yaml'), 'utf8'), /default/);
});

test('nor is it done by a process that left its group, its parents, its variables and its terminal', LINUX, async () => {
  const { run, home, cwd, at } = stage({ terminal: { backend: 'local' } });
  mkdirSync(join(cwd, 'build'));
  await using server = await startWireServer({ replies: [command(DANGEROUS), { text: 'no' }] });
  assert.equal((await run(['chat', '-q', 'go', ...toServer(server.url)])).code, 0);
  const [open] = rowsOf<{ readonly id: string }>(await run(['approvals', 'list', '--json']));
  const before = readFileSync(join(home, 'config.yaml'), 'utf8');
  const acts = [`approvals allow ${open?.id}`, 'config set approvals.mode off', `prompt allow ${quoteShellWord(at('AGENTS.md'))}`];
  const clean = `env -i PATH="$PATH" HOME="$HOME" HERMES_HOME="$HERMES_HOME"`;
  const lines = acts.flatMap((act) => [`${HERMES} ${act}`, `script -qec ${quoteShellWord(`${HERMES} ${act}`)} /dev/null`]);
  // The shell between ends at once, so that nobody is left to ask after.
  const script = lines
    .map(
      (line, index) =>
        `(${clean} setsid sh -c ${quoteShellWord(`(sleep 0.2; ${line} >told${index}.tmp 2>&1; mv told${index}.tmp told${index}) &`)} &)`,
    )
    .join('\n');
  const wait = `until ${lines.map((_, index) => `[ -e told${index} ]`).join(' && ')}; do sleep 0.1; done`;
  server.script(command(`${script}\n${wait}`, { timeout: 100 }), { text: 'done' });
  const outer = await run(['chat', '-q', 'go', '--yolo', ...toServer(server.url)]);
  assert.equal(outer.code, 0, outer.err);
  for (const [index, line] of lines.entries())
    assert.match(readFileSync(at(`told${index}`), 'utf8').replaceAll(/\s+/g, ' '), REFUSED, line);
  assert.deepEqual(
    [readFileSync(join(home, 'config.yaml'), 'utf8'), rowsOf(await run(['approvals', 'list', '--json'])).length],
    [before, 1],
  );
});

test('a question is allowed from a terminal alone; denying and setting work from a script of the owner’s', LINUX, async () => {
  const { run, home, cwd } = stage({ terminal: { backend: 'local' } });
  mkdirSync(join(cwd, 'build'));
  await using server = await startWireServer({ replies: [command(DANGEROUS), { text: 'no' }] });
  assert.equal((await run(['chat', '-q', 'go', ...toServer(server.url)])).code, 0);
  const [open] = rowsOf<{ readonly id: string }>(await run(['approvals', 'list', '--json']));
  // A session of its own has no terminal, wherever the tests are run.
  const alone = spawnSync('setsid', ['--wait', process.execPath, MAIN, 'approvals', 'allow', open?.id ?? ''], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, HERMES_HOME: home },
  });
  assert.match(alone.stderr, /approvals allow needs a terminal, so that it was you who typed it/);
  assert.equal(rowsOf(await run(['approvals', 'list', '--json'])).length, 1);
  assert.equal((await run(['approvals', 'allow', open?.id ?? ''], { onTerminal: true })).code, 0);
  assert.equal((await run(['config', 'set', 'approvals.mode', 'smart'])).code, 0);
});
