import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { keysPage } from '../../../../scripts/docs.ts';
import type { ActionName, KeyCondition } from '../../../../src/faces/tui/input/actions.ts';
import { createInterruptKey } from '../../../../src/faces/tui/input/interrupt.ts';
import { readKey } from '../../../../src/faces/tui/input/key-names.ts';
import { createKeyRouter, resolveKeys, type KeyTableOptions } from '../../../../src/faces/tui/input/keys.ts';

/** A router whose every action tells its name; `declines` names those that do not apply. */
function openRouter(options: KeyTableOptions = {}) {
  const done: string[] = [];
  const holding = new Set<KeyCondition>();
  const declines = new Set<ActionName>();
  const time = { now: 0 };
  const open: { dialog?: true; overlay?: true } = {};
  const table = resolveKeys(options);
  const note = (name: ActionName) => () => {
    if (declines.has(name)) return false;
    done.push(name);
    return true;
  };
  const router = createKeyRouter({
    table,
    dialog: () => (open.dialog ? { handleKey: (data) => void done.push(`dialog ${readKey(data)}`) } : undefined),
    overlay: () => (open.overlay ? { handleKey: (data) => void done.push(`overlay ${readKey(data)}`) } : undefined),
    actions: Object.fromEntries(table.actions.map(({ name }) => [name, note(name)])),
    holds: (when) => holding.has(when),
    editor: { handleKey: (data) => void done.push(`editor ${readKey(data) ?? data}`) },
    now: () => time.now,
    onFailure: (owner) => void done.push(`failed ${owner}`),
  });
  const press = (...keys: string[]): string[] => {
    done.length = 0;
    keys.forEach((key) => router.handleKey(key));
    return [...done];
  };
  return { press, holding, declines, time, open, table };
}

test('the keys of the seed do what it says, from the start', () => {
  const { press, table } = openRouter();
  assert.deepEqual(table.problems, []);
  assert.deepEqual(press('\r'), ['submit']);
  assert.deepEqual(press('\x1b\r'), ['new_line']);
  assert.deepEqual(press('\n'), ['new_line']);
  assert.deepEqual(press('\x1b[13;2u'), ['new_line']);
  assert.deepEqual(press('\x03'), ['interrupt']);
  assert.deepEqual(press('\x1bq', '\x1bs'), ['queue', 'steer']);
  assert.deepEqual(press('\x07', '\x18', '\x05'), ['external_editor', 'editor ctrl+x', 'external_editor']);
  assert.deepEqual(press('a', '中', '\x1b[D'), ['editor a', 'editor 中', 'editor left']);
});

test('Esc and then Enter is a new line, unless it comes late', () => {
  const { press, time } = openRouter();
  assert.deepEqual(press('\x1b', '\r'), ['editor escape', 'new_line']);
  press('\x1b');
  time.now += 1_500;
  assert.deepEqual(press('\r'), ['submit']);
  assert.deepEqual(press('\x1b', 'x', '\r'), ['editor escape', 'editor x', 'submit']);
});

test('what an action does not want goes to the next, and conditions decide', () => {
  const { press, holding, declines } = openRouter();
  assert.deepEqual(press('\x04', '\x7f'), ['editor ctrl+d', 'editor backspace']);
  holding.add('empty');
  assert.deepEqual(press('\x04', '\x7f'), ['exit', 'remove_image']);
  declines.add('remove_image');
  assert.deepEqual(press('\x7f'), ['editor backspace']);
  holding.add('menu');
  assert.deepEqual(press('\t', '\x1b[A', '\x1b[B', '\x1b'), ['accept_completion', 'completion_up', 'completion_down', 'close_completion']);
});

test('a question has every key before a picker, and a picker before us; only redraw and suspend are always ours', () => {
  const { press, open } = openRouter({ extensions: [{ key: 'f2', owner: 'notes', run: () => assert.fail('a question was open') }] });
  open.overlay = true;
  assert.deepEqual(press('\r', '\x0c'), ['overlay enter', 'redraw']);
  open.dialog = true;
  assert.deepEqual(press('\r', '\x03', '\x1bOQ', '\x1a'), ['dialog enter', 'dialog ctrl+c', 'dialog f2', 'suspend']);
});

test('settings move keys, and what the owner chose counts before what was there', () => {
  const { press, table } = openRouter({ overrides: { submit: 'ctrl+s', new_line: ['enter', 'Ctrl+J'], palette: [] } });
  assert.deepEqual(press('\x13', '\r', '\n', '\x10'), ['submit', 'new_line', 'new_line', 'editor ctrl+p']);
  assert.deepEqual(table.problems, ['The key Ctrl+S belongs to the action submit; the action stash does not get it.']);
  assert.deepEqual(table.keysOf('submit'), ['Ctrl+S']);
});

test('what cannot be a key, or would take a letter away, is said', () => {
  const { table } = openRouter({ overrides: { queue: ['hyper+q', 'q'], steeer: 'f3' } });
  assert.deepEqual(table.problems, [
    'display.keys: there is no action steeer; did you mean steer? Nothing was bound for it.',
    'display.keys.queue: "hyper+q" is not the name of a key. Write it such as "ctrl+k", "alt+x" or "f2".',
    'display.keys.queue: "q" is needed to type. Write it such as "ctrl+k", "alt+x" or "f2".',
  ]);
});

test('keys of extensions come after ours; a conflict names both owners, and one that throws is named', () => {
  const ran: string[] = [];
  const run = (name: string) => () => void ran.push(name);
  const { press, table } = openRouter({
    extensions: [
      { key: 'f2', owner: 'notes', run: run('notes') },
      { key: 'F2', owner: 'timer', run: run('timer') },
      { key: 'ctrl+g', owner: 'timer', run: run('timer') },
      {
        key: 'f4',
        owner: 'broken',
        run: () => {
          throw new Error('no');
        },
      },
    ],
  });
  assert.deepEqual(press('\x1bOQ', '\x1bOS'), ['failed broken']);
  assert.deepEqual(ran, ['notes']);
  assert.deepEqual(table.problems, [
    'The key F2 belongs to the extension notes; the extension timer does not get it.',
    'The key Ctrl+G belongs to the action external_editor; the extension timer does not get it.',
  ]);
});

test('Ctrl-C stops the turn, clears the text, and twice in two seconds on an empty editor exits', () => {
  const time = { now: 0 };
  const press = createInterruptKey(() => time.now);
  assert.equal(press({ busy: false, empty: false }), 'clear');
  assert.equal(press({ busy: false, empty: true }), 'warn');
  time.now += 2_500;
  assert.equal(press({ busy: false, empty: true }), 'warn');
  time.now += 500;
  assert.equal(press({ busy: false, empty: true }), 'exit');
  const busy = createInterruptKey(() => time.now);
  assert.equal(busy({ busy: true, empty: false }), 'interrupt');
  assert.equal(busy({ busy: true, empty: true }), 'interrupt');
  assert.equal(busy({ busy: true, empty: true }), 'exit');
});

test('docs/keys.md is up to date (npm run docs writes it)', () => {
  assert.equal(readFileSync('docs/keys.md', 'utf8'), keysPage());
});
