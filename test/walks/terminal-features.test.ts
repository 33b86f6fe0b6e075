import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { noPty } from './on-terminal.ts';
import { command, stage, userWords } from './stage.ts';
import { openTerminalUi } from './terminal-ui.ts';

const [ENTER, CTRL_D, CTRL_G, UP] = ['\r', '\u0004', '\u0007', '\u001b[A'] as const;
const KEY = { OPENAI_API_KEY: 'sk-not-a-key-000000' };
const settingsFor = (url: string, display: object = {}) => ({
  model: { base_url: `${url}/v1`, default: 'test-model', context_length: 128_000 },
  display,
});
/** A red dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

test('the terminal is told about messages, the title, the end of a turn and what is copied', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd } = stage(settingsFor(server.url, { bell_on_complete: true, timestamps: true }));
  await using ui = await openTerminalUi({ home, cwd, env: KEY });
  // A terminal with a white background answers: the colors are those for it.
  ui.type('\u001b]11;rgb:ffff/ffff/ffff\u001b\\');
  await ui.until(/Ctrl\+D exits/);
  server.script({ text: 'Here it is.' });
  ui.type(`show me${ENTER}`);
  const shown = await ui.until(/Here it is\.\n\d\d:\d\d\n/);
  assert.match(shown, /❯ show me {2}\d\d:\d\d\n/);
  // Code that comes all at once has its colors too, though they are loaded for it.
  server.script({ text: 'So:\n\n```ts\nconst sum = 1;\n```\n', chunk: 4_000 });
  ui.type(`and code${ENTER}`);
  await ui.until(/const sum = 1;\n\d\d:\d\d\n/);
  assert.ok(ui.log.includes('\u001b[38;2;131;53;156mconst\u001b[39m'));
  ui.type(`/copy${ENTER}`);
  await ui.until(/Copied 2\d characters/);
  ui.type(CTRL_D);
  assert.equal(await ui.ended, 0);
  const log = ui.log;
  const prompt = log.indexOf('\u001b]133;A;redraw=0\u001b\\');
  const input = log.indexOf('\u001b]133;B\u001b\\', prompt);
  const output = log.indexOf('\u001b]133;C\u001b\\', input);
  assert.ok(prompt > 0 && input > prompt && output > input && log.indexOf('Here it is.') > output, 'a message and its answer are marked');
  assert.ok(log.includes('\u001b[22;0t') && log.includes('\u001b]0;hermes · show me\u0007') && log.includes('\u001b[23;0t'));
  assert.ok(log.includes('\u0007\u001b]9;The turn is over.\u0007'));
  assert.ok(log.includes(`\u001b]52;c;${Buffer.from('So:\n\n```ts\nconst sum').toString('base64').slice(0, 20)}`));
  assert.ok(log.includes('\u001b[38;2;31;95;174m'), 'the accent of the light theme');
});

test('images, files and what was written in another editor go with a message; the history brings it back', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd, at } = stage(settingsFor(server.url));
  writeFileSync(at('dot.png'), Buffer.from(PNG, 'base64'));
  writeFileSync(at('notes.md'), 'a note to be read\n');
  mkdirSync(at('parts'));
  writeFileSync(at('parts/one.ts'), 'export const one = 1;\n');
  const editor = join(home, 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\nprintf "see @file:notes.md\\nand @folder:parts" > "$1"\n');
  chmodSync(editor, 0o700);
  await using ui = await openTerminalUi({ home, cwd, env: { ...KEY, EDITOR: editor, VISUAL: editor, NO_COLOR: '1' } });
  await ui.until(/Ctrl\+D exits/);
  ui.type(`\u001b[200~${at('dot.png')}\u001b[201~`);
  await ui.until(/\[image 1: dot\.png/);
  ui.type(CTRL_G);
  await ui.until(/❯ see @file:notes\.md\n\s+and @folder:parts/);
  server.script({ text: 'Seen.' });
  ui.type(ENTER);
  const shown = await ui.until(/Seen\./);
  assert.match(shown, /\[file notes\.md, folder parts, image\]/);
  const [sent = ''] = userWords(server.requests.at(-1));
  assert.match(sent, /a note to be read[\s\S]*parts\/one\.ts/);
  assert.match(JSON.stringify(server.requests.at(-1)?.body), /data:image\/png;base64,iVBOR/);
  ui.type(UP);
  await ui.until(/❯ see @file:notes\.md\n\s+and @folder:parts\n─/);
  // oxlint-disable-next-line no-control-regex -- colors are what this is about
  assert.doesNotMatch(ui.log, /\u001b\[(?:[349]\d|[34]8;[25][;\d]*)m/, 'no color where none is wanted');
});

test('tool calls are shown as the settings say; /verbose changes it and /undo is told as the log tells it', { skip: noPty }, async () => {
  await using server = await startWireServer({});
  const { home, cwd } = stage(settingsFor(server.url, { tool_progress: 'off' }));
  await using ui = await openTerminalUi({ home, cwd, env: KEY, columns: 40, rows: 20 });
  await ui.until(/Ctrl\+D exits/);
  server.script(command('echo hidden words'), { text: 'Run quietly.' });
  ui.type(`first${ENTER}`);
  assert.doesNotMatch(await ui.until(/Run quietly\./), /✓ Run|hidden words/);
  ui.type(`/verbose all${ENTER}`);
  await ui.until(/display\.tool_progress is all/);
  server.script(command('echo shown words'), { text: 'Run aloud.' });
  ui.type(`second${ENTER}`);
  assert.match(await ui.until(/Run aloud\./), /✓ Run echo shown words[^\n]*\n\s+shown words\n/);
  ui.type(`/undo${ENTER}`);
  await ui.until(/· Took back 1 turn\. Files stay as they\s+are\.[\s\S]*❯ second/);
});
