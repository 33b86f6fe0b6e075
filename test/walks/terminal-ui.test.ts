import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { createTextBlock } from '../../src/contracts/message.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { noPty } from './on-terminal.ts';
import { command, stage, userWords } from './stage.ts';
import { openTerminalUi, PAUSE_MS } from './terminal-ui.ts';

const [ENTER, CTRL_C, CTRL_D, CTRL_O, CTRL_S, ESC] = ['\r', '\u0003', '\u0004', '\u000f', '\u0013', '\u001b'] as const;
const settingsFor = (url: string) => ({ model: { base_url: `${url}/v1`, default: 'test-model', context_length: 128_000 } });

test('a day at the terminal: type, paste, approve, refuse, interrupt, steer, undo, branch and leave', { skip: noPty }, async () => {
  await using server = await startWireServer({ models: ['test-model', 'other-model'] });
  const { home, cwd } = stage(settingsFor(server.url));
  await using ui = await openTerminalUi({ home, cwd, env: { OPENAI_API_KEY: 'sk-not-a-key-000000' } });
  const start = await ui.until(/Ctrl\+D exits/);
  assert.match(start, /Prompt caching: left to/);
  assert.match(start, /test-model/);

  server.script({ text: 'Hello from the **model**.' });
  ui.type(`hi there${ENTER}`);
  const answered = await ui.until(/Hello from the model\./);
  assert.match(answered, /❯ hi there/);
  assert.deepEqual(userWords(server.requests.at(-1)), ['hi there']);

  // A large paste is a chip, and is sent whole; its line breaks send nothing.
  const pasted = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n');
  ui.type(`\u001b[200~${pasted}\u001b[201~`);
  await ui.until(/\[paste #1 \+5000 lines\]/);
  server.script({ text: 'That was long.' });
  ui.type(ENTER);
  await ui.until(/That was long\./);
  assert.ok(userWords(server.requests.at(-1)).at(-1)?.includes('line 4999'));

  // A command that needs consent: what was typed ahead answers nothing, a key does.
  server.script(command('sudo true'), { text: 'Then not.' });
  ui.type(`restart it${ENTER}`);
  await ui.until(/sudo true[\s\S]*› No\s+Yes, this once/);
  await pause(PAUSE_MS);
  ui.type('\r');
  await ui.until(/Then not\./);

  // Ctrl-C stops a turn; a message that waits to join it is in the editor again.
  server.script(command('for i in 1 2 3 4 5 6 7 8 9; do echo tick $i; sleep 1; done'), { text: 'Stopped and went on.' });
  ui.type(`count${ENTER}`);
  await ui.until(/tick 2/);
  ui.type(`and hurry${ENTER}`);
  await ui.until(/joins: and hurry/);
  ui.type(CTRL_C);
  await ui.until(/■ Interrupted\.[^]*❯ and hurry/);
  ui.type(ENTER);
  await ui.until(/Stopped and went on\./);
  assert.equal(userWords(server.requests.at(-1)).at(-1), 'and hurry');

  ui.type(`/undo${ENTER}`);
  // Its words are there again to be changed.
  const undone = await ui.until(/Took back 1 turn[\s\S]*❯ and hurry/);
  assert.equal(undone.split('Took back').length - 1, 1, 'told once');
  ui.type(CTRL_C);
  ui.type(`/branch another way${ENTER}`);
  // It goes on with all that was said, and the status bar says how much that is.
  await ui.until(/Continuing in session[\s\S]*│ [\d.]*[1-9][\d.]*k\//);
  ui.type(`/modle${ENTER}`);
  await ui.until(/no command \/modle; did you mean \/model\?/);
  // A beginning that fits one command opens its picker, with what the server says it has.
  ui.type(`/mod${ENTER}`);
  await ui.until(/Choose a model \(now test-model\)[\s\S]*test-model[\s\S]*other-model/);
  ui.type(`other${ENTER}`);
  await ui.until(/model is other-model|other-model │/);
  server.script({ text: 'A slash is only a slash.' });
  ui.type(`\\/not a command${ENTER}`);
  await ui.until(/A slash is only a slash\./);
  assert.equal(userWords(server.requests.at(-1)).at(-1), '/not a command');
  ui.type(`/help keys${ENTER}`);
  await ui.until(/Enter +Send the message · submit/);
  ui.type(`!echo from the shell${ENTER}`);
  await ui.until(/! echo from the shell\n\s*from the shell/);
  ui.type(CTRL_D);
  assert.equal(await ui.ended, 0);
  const last = await ui.text();
  assert.match(last, /To continue this session: hermes --resume \S+/);
  assert.equal(last.split('Hello from the model.').length - 1, 1, 'printed once, and not again for the branch');
  // oxlint-disable-next-line no-control-regex -- sequences that clear the screen or the scrollback, or leave the main screen
  assert.doesNotMatch(ui.log, /\u001b\[[23]J|\u001b\[\?1049h/);
});

test('a resumed session shows what was said last; old rows open in a viewer and close again', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd, run } = stage(settingsFor(server.url));
  server.script({ text: 'First answer, with a word to look for: needle.' });
  await run(['chat', '-q', 'the first question'], { env: { OPENAI_API_KEY: 'sk-not-a-key-000000' } });
  await using ui = await openTerminalUi({ home, cwd, args: ['-c'], env: { OPENAI_API_KEY: 'sk-not-a-key-000000' }, columns: 40 });
  const start = await ui.until(/First answer/);
  assert.match(start, /❯ the first question/);
  ui.type(CTRL_O);
  await ui.until(/end ·/);
  ui.type('/needle\r');
  await ui.until(/needle/);
  ui.type('q');
  server.script({ text: 'Second answer.' });
  ui.type(`go on${ENTER}`);
  await ui.until(/Second answer\./);
  ui.type(`kept for later${CTRL_S}`);
  await ui.until(/draft is set aside/);
  ui.type(CTRL_S);
  await ui.until(/❯ kept for later/);
  ui.type(`${ESC}\r`);
  ui.type('second line');
  await ui.until(/kept for later\n\s+second line/);
  ui.type(CTRL_C);
  ui.type(CTRL_C);
  ui.type(CTRL_C);
  assert.equal(await ui.ended, 0);
  const history = readFileSync(join(home, '.hermes_history'), 'utf8');
  assert.match(history, /^\+go on$/m);
});

test('who leaves in the middle of a turn, even of the first, reads how it ended and how to go on', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd } = stage(settingsFor(server.url));
  const env = { OPENAI_API_KEY: 'sk-not-a-key-000000' };
  {
    await using ui = await openTerminalUi({ home, cwd, env });
    server.script({ text: 'slowly '.repeat(500), chunk: 7, paceMs: 100 });
    ui.type(`write a lot${ENTER}`);
    await ui.until(/slowly slowly/);
    ui.type(CTRL_D);
    assert.equal(await ui.ended, 0);
    assert.match(
      await ui.text(),
      /slowly slowly[\s\S]*■ Stopped: the program was told to end\.[\s\S]*To continue this session: hermes --resume/,
    );
  }
  await using again = await openTerminalUi({ home, cwd, env, args: ['-c'] });
  await again.until(/❯ write a lot[\s\S]*■ Stopped/);
});

test('a message that cannot be stored comes back to the editor with the reason', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd, run } = stage(settingsFor(server.url));
  const env = { OPENAI_API_KEY: 'sk-not-a-key-000000' };
  server.script({ text: 'Here.' });
  await run(['chat', '-q', 'hello'], { env });
  const database = new DatabaseSync(join(home, 'sessions.db'));
  database.exec("CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
  database.close();
  await using ui = await openTerminalUi({ home, cwd, env });
  ui.type(`words worth keeping${ENTER}`);
  await ui.until(/the disk\s+is full[\s\S]*❯ words worth keeping/);
});

test('what is typed before anything is loaded is not lost, and a wrapper program adds its panel', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd } = stage(settingsFor(server.url));
  const wrapper = join(import.meta.dirname, '../../examples/side-panel/side-panel.ts');
  await using ui = await openTerminalUi({ home, cwd, env: { OPENAI_API_KEY: 'sk-not-a-key-000000' }, program: [wrapper] });
  server.script({ text: 'It was not lost.' });
  ui.type(`early${ENTER}`);
  await ui.until(/It was not lost\./);
  ui.type('\u001bOQ');
  await ui.until(/Newest files/);
  ui.type(`/panel${ENTER}`);
  await ui.until(/The panel is now hidden\./);
  ui.type(CTRL_D);
  assert.equal(await ui.ended, 0);
});

test('a key typed 50 ms after the start is not lost, whatever the home holds', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const dead = {
    ends: { command: '/bin/false' },
    silent: { command: '/bin/sleep', args: ['60'] },
    nobody: { url: 'http://127.0.0.1:9/mcp' },
  };
  const { home, cwd } = stage({ ...settingsFor(server.url), mcp_servers: dead });
  // By the launcher, as people start it: it has the terminal before the program does.
  await using ui = await openTerminalUi({ home, cwd, runner: join(import.meta.dirname, '../../bin/hermes'), program: [] });
  await pause(50);
  ui.type('early');
  await ui.until(/❯ early/);
  ui.type(' and late');
  await ui.until(/❯ early and late/);
});

test('a long session shows the end of what was said, and says it once', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd } = stage(settingsFor(server.url));
  const session = await fillLongSession(join(home, 'state.db'), cwd);
  await using ui = await openTerminalUi({ home, cwd, args: ['--resume', session], env: { OPENAI_API_KEY: 'sk-not-a-key-000000' } });
  const start = await ui.until(/❯ question 299\n\s+answer 299/);
  assert.match(
    start,
    /Resumed .* 600 messages[^]*· 250 earlier exchanges are not shown here\. Ctrl\+O shows the whole session\.\n\s+❯ question 250\n/,
  );
  server.script({ text: 'It goes on.' });
  ui.type(`go on${ENTER}`);
  const all = await ui.until(/It goes on\./);
  assert.equal(all.split('❯ question 299').length, 2);
  assert.deepEqual(userWords(server.requests.at(-1)).slice(-2), ['question 299', 'go on']);
});

async function fillLongSession(path: string, cwd: string): Promise<string> {
  await using store = await openSqliteStore({ path });
  const session = await store.create({ source: 'tui', platform: 'tui', cwd, model: 'test-model', provider: 'custom' });
  const claim = await store.claim(session.id);
  const append = Array.from({ length: 300 }, (_, index) => [
    { type: 'message', origin: 'user', message: { role: 'user', content: [createTextBlock(`question ${index}`, 'owner')] } } as const,
    {
      type: 'message',
      origin: 'model',
      message: { role: 'assistant', content: [createTextBlock(`answer ${index}`, 'model')] },
    } as const,
  ]).flat();
  await store.commit(claim, { append });
  await store.release(claim);
  return session.id;
}
