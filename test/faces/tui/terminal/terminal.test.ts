import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../../../src/faces/tui/terminal/answers.ts';
import { escapeMsOf, reflowOf } from '../../../../src/faces/tui/terminal/identity.ts';
import { bell, copyToClipboard, notify, passageOf, promptMarks, setTitle } from '../../../../src/faces/tui/terminal/sequences.ts';
import { noPty } from '../../../walks/on-terminal.ts';
import { openShell, stageLauncher } from './shell-stage.ts';

test('answers of terminals are understood', () => {
  assert.deepEqual(readAnswer('\u001b]11;rgb:ffff/ffff/ffff\u001b\\'), { type: 'background', look: 'light' });
  assert.deepEqual(readAnswer('\u001b]11;#1e1e2e\u0007'), { type: 'background', look: 'dark' });
  assert.equal(readAnswer('\u001b]11;none\u0007'), undefined);
  assert.deepEqual(readAnswer('\u001b[?5u'), { type: 'keyboard', kitty: true });
  assert.deepEqual(readAnswer('\u001bP>|XTerm(390)\u001b\\'), { type: 'name', name: 'XTerm(390)' });
  assert.deepEqual(readAnswer('\u001b[?62;22c'), { type: 'end' });
});

test('what a terminal does when it becomes narrower is known by its name, then by the environment', () => {
  assert.equal(reflowOf({ TERM: 'xterm-256color' }, 'XTerm(390)'), 'cuts');
  assert.equal(reflowOf({ TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' }, undefined), 'wraps');
  assert.equal(reflowOf({ TERM: 'screen-256color', TMUX: '/tmp/x', TERM_PROGRAM: 'vscode' }, undefined), 'exact');
  assert.equal(reflowOf({ TERM: 'linux' }, undefined), 'cuts');
  assert.equal(reflowOf({ TERM: 'xterm-256color' }, undefined), 'wraps');
  assert.ok(escapeMsOf({ SSH_TTY: '/dev/pts/1' }) > escapeMsOf({}));
});

test('a copy goes through tmux and screen, and titles and notifications hold no sequences of others', () => {
  assert.equal(copyToClipboard('é', passageOf({})), '\u001b]52;c;w6k=\u0007');
  assert.equal(copyToClipboard('é', passageOf({ TMUX: 'x' })), '\u001b]52;c;w6k=\u0007\u001bPtmux;\u001b\u001b]52;c;w6k=\u0007\u001b\\');
  const pieces = copyToClipboard('x'.repeat(3_000), passageOf({ STY: 'x' }))
    .split('\u001b\\')
    .slice(0, -1);
  assert.ok(pieces.length > 4 && pieces.every((piece) => piece.startsWith('\u001bP') && piece.length <= 702));
  assert.equal(setTitle('a\u0007b\u001b]0;c'), '\u001b]0;a b ]0;c\u0007');
  assert.equal(notify('t;1', 'done\u0007', passageOf({})), '\u001b]9;done\u0007\u001b]777;notify;t,1;done\u0007');
  assert.ok(promptMarks.prompt.includes('redraw=0') && bell === '\u0007');
});

test('keys typed ahead arrive, answers do not, a program borrows the terminal', { skip: noPty }, async () => {
  using stage = stageLauncher('test/faces/tui/terminal/key-program.ts');
  const shell = await openShell(stage.folder);
  try {
    await shell.until(/§ /);
    shell.type('./bin/hermes\rhi');
    await shell.until(/keys "h" "i"/);
    shell.type('\u001b]11;rgb:ff');
    shell.type('ff/ffff/ffff\u001b\\\u001b[?62;4c');
    assert.ok((await shell.until(/background light/)).includes('\u001b[>4;2m'), 'no kitty protocol: the older one is switched on');
    shell.type('e');
    await shell.until(/lent/);
    shell.type('thanks\r');
    await shell.until(/got thanks/);
    const from = shell.output.length;
    shell.type('q');
    assert.doesNotMatch(await shell.until(/§ $/, from), /rgb|62;4/);
  } finally {
    shell.close();
  }
});
