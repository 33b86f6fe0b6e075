import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { at, stringAt } from '../../src/base/json.ts';
import { startWireServer, type RecordedRequest } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';

const noPty = await import('@lydell/node-pty').then(
  () => false as const,
  () => '@lydell/node-pty is not installed for this machine',
);
const toolNames = (request: RecordedRequest | undefined): (string | undefined)[] => {
  const tools = at(request?.body, 'tools');
  return Array.isArray(tools) ? tools.map((tool) => stringAt(tool, 'function', 'name')) : [];
};
const asking = { calls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: [{ label: 'red' }, 'blue'] } }] };

/** Runs the program on a terminal and types once the question is there. */
async function onTerminal(args: readonly string[], home: string, typed: string) {
  const { spawn } = await import('@lydell/node-pty');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HERMES_HOME: home, TERM: 'xterm' };
  const terminal = spawn(process.execPath, [resolve('src/main.ts'), ...args], { cwd: home, env, cols: 100, rows: 30 });
  const code = Promise.withResolvers<number>();
  let shown = '';
  terminal.onData((data) => {
    const asked = shown.includes('> ');
    shown += data;
    if (!asked && shown.includes('> ')) terminal.write(typed);
  });
  terminal.onExit(({ exitCode }) => code.resolve(exitCode));
  return { code: await code.promise, shown };
}

test('a question is asked in a terminal and its answer reaches the model', { skip: noPty, timeout: 30_000 }, async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'so be it' }) });
  server.script(asking);
  const { code, shown } = await onTerminal(['chat', '-q', 'paint', ...toServer(server.url)], tempHome(), '2\r');
  assert.equal(code, 0, shown);
  assert.match(shown, /\? Which colour\?\r\n {2}1\) red\r\n {2}2\) blue\r\n/);
  assert.ok(toolNames(server.requests[0]).includes('clarify'));
  assert.match(JSON.stringify(at(server.requests[1]?.body, 'messages')), /"role":"tool".*blue/);
});

test('Ctrl-C at a question ends the turn', { skip: noPty, timeout: 30_000 }, async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'so be it' }) });
  server.script(asking);
  const { code, shown } = await onTerminal(['chat', '-q', 'paint', ...toServer(server.url)], tempHome(), '\u0003');
  assert.equal(code, 130, shown);
});

test('without a terminal there is nobody to ask, and no such tool', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'fine' }) });
  const ran = await hermes(['chat', '-q', 'paint', ...toServer(server.url)], { home: tempHome() });
  assert.equal(ran.code, 0, ran.err);
  assert.ok(toolNames(server.requests[0]).includes('terminal') && !toolNames(server.requests[0]).includes('clarify'));
});
