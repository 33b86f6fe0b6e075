import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { toServer } from './hermes.ts';
import { stage } from './stage.ts';

test('a cheap model that the settings name gives a session its title after the first answer; without one the first words stay', async () => {
  for (const [named, title] of [
    [true, 'Weekly changes'],
    [false, 'What changed here this week, in short?'],
  ] as const) {
    const auxiliary = { title_generation: { model: 'small' } };
    const { run } = stage(named ? { auxiliary } : {});
    await using server = await startWireServer({
      answer: ({ text }) => ({ text: (JSON.parse(text) as { model: string }).model === 'small' ? '"Weekly changes"' : 'Not much.' }),
    });
    const { code, out } = await run(['chat', '-q', 'What changed here this week, in short?', ...toServer(server.url)]);
    assert.deepEqual([code, out, server.requests.length], [0, 'Not much.\n', named ? 2 : 1]);
    const listed = JSON.parse((await run(['sessions', 'list', '--json'])).out) as readonly { readonly title: string }[];
    assert.deepEqual(
      listed.map((session) => session.title),
      [title],
    );
  }
});
