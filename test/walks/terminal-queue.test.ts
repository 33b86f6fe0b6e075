import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { noPty } from './on-terminal.ts';
import { command, stage, userWords } from './stage.ts';
import { openTerminalUi, PAUSE_MS } from './terminal-ui.ts';

const [ENTER, ESC, UP] = ['\r', '\u001b', '\u001b[A'] as const;
const env = { OPENAI_API_KEY: 'sk-not-a-key-000000' };
const settingsFor = (url: string) => ({
  model: { base_url: `${url}/v1`, default: 'test-model', context_length: 128_000 },
  display: { busy_input_mode: 'queue' },
  terminal: { backend: 'local' },
});
const WORK = command('for i in 1 2 3 4 5 6 7 8 9; do echo tick $i; sleep 1; done');

test(
  'messages are answered in the order of the keys: typed while it loads, sent quickly, pasted without marks',
  { skip: noPty },
  async () => {
    await using server = await startWireServer({});
    const { home, cwd } = stage(settingsFor(server.url));
    const asked = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    server.script(...asked.map((word) => ({ text: `Answer to ${word}.` })));
    await using ui = await openTerminalUi({ home, cwd, env });
    for (const word of asked.slice(0, 3)) ui.type(`${word}${ENTER}`);
    await ui.until(/Answer to three\./);
    for (const word of asked.slice(3, 6)) ui.type(`${word}${ENTER}`);
    await ui.until(/Answer to six\./);
    ui.type(
      asked
        .slice(6)
        .map((word) => `${word}${ENTER}`)
        .join(''),
    );
    await ui.until(/Answer to nine\./);
    assert.deepEqual(userWords(server.requests.at(-1)), asked);
  },
);

test('Esc stops the turn and what waited is in the editor; Up takes back the last message that waits', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd } = stage(settingsFor(server.url));
  await using ui = await openTerminalUi({ home, cwd, env });
  await ui.until(/Ctrl\+D exits/);
  server.script(WORK);
  ui.type(`count${ENTER}`);
  await ui.until(/tick 1/);
  ui.type(`first wish${ENTER}`);
  await ui.until(/next: first wish/);
  ui.type(`second wish${ENTER}`);
  await ui.until(/next: second wish/);
  ui.type(UP);
  const taken = await ui.until(/❯ second wish/);
  assert.doesNotMatch(taken, /next: second wish/);
  // With words in the editor Esc stops nothing.
  ui.type(ESC);
  await pause(PAUSE_MS);
  ui.type(' and more');
  assert.doesNotMatch(await ui.until(/❯ second wish and more/), /■ Interrupted/);
  ui.type(ENTER);
  await ui.until(/next: second wish and more/);
  ui.type(ESC);
  await ui.until(/■ Interrupted\.[^]*❯ first wish\n\s*\n\s+second wish and more/);
  assert.equal(server.requests.length, 1, 'nothing went on');
  server.script({ text: 'Both wishes heard.' });
  ui.type(ENTER);
  await ui.until(/Both wishes heard\./);
  assert.deepEqual(userWords(server.requests.at(-1)), ['count', 'first wish\n\nsecond wish and more']);
});
