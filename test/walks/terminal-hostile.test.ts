/* oxlint-disable no-control-regex -- sequences are what this is about */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { noPty } from './on-terminal.ts';
import { command, stage } from './stage.ts';
import { openTerminalUi, PAUSE_MS } from './terminal-ui.ts';

const [ENTER, CTRL_D, CTRL_O] = ['\r', '\u0004', '\u000f'] as const;
const ESC = '\u001b';
const FAKE = '? Run this command?\n  │ ls\n\n› No\n  Yes, this once';
/** What a program, a page or a model may write to be obeyed by a terminal or believed by a person. The words behind are looked for. */
const HOSTILE = [
  `${ESC}]52;c;cm0gLXJmIH4=\u0007one`,
  `${ESC}]0;owned title\u0007two`,
  `${ESC}[2J${ESC}[3J${ESC}[Hthree`,
  `${ESC}[?1049h${ESC}[?1000h${ESC}[?25lfour`,
  `\u202egpj.exe\u202cfive`,
  `\u009b31m\u009d0;title\u009csix`,
  `${ESC}[6n${ESC}[c${ESC}]11;?\u0007seven`,
  `${ESC}]8;;https://evil.example${ESC}\\click${ESC}]8;;${ESC}\\eight`,
  `over\rwritten\b\b\bnine`,
  FAKE,
].join('\n');

/** What must not be among the bytes of the program, however they are cut. */
const FOREIGN = [
  /\u001b\]52/,
  /owned title\u0007/,
  /\u001b\[[23]J/,
  /\u202e|\u202c/,
  /[\u0080-\u009f]/,
  /\u001b\[6n/,
  /evil\.example\u001b\\/,
  /\u0008/,
] as const;

test(
  'hostile output of a real command and words of the model reach no terminal, look like no question, and answer none',
  { skip: noPty },
  async () => {
    await using server = await startWireServer({});
    const { home, cwd, at } = stage({ model: { base_url: `${server.url}/v1`, default: 'test-model', context_length: 128_000 } });
    await using ui = await openTerminalUi({ home, cwd, env: { OPENAI_API_KEY: 'sk-not-a-key-000000' } });
    await ui.until(/Ctrl\+D exits/);
    writeFileSync(at('hostile.txt'), HOSTILE);
    const asked = ui.log.split('\u001b[c').length;

    // Live, line by line, and then as a result; then from the model, cut into pieces in the middle of sequences.
    server.script(
      command('while IFS= read -r line; do printf "%s\\n" "$line"; sleep 0.05; done < hostile.txt; cat hostile.txt; sleep 0.5'),
      {
        thinking: HOSTILE,
        text: `${HOSTILE}\n\nThat was all.`,
        chunk: 3,
        paceMs: 2,
      },
    );
    ui.type(`show it${ENTER}`);
    await ui.until(/That was all\./);
    // Nothing was asked, so a key for an answer is a letter in the editor.
    ui.type('o');
    await ui.until(/❯ o\n/);
    ui.type('\u007f');

    // A real question beside all that: typed ahead and pasted text answers nothing, and the act is shown whole.
    const act = `sudo true; echo "${ESC}]0;owned title\u0007 \u202egpj" > ran; # ${'x'.repeat(300)} end-of-act`;
    server.script(command(act), { text: 'Then not.' });
    ui.type(`do it${ENTER}oooo`);
    await ui.until(/sudo true[^]*› No\s+Yes, this once/);
    ui.type(`${ESC}[200~o\r${ESC}[201~`);
    await pause(PAUSE_MS);
    ui.type(`${ESC}[200~yes\r${ESC}[201~`);
    await ui.until(/Pasted text does not count/);
    assert.match(await ui.text(), /sudo true[^]*owned title[^]*end-of-act/);
    assert.ok(!existsSync(at('ran')));
    await pause(PAUSE_MS);
    ui.type('\r');
    await ui.until(/Then not\./);
    assert.ok(!existsSync(at('ran')));

    // All of it opened in the viewer.
    ui.type(CTRL_O);
    await ui.until(/end ·/);
    for (let page = 0; page < 6; page += 1) {
      ui.type(`${ESC}[5~`);
      await pause(30);
    }
    ui.type('q');
    // What was typed ahead is in the editor, and nowhere else.
    await ui.until(/❯ oooo\n/);
    ui.type('\u0015');
    ui.type(CTRL_D);
    assert.equal(await ui.ended, 0);
    for (const form of FOREIGN) assert.doesNotMatch(ui.log, form);
    for (const mode of ['1049', '1000']) assert.equal(ui.log.split(`\u001b[?${mode}h`).length - 1, 1, `${mode} is of the viewer alone`);
    assert.equal(ui.log.split('\u001b[c').length, asked, 'the terminal was asked nothing more');
  },
);
