import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { program } from '../program.ts';
import { noPty } from './on-terminal.ts';
import { call, command, stage } from './stage.ts';
import { openTerminalUi, PAUSE_MS, type TerminalUi } from './terminal-ui.ts';

const [ENTER, CTRL_C, CTRL_D, CTRL_R] = ['\r', '\u0003', '\u0004', '\u0012'] as const;
/** Known from the start: it stands in `.env`. */
const KNOWN = 'tok-9f8E7d6C5b4A3210zQ';
const PASSWORD = 'Zq7#Wx9&Kv3-hunter';
const DEPLOY_KEY = 'deploy_55aaFF77bbEE99';

const settingsFor = (url: string) => ({ model: { base_url: `${url}/v1`, default: 'test-model', context_length: 128_000 } });
const guarded = program(join(import.meta.dirname, 'guarded-program.ts'));

/** Every file below a folder, as bytes. */
const filesBelow = (folder: string): { readonly path: string; readonly bytes: Buffer }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));

async function open(url: string) {
  const place = stage(settingsFor(url));
  writeFileSync(join(place.home, '.env'), `DEPLOY_TOKEN=${KNOWN}\n`);
  const env = { OPENAI_API_KEY: 'sk-not-a-key-000000', TMPDIR: join(place.home, '..', 'tmp') };
  const ui = await openTerminalUi({ home: place.home, cwd: place.cwd, env, program: [guarded] });
  await ui.until(/Ctrl\+D exits/);
  return { ...place, ui, caught: (): number => Number(readFileSync(join(place.home, 'caught'), 'utf8')) };
}

/** Answers with a key once the question has been on the screen for a moment. */
async function answer(ui: TerminalUi, shown: RegExp, keys: string): Promise<void> {
  await ui.until(shown);
  await pause(PAUSE_MS);
  ui.type(keys);
}

test('a password and a key typed at prompts are in no file, no history, no title, nowhere on the screen', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd, ui, caught } = await open(server.url);
  await using _ = ui;
  const ask = (name: string, question: string): Reply => call('clarify', { question, secret: name });
  server.script(ask('sudo password', 'What is the password?'), ask('DEPLOY_KEY', 'What is the key?'), { text: 'Both are there.' });
  ui.type(`get both${ENTER}`);
  await answer(ui, /What is the password\?[^]*Not shown/, '');
  for (const sign of PASSWORD) {
    ui.type(sign);
    await pause(10);
  }
  ui.type(ENTER);
  await answer(ui, /What is the key\?[^]*Not shown/, `\u001b[200~${DEPLOY_KEY}\u001b[201~${ENTER}`);
  await ui.until(/Both are there\./);
  // What comes back from elsewhere is known from now on: the model's words, a command, what is typed.
  server.script(command(`printf '%s' '${PASSWORD.slice(0, 9)}'; sleep 0.3; echo '${PASSWORD.slice(9)}'`), {
    text: `It is ${PASSWORD}, and ${DEPLOY_KEY}.`,
    chunk: 3,
    paceMs: 20,
  });
  ui.type(`say them: ${DEPLOY_KEY}${ENTER}`);
  await ui.until(/It is \S+, and \S+\./);
  ui.type(CTRL_R);
  await ui.until(/get both/);
  ui.type('\u001b');
  await pause(100);
  ui.type(CTRL_C);
  ui.type(CTRL_D);
  assert.equal(await ui.ended, 0);
  assert.equal(caught(), 0, 'the last net caught something while the screen was drawn');
  for (const secret of [PASSWORD, DEPLOY_KEY]) {
    for (const { path, bytes } of [...filesBelow(home), ...filesBelow(cwd)]) assert.ok(!bytes.includes(secret), `${path} has ${secret}`);
    assert.ok(!ui.log.includes(secret), secret);
    assert.ok(!(await ui.text()).replaceAll(/\s/g, '').includes(secret), secret);
    assert.ok(
      server.requests.every(({ text }) => !text.includes(secret)),
      secret,
    );
  }
});

test(
  'a known secret is redacted before it is drawn: typed, sent, in words, thoughts, calls, output and questions',
  { skip: noPty },
  async () => {
    await using server = await startWireServer({});
    const { home, cwd, ui, caught } = await open(server.url);
    await using _ = ui;
    const typeSlowly = async (text: string): Promise<void> => {
      for (const sign of text) {
        ui.type(sign);
        await pause(8);
      }
    };
    // In the editor, whole and with more behind it; then sent.
    server.script({ thinking: `They gave ${KNOWN}.`, text: `You said ${KNOWN} to me.`, chunk: 4, paceMs: 10 });
    await typeSlowly(`use ${KNOWN} now`);
    await ui.until(/❯ use •+ now/);
    ui.type(ENTER);
    await ui.until(/You said \S+ to me\./);
    // In a call, in its output that comes in halves, in a text that waits for the turn, and in the answer.
    server.script(
      {
        text: 'First a look.',
        calls: [
          {
            name: 'terminal',
            arguments: {
              command: `printf %s '${KNOWN.slice(0, 10)}'; sleep 1; echo '${KNOWN.slice(10)}'; echo ${KNOWN.slice(0, 8)}''${KNOWN.slice(8)}; sleep 1`,
            },
          },
        ],
      },
      { text: 'Seen.' },
    );
    ui.type(`look${ENTER}`);
    await ui.until(/Run|\$|printf/);
    await typeSlowly(`and ${KNOWN}`);
    ui.type(ENTER);
    await ui.until(/joins: and/);
    await ui.until(/Seen\./);
    // In what is asked.
    server.script(call('clarify', { question: `Is it ${KNOWN}?`, choices: [KNOWN, 'no'] }), { text: 'Asked.' });
    ui.type(`ask${ENTER}`);
    await answer(ui, /Is it /, `2${ENTER}`);
    await ui.until(/Asked\./);
    // In a file that is written, a command of the owner's, a name, a title, a command that is none.
    server.script(call('write_file', { path: 'notes.txt', content: `token ${KNOWN}\n` }), { text: 'Written.' });
    ui.type(`write${ENTER}`);
    await answer(ui, /› No\s+Yes, this once/, '\r');
    await ui.until(/Written\./);
    await typeSlowly(`!echo ${KNOWN}`);
    ui.type(ENTER);
    await ui.until(/! echo/);
    for (const line of [`/title ${KNOWN}`, `/${KNOWN}`]) {
      await typeSlowly(line);
      ui.type(ENTER);
      await pause(300);
    }
    writeFileSync(join(cwd, `${KNOWN}.txt`), 'x');
    await typeSlowly('@tok');
    await pause(500);
    ui.type(CTRL_C);
    ui.type(CTRL_D);
    assert.equal(await ui.ended, 0);
    assert.equal(caught(), 0, 'the last net caught something while the screen was drawn');
    assert.ok(!ui.log.includes(KNOWN));
    assert.ok(!(await ui.text()).replaceAll(/\s/g, '').includes(KNOWN));
    for (const { path, bytes } of filesBelow(home)) assert.ok(path.endsWith('.env') || !bytes.includes(KNOWN), path);
  },
);

test('a kill while a password is typed leaves nothing of it', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd, ui } = await open(server.url);
  await using _ = ui;
  server.script(call('clarify', { question: 'What is the password?', secret: 'sudo password' }));
  ui.type(`get it${ENTER}`);
  await answer(ui, /What is the password\?[^]*Not shown/, PASSWORD);
  await ui.until(/> •+/);
  process.kill(ui.pid, 'SIGKILL');
  await ui.ended;
  assert.ok(!ui.log.includes(PASSWORD.slice(0, 6)));
  for (const { path, bytes } of [...filesBelow(home), ...filesBelow(cwd)]) assert.ok(!bytes.includes(PASSWORD.slice(0, 6)), path);
});
