import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { ofKind, startClient, type TestClient } from '../acp/client.ts';
import { createTestEditor } from '../acp/editor.ts';
import { acpStage, type AcpStage } from '../acp/stage.ts';
import { processesWith } from '../processes.ts';
import { call, command, resultsIn } from './stage.ts';

const FILES = { fs: { readTextFile: true, writeTextFile: true } };
const open = async (client: TestClient, { cwd }: AcpStage) =>
  (await client.agent.request('session/new', { cwd, mcpServers: [] })).sessionId;
const say = (client: TestClient, sessionId: string) =>
  client.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });

test('what is not saved yet is read from the editor, and what is written goes through it', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'done' }) });
  const stage = acpStage(model);
  const editor = createTestEditor();
  await using client = await startClient(stage, { capabilities: FILES, handle: editor.handle });
  const sessionId = await open(client, stage);
  const [note, windows, elsewhere] = [stage.at('note.txt'), stage.at('dos.txt'), `${stage.home}/other.txt`];
  writeFileSync(note, 'saved\n');
  writeFileSync(windows, 'a\r\nb\r\n');
  writeFileSync(elsewhere, 'elsewhere\n');
  const run = async (name: string, input: object) => {
    model.script(call(name, input));
    await say(client, sessionId);
    return resultsIn(model.requests.at(-1)).at(-1) ?? '';
  };
  const read = (path: string) => run('read_file', { path });
  assert.match(await read(note), /^1\|saved\n/);
  editor.unsaved.set(note, 'typed\n');
  assert.match(await read(note), /^1\|typed\n/, 'the file on disk has not changed, what the editor holds has');
  assert.match(await read(note), /^Unchanged/);
  editor.unsaved.set(note, 'typed again\n');
  await run('patch', { mode: 'replace', path: note, old_string: 'again', new_string: 'twice' });
  assert.deepEqual([stage.text('note.txt'), editor.unsaved.size], ['typed twice\n', 0]);
  // An editor that keeps line ends apart from the text changes nothing about them.
  editor.unsaved.set(windows, 'a\nb\n');
  assert.match(await read(windows), /^1\|a\n2\|b\n/);
  editor.unsaved.set(windows, 'a\nc\n');
  await run('patch', { mode: 'replace', path: windows, old_string: 'c', new_string: 'd' });
  assert.equal(stage.text('dos.txt'), 'a\r\nd\r\n');
  await run('write_file', { path: 'sub/new.txt', content: 'new\n' });
  assert.equal(stage.text('sub/new.txt'), 'new\n');
  assert.match(await read(elsewhere), /^1\|elsewhere/);
  assert.deepEqual(
    editor.asked.filter((each) => each.startsWith('write')),
    [note, windows, stage.at('sub/new.txt')].map((path) => `write ${path}`),
  );
  assert.ok(!editor.asked.some((each) => each.includes('other.txt')), 'files of other folders are none of the editor’s business');
  assert.deepEqual(stage.problems(), []);
});

test('an editor that only says it has written a file does not lose it', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'done' }) });
  const stage = acpStage(model);
  writeFileSync(stage.at('note.txt'), 'old\n');
  await using client = await startClient(stage, { capabilities: FILES, handle: createTestEditor({ saves: false }).handle });
  const sessionId = await open(client, stage);
  model.script(call('read_file', { path: 'note.txt' }), call('write_file', { path: 'note.txt', content: 'new\n' }));
  await say(client, sessionId);
  assert.equal(stage.text('note.txt'), 'new\n');
});

test('commands run in terminals of the editor: state is kept, a cancel kills, everything is released', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'done' }) });
  const stage = acpStage(model);
  mkdirSync(stage.at('sub'));
  const editor = createTestEditor();
  await using client = await startClient(stage, { capabilities: { terminal: true }, handle: editor.handle });
  const sessionId = await open(client, stage);
  model.script(
    command('cd sub && export COLOR=blue && echo "hello $PAGER"'),
    command('pwd; echo $COLOR; exit 3'),
    command('read -r line; echo "heard: $line"'),
  );
  await say(client, sessionId);
  const results = resultsIn(model.requests.at(-1));
  assert.match(results[0] ?? '', /hello cat/);
  assert.match(results[1] ?? '', new RegExp(`${stage.at('sub')}\nblue[^]*3`));
  assert.match(results[2] ?? '', /^heard:$/);
  const shown = ofKind(client.updates, 'tool_call_update');
  const callIds = ofKind(client.updates, 'tool_call').map(({ toolCallId }) => toolCallId);
  assert.deepEqual(
    callIds.map((id) =>
      shown.filter(({ toolCallId, status }) => toolCallId === id && status === 'completed').map(({ content }) => content),
    ),
    [1, 2, 3].map((number) => [[{ type: 'terminal', terminalId: `terminal-${number}` }]]),
  );
  assert.equal(editor.open(), 0);

  const before = stage.sent('agent').filter(({ method }) => method === 'terminal/wait_for_exit').length;
  model.script(command(`sleep 61.5`));
  const turn = say(client, sessionId);
  while (stage.sent('agent').filter(({ method }) => method === 'terminal/wait_for_exit').length === before) await sleep(20);
  // The turn ends although the editor does not say that the command has: a cancel waits for nobody.
  const speak = editor.keepSilent();
  await client.agent.notify('session/cancel', { sessionId });
  assert.deepEqual(await turn, { stopReason: 'cancelled' });
  speak();
  assert.ok(editor.killed.length > 0);
  while (editor.open() > 0) await sleep(20);
  // What is told to end takes a moment to be gone.
  for (let left = 50; left > 0 && processesWith('sleep 61.5').length > 0; left--) await sleep(20);
  assert.deepEqual(processesWith('sleep 61.5'), []);
  assert.deepEqual(stage.problems(), []);
});
