import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { noPty } from './on-terminal.ts';
import { command, stage, userWords } from './stage.ts';
import { openTerminalUi, type TerminalUi } from './terminal-ui.ts';

const ENTER = '\r';
const env = { OPENAI_API_KEY: 'sk-not-a-key-000000' };
const settingsFor = (url: string) => ({
  model: { base_url: `${url}/v1`, default: 'test-model', context_length: 128_000 },
  terminal: { backend: 'local' },
  quick_commands: {
    where: { type: 'exec', command: 'basename "$PWD"' },
    slow: { type: 'exec', command: 'for i in 1 2 3 4 5 6 7 8 9; do echo "step $i"; sleep 1; done' },
    t: { type: 'alias', target: '/title' },
    rv: { type: 'alias', target: 'Review the last change' },
    help: { type: 'exec', command: 'echo stolen' },
  },
});
const after = (ui: TerminalUi, line: string, what: RegExp): Promise<string> => {
  ui.type(`${line}${ENTER}`);
  return ui.until(what);
};

test(
  'before the first message: a model is chosen, a command of the owner runs, and nothing goes to the model',
  { skip: noPty },
  async () => {
    await using server = await startWireServer({ models: ['test-model', 'other-model'], answer: () => ({ text: 'a new title' }) });
    const { home, cwd } = stage(settingsFor(server.url));
    await using ui = await openTerminalUi({ home, cwd, env, columns: 100, rows: 40 });
    await ui.until(/Ctrl\+D exits/);
    await after(ui, '/model other-model', /From the next turn on the model is other-model of custom\./);
    await ui.until(/quick_commands\.help is not used: \/help is a command of hermes/);
    await ui.until(/other-model │/);
    await after(ui, '/where', /❯ \/where\nwork\n/);
    await after(ui, '/t the release', /is now “the release”/);
    await after(ui, '/foo', /❯ \/foo\nThere is no command \/foo\. \/help lists them\./);
    await after(ui, '/contxt', /did you mean \/context\?/);
    await after(ui, '/st', /\/st could be \/stop, \/steer, \/status or \/statusbar\. Type more of the name\./);
    await after(ui, '/ver', /did you mean \/verbose or \/version\?/);
    await after(ui, '/vers', /❯ \/vers\nhermes \S+\n/);
    await after(ui, '/undo', /There is no turn|nothing to undo|no turn/);
    const helped = await after(ui, '/help', /\/debug +Show the facts that a bug report needs/);
    assert.match(helped, /\nConversation\n {2}\/new \[title\] +Start a new session/);
    assert.match(helped, /\nYour own commands\n {2}\/where +Run: basename/);
    await after(ui, '/skin light', /display\.skin is light in this run/);
    await after(ui, '/verbose all --save', /Saved display\.tool_progress in /);
    assert.match(readFileSync(join(home, 'config.yaml'), 'utf8'), /tool_progress: *"?all/);
    assert.equal(server.requests.filter(({ method }) => method === 'POST').length, 0, 'no model heard of any of it');

    await after(ui, '/rv please', /❯ Review the last change please/);
    await ui.until(/a new title/);
    assert.deepEqual(userWords(server.requests.find(({ method }) => method === 'POST')), ['Review the last change please']);
    // An empty screen; what was there is above it.
    await after(ui, '/clear', /a new title[^]*❯ \/clear\n{36,}/);
    ui.type(`/quit${ENTER}`);
    assert.equal(await ui.ended, 0);
  },
);

test('while a turn runs some commands run, some wait and some are refused; a narrow screen tears nothing', { skip: noPty }, async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'fine' }) });
  const { home, cwd, at } = stage(settingsFor(server.url));
  await using ui = await openTerminalUi({ home, cwd, env, columns: 60, rows: 30 });
  await ui.until(/Ctrl\+D exits/);
  server.script(command(`until [ -e "${at('go')}" ]; do sleep 0.1; done`), { text: 'The wait is over.' });
  ui.type(`wait${ENTER}`);
  await ui.until(/until \[ -e/);
  await after(ui, '/new', /\/new cannot be used while a turn is running; stop the turn/);
  await after(ui, '/where', /\/where runs when the turn is over\./);
  await after(ui, '/status', /Model: test-model of custom[\s\S]*A turn is running\./);
  await after(ui, '/queue and then this', /It is answered when the running turn is over/);
  assert.doesNotMatch(await ui.text(), /^work$/m, 'the quick command waits');
  writeFileSync(at('go'), '');
  const over = await ui.until(/^work$/m);
  assert.match(over, /The wait is over\.[\s\S]*❯ and then this[\s\S]*\nwork\n/);
  // A command that takes long says so, shows what it writes, and Ctrl-C ends it.
  await after(ui, '/slow', /• Running · .*Ctrl[-+]C interrupts\n.*step 1/);
  ui.type('\u0003');
  // Where the command takes long to end, nobody waits for its own words.
  const ended = await ui.until(/interrupted by the user|user interrupted this call/);
  assert.doesNotMatch(ended, /step 9|• Running/);
  // A second Ctrl-C within two seconds would leave.
  await pause(2_100);
  server.script({ text: 'word '.repeat(100), chunk: 5, paceMs: 100 });
  await after(ui, '/btw what?', /❯ \/btw what\?\n+• Running/);
  ui.type('\u0003');
  await ui.until(/The question was not answered: The call was stopped\./);
  ui.resize(40, 24);
  await after(ui, '/help compress', /❯ \/help compress\n/);
  ui.type(`/quit${ENTER}`);
  assert.equal(await ui.ended, 0);
  assert.ok(server.requests.every((request) => userWords(request).every((words) => !words.startsWith('/'))));
});

test('a session in the background is counted in the status bar until a notice tells how it ended', { skip: noPty }, async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'slow '.repeat(20), chunk: 5, paceMs: 100 }) });
  const { home, cwd } = stage(settingsFor(server.url));
  await using ui = await openTerminalUi({ home, cwd, env, columns: 100, rows: 30 });
  await ui.until(/Ctrl\+D exits/);
  await after(ui, '/bg look around', /Started in session/);
  await ui.until(/│ 1 in background/);
  await ui.until(/Background session \S+ is done:\s+slow/);
  await ui.until(/^(?![^]*│ 1 in background)/);
  ui.type(`/quit${ENTER}`);
  assert.equal(await ui.ended, 0);
});
