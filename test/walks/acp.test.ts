import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { ofKind, startClient, textOf } from '../acp/client.ts';
import { acpStage } from '../acp/stage.ts';
import { call } from './stage.ts';

test('an editor opens a session, hears the answer as it comes and sees what the agent does', async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'All done.' }) });
  model.script(
    { thinking: 'A file is wanted.', ...call('write_file', { path: 'note.txt', content: 'one\ntwo\n' }) },
    call('todo', { todos: [{ id: '1', content: 'Write the note', status: 'completed' }] }),
    call('terminal', { command: 'cat note.txt' }),
  );
  const stage = acpStage(model);
  await using client = await startClient(stage);
  const { sessionId, configOptions, modes } = await client.agent.request('session/new', { cwd: stage.cwd, mcpServers: [] });
  const { stopReason } = await client.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'write a note' }] });
  console.error(JSON.stringify({ configOptions, modes, stopReason, updates: client.updates }, undefined, 1));
  console.error(client.said());
  assert.equal(textOf(client.updates), 'All done.');
  assert.deepEqual(stage.problems(), []);
});
