import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath, readStringAt } from '../../src/base/json.ts';
import { startWireServer, type RecordedRequest } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';
import { noPty, onTerminal } from './on-terminal.ts';

const toolNames = (request: RecordedRequest | undefined): (string | undefined)[] => {
  const tools = readPath(request?.body, 'tools');
  return Array.isArray(tools) ? tools.map((tool) => readStringAt(tool, 'function', 'name')) : [];
};
const asking = { calls: [{ name: 'clarify', arguments: { question: 'Which colour?', choices: [{ label: 'red' }, 'blue'] } }] };

test('a question is asked in a terminal and its answer reaches the model', { skip: noPty, timeout: 30_000 }, async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'so be it' }) });
  server.script(asking);
  const { code, shown } = await onTerminal(['chat', '-q', 'paint', ...toServer(server.url)], tempHome(), '2\r');
  assert.equal(code, 0, shown);
  assert.match(shown, /\? Which colour\?\r\n {2}1\) red\r\n {2}2\) blue\r\n/);
  assert.ok(toolNames(server.requests[0]).includes('clarify'));
  assert.match(JSON.stringify(readPath(server.requests[1]?.body, 'messages')), /"role":"tool".*blue/);
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
