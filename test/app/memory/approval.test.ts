import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { UserQuestion } from '../../../src/contracts/ports.ts';
import { scriptedProvider } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';
import { openScene, tell, until } from './scene.ts';

const SAVES = { calls: [{ id: 'c1', name: 'memory', input: { target: 'user', action: 'add', content: 'Likes tea.' } }] };
const provider = { name: 'notes', available: () => true } as const;

test('with memory.write_approval a change of memory waits for the owner: a yes saves it, a no does not, and silence leaves a question', async () => {
  for (const answer of ['y', 'n', undefined]) {
    await using scene = await openScene(provider, { config: '  write_approval: true\n' });
    const file = join(scene.home.root, 'memories', 'USER.md');
    const asked: string[] = [];
    const ports = answer === undefined ? {} : { clarify: async (question: UserQuestion) => (asked.push(JSON.stringify(question)), answer) };
    const model = scriptedProvider([SAVES, { text: 'done' }]);
    await using session = await scene.host.openSession({ provider: scriptedRoute(model), mcp: false, cwd: scene.home.root, ports });
    const events = await tell(session, 'please remember that I like tea');
    if (answer === undefined) assert.match(JSON.stringify(events), /To allow it once: hermes approvals allow /);
    else assert.match(asked.join('\n'), /add in user: Likes tea\./);
    assert.equal(existsSync(file) && readFileSync(file, 'utf8').includes('Likes tea.'), answer === 'y');
  }
});

test('with memory.nudge_interval the model is asked in a quiet moment, and the session ends as ever', async () => {
  await using scene = await openScene(provider, { config: '  nudge_interval: 1\n  flush_min_turns: 0\n' });
  await using session = await scene.open(({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('beside the conversation') ? SAVES : { text: 'ok' },
  );
  await tell(session, 'I like tea');
  await until(() => scene.notices.some((words) => words.includes('Memory was updated between two turns (1 change).')));
  assert.match(readFileSync(join(scene.home.root, 'memories', 'USER.md'), 'utf8'), /Likes tea\./);
  await tell(session, 'go on with it');
  assert.equal(await session.end('reset'), true);
});
