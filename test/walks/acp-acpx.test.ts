import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { acpStage, type AcpStage } from '../acp/stage.ts';
import { ODD_SERVER } from '../parts/mcp/odd-server.ts';
import { NEEDS_SDK } from '../parts/mcp/setup.ts';
import { call, command, resultsIn, rowsOf } from './stage.ts';

const ACPX = resolve('node_modules/acpx/dist/cli.js');

/** acpx, a client that nobody here wrote, with our agent behind the recorder. */
const acpx = (stage: AcpStage, ...args: readonly string[]) =>
  new Promise<{ readonly code: number | null; readonly out: string }>((done) => {
    const agent = [stage.command, ...stage.args].join(' ');
    const child = spawn(process.execPath, [ACPX, '--agent', agent, '--cwd', stage.cwd, ...args], {
      env: { ...stage.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.once('close', (code) => done({ code, out }));
  });

const methods = (stage: AcpStage, from: 'client' | 'agent'): readonly string[] => [
  ...new Set(stage.sent(from).flatMap(({ method }) => method ?? [])),
];

test('acpx with files and terminals: everything it lends is used, and every message holds by the schema', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'All done.' }) });
  const stage = acpStage(model);
  mkdirSync(stage.at('build'));
  writeFileSync(stage.at('a.txt'), 'hello\n');
  model.script(
    call('read_file', { path: 'a.txt' }),
    call('write_file', { path: 'a.txt', content: 'bye\n' }),
    command('git branch -D old; echo ran >> marks'),
  );
  const { code, out } = await acpx(stage, '--approve-all', 'exec', 'do it');
  assert.equal(code, 0, out);
  assert.match(out, /\[tool\] Read a\.txt[^]*All done\.[^]*\[done\] end_turn/);
  assert.deepEqual([stage.text('a.txt'), stage.marks()], ['bye\n', ['ran']]);
  const used = methods(stage, 'agent');
  for (const method of ['fs/read_text_file', 'fs/write_text_file', 'session/request_permission', 'terminal/create', 'terminal/release'])
    assert.ok(used.includes(method), method);

  // A session it keeps: the agent stays until its client closes it.
  const made = await acpx(stage, 'sessions', 'new');
  assert.equal(made.code, 0, made.out);
  const id = /\d{8}_\d{6}_[0-9a-f]{6}/.exec(made.out)?.[0] ?? '';
  const told = await acpx(stage, '--ttl', '20', 'prompt', 'one more');
  assert.match(told.out, /All done\./);
  const closed = await acpx(stage, 'sessions', 'close');
  assert.equal(closed.code, 0, closed.out);
  assert.deepEqual(
    stage.sent('client').flatMap(({ method, params }) => (method === 'session/close' ? [params?.['sessionId']] : [])),
    [id],
  );
  const ended = rowsOf<{ readonly id: string; readonly end_reason?: string }>(await stage.run(['sessions', 'list', '--json']));
  assert.equal(ended.find((each) => each.id === id)?.end_reason, 'exit');
  assert.deepEqual(stage.problems(), []);
});

test('acpx without files and terminals, saying no: nothing is asked of it that it does not have', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'I could not.' }) });
  const stage = acpStage(model);
  mkdirSync(stage.at('build'));
  model.script(command('echo here'), command('git branch -D old; echo ran >> marks'));
  const { code, out } = await acpx(stage, '--no-fs', '--no-terminal', '--deny-all', 'exec', 'do it');
  assert.match(out, /I could not\./);
  assert.ok(code === 0 || code === 5, `${code}\n${out}`);
  const results = resultsIn(model.requests.at(-1));
  assert.match(results[0] ?? '', /here/);
  assert.match(results[1] ?? '', /^Not run/);
  assert.deepEqual(stage.marks(), []);
  assert.deepEqual(methods(stage, 'agent').toSorted(), ['session/request_permission', 'session/update']);
  assert.equal(rowsOf(await stage.run(['sessions', 'list', '--json'])).length, 1);
  assert.deepEqual(stage.problems(), []);
});

test('acpx chooses a mode and a model, hands over a server, cancels, and lists what there is', NEEDS_SDK, async () => {
  await using model = await startWireServer({
    models: ['test-model', 'other-model'],
    answer: () => ({ text: 'word '.repeat(2_000), paceMs: 20 }),
  });
  const stage = acpStage(model, { tools: { tool_search: { enabled: 'off' } } });
  mkdirSync(stage.at('build'));
  const servers = join(stage.home, 'servers.json');
  const theirs = { name: 'theirs', command: process.execPath, args: [resolve(ODD_SERVER), 'plain'], env: [] };
  writeFileSync(servers, JSON.stringify({ mcpServers: [theirs] }));
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, out } = await acpx(stage, '--mcp-config', servers, '--ttl', '30', ...args);
    assert.equal(code, 0, `${args.join(' ')}: ${out}`);
    return out;
  };
  const id = /\d{8}_\d{6}_[0-9a-f]{6}/.exec(await run('sessions', 'new'))?.[0] ?? '';
  // The first prompt starts an agent that stays; a mode is chosen for as long as a session is open.
  model.script({ text: 'Hello.' });
  assert.match(await run('prompt', 'hi'), /Hello\./);
  await run('set-mode', 'deny');
  await run('set', 'model', 'custom:other-model');
  model.script(command('git branch -D old; echo ran >> marks'), call('mcp__theirs__echo', { text: 'from outside' }), { text: 'Done.' });
  assert.match(await run('prompt', 'do it'), /Done\./);
  const answered = model.requests.filter(({ protocol }) => protocol === 'openai-chat').slice(1);
  assert.deepEqual(
    [...answered.map(({ body }) => (body as { readonly model: string }).model), stage.marks()],
    ['other-model', 'other-model', 'other-model', []],
  );
  const [denied = '', echoed = ''] = resultsIn(answered.at(-1));
  assert.match(denied, /^Not run/);
  assert.match(echoed, /from outside/);
  assert.ok(!methods(stage, 'agent').includes('session/request_permission'), 'nobody is asked in the mode Deny');

  const talk = run('prompt', 'talk');
  const asked = model.requests.length;
  while (model.requests.length === asked) await sleep(20);
  await run('cancel');
  assert.match(await talk, /\[done\] cancelled/);
  assert.match(await run('sessions'), new RegExp(id));
  await run('sessions', 'close');
  assert.deepEqual(stage.problems(), []);
});
