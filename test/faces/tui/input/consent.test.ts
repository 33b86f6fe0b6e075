import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showInvisible } from '../../../../src/base/visible.ts';
import { createQuestionQueue } from '../../../../src/faces/tui/input/dialogs/queue.ts';
import { createEditor } from '../../../../src/faces/tui/input/editor.ts';
import { openHistory } from '../../../../src/faces/tui/input/history.ts';
import { createKeyRouter, resolveKeys } from '../../../../src/faces/tui/input/keys.ts';
import { createMainScreen } from '../../../../src/faces/tui/screen/main-screen.ts';
import { XtermScreen } from '../screen/xterm.ts';
import { drawContext, paste } from './draw.ts';
import { CONTROLS, HOSTILE, OBEYED, OURS } from './hostile-texts.ts';

const never = new AbortController().signal;
const DOWN = '\x1b[B';
const rows = 24;

/** The bottom of the face, as small as it can be: questions above an editor, drawn on a real screen, keys through the router. */
async function openFace(columns: number) {
  const time = { now: 0 };
  const xterm = new XtermScreen({ columns, rows });
  const screen = createMainScreen(xterm.write, { columns, rows });
  const file = { text: '', read: async () => '', append: async (text: string) => void (file.text += text) };
  const history = await openHistory({ file, hasSecret: () => false, now: () => 0 });
  const editor = createEditor({ history, onSubmit: () => {}, onChange: () => {} });
  const queue = createQuestionQueue({ now: () => time.now, onChange: () => {}, onInterrupt: () => {} });
  const router = createKeyRouter({
    table: resolveKeys(),
    dialog: () => queue.current()?.widget,
    overlay: () => undefined,
    actions: { submit: () => editor.submit(), new_line: () => editor.newLine() },
    holds: () => false,
    editor,
    now: () => time.now,
    onFailure: () => {},
  });
  const draw = async (): Promise<string[]> => {
    const context = drawContext({ columns, rows });
    const question = queue.current()?.widget;
    const lines = [...(question?.render(context) ?? []), ...editor.render(context)];
    const cursor = question?.cursor?.();
    screen.update([], { lines, ...(cursor !== undefined && { cursor }) });
    await xterm.settle();
    const { active } = xterm.terminal.buffer;
    return Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '');
  };
  const press = (...keys: readonly string[]): void => keys.forEach((key) => router.handleKey(key));
  return { time, xterm, queue, editor, file, history, draw, press };
}

/** Everything above the choices, put together from page after page as a person would read it. */
async function readBody({
  draw,
  press,
}: Awaited<ReturnType<typeof openFace>>): Promise<{ readonly body: string[]; readonly screens: string[][] }> {
  const body: string[] = [];
  const screens: string[][] = [];
  for (let page = 0; page < 1_000; page++) {
    const lines = await draw();
    screens.push(lines);
    const end = lines.findIndex((line) => /^[›· ] No$/.test(line));
    const where = /^ {2}lines (\d+)–(\d+) of (\d+)/.exec(lines[end - 1] ?? '');
    const shown = lines.slice(1, where === null ? end : end - 1);
    const first = where === null ? 0 : Number(where[1]) - 1;
    shown.forEach((line, index) => (body[first + index] = line));
    if (where === null || where[2] === where[3]) return { body, screens };
    press(' ');
  }
  return assert.fail('the end was never reached');
}

/** What stands behind the bars: the lines of the act, those that were broken put together again. */
function joinAct(body: readonly string[]): string[] {
  const lines: string[] = [];
  for (const line of body) {
    if (line.startsWith('  │')) lines.push(line.slice(4));
    else if (line.startsWith('  ┆')) lines.push((lines.pop() ?? '') + line.slice(4));
  }
  return lines;
}
const withoutBlanks = (text: string): string => text.replaceAll(' ', '');

test('there are 60 hostile texts', () => assert.equal(new Set(HOSTILE).size, 60));

for (const columns of [40, 80, 120])
  test(`a question shows all of a hostile act at ${columns} columns, nothing of it reaches the terminal, and only a key answers`, async () => {
    for (const [index, act] of HOSTILE.entries()) {
      const face = await openFace(columns);
      const { queue, press, time, xterm, editor } = face;
      const question = {
        question: `Allow ${act.slice(0, 30)}?`.slice(0, 20),
        act,
        notes: [`In ${act.slice(0, 60)}.`],
        choices: ['Yes, this once', 'No'],
      };
      let answered: string | undefined;
      const asked = queue.ask(question, never).then((answer) => (answered = answer));
      press(DOWN, '\r', 'y', '\r', paste(act), paste('o\r'));
      await face.draw();
      press(DOWN, paste('y'), ...Array.from(act.slice(0, 40)).filter((sign) => sign >= ' '));
      time.now += 1_000;
      press(paste(act), paste('1\r\n'));
      const { body, screens } = await readBody(face);
      const shown = showInvisible(act).split('\n');
      const joined = joinAct(body);
      assert.deepEqual(joined.map(withoutBlanks), shown.map(withoutBlanks), `act ${index} at ${columns}`);
      for (const lines of screens) {
        assert.equal(lines.filter((line) => line.startsWith('? ')).length, 1, `${index}: ${lines.join('\n')}`);
        assert.equal(lines.filter((line) => /^[› ] Yes, this once$/.test(line)).length, 1, `${index}: ${lines.join('\n')}`);
      }
      assert.doesNotMatch(xterm.log.replaceAll(OURS, ''), OBEYED, `act ${index}`);
      assert.equal(xterm.terminal.buffer.active.baseY, 0, 'no more than the screen was written');
      assert.equal(answered, undefined);
      assert.equal(editor.read(), '');
      press('\r');
      await asked;
      assert.equal(answered, 'No');
    }
  });

test('words of others in a question of the model reach no terminal either', async () => {
  for (const text of HOSTILE) {
    const face = await openFace(60);
    const asked = face.queue.ask({ question: text, choices: [text, 'no'], notes: [text] }, never);
    await face.draw();
    assert.doesNotMatch(face.xterm.log.replaceAll(OURS, ''), OBEYED, JSON.stringify(text.slice(0, 60)));
    face.time.now += 1_000;
    face.press(paste(text));
    await face.draw();
    // What the owner pastes may have joiners in it, as some pictures do.
    assert.doesNotMatch(face.xterm.log.replaceAll(OURS, ''), CONTROLS, JSON.stringify(text.slice(0, 60)));
    face.press('\x15', '2', '\r');
    assert.equal(await asked, 'no');
  }
});

test('a secret is in the promise of who asked, and in 0 bytes of screen, scrollback, editor or history', async () => {
  const secret = 'Zq7#Wx9&Kv3';
  for (const name of ['sudo password', 'DEPLOY_KEY'])
    for (const columns of [40, 80, 120]) {
      const face = await openFace(columns);
      const { queue, press, time, xterm, editor, file, history, draw } = face;
      const value = queue.readSecret({ name, question: `What is the ${name}?` }, never);
      await draw();
      time.now += 1_000;
      for (const sign of Array.from(secret)) {
        press(sign);
        await draw();
      }
      press('\x7f', '3', paste(secret));
      await draw();
      press('\r');
      assert.equal(await value, secret + secret);
      await draw();
      editor.set('after');
      editor.submit();
      press('\x1b[A', '\x19', '\x1f');
      await draw();
      const everything = [xterm.log, ...xterm.logicalLines(), editor.read(), file.text, ...history.entries()].join('\n');
      for (let at = 0; at + 2 <= secret.length; at++) assert.ok(!everything.includes(secret.slice(at, at + 2)), secret.slice(at, at + 2));
    }
});
