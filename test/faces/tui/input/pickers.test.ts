import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createHistorySearch,
  createModelPicker,
  createPalette,
  createSessionPicker,
  createThemePicker,
  type SessionItem,
} from '../../../../src/faces/tui/input/pickers.ts';
import type { KeyWidget } from '../../../../src/faces/tui/contract.ts';
import { drawContext, paste } from './draw.ts';

const settle = () => new Promise((done) => setTimeout(done, 5));
const draw = (picker: KeyWidget, columns = 70): string[] => picker.render(drawContext({ columns }));
const type = (picker: KeyWidget, text: string): void => Array.from(text).forEach((sign) => picker.handleKey(sign));

function picked<Item>() {
  const events: (Item | 'cancelled')[] = [];
  return {
    events,
    deps: { onPick: (item: Item) => void events.push(item), onCancel: () => void events.push('cancelled'), onChange: () => {} },
  };
}

test('sessions are searched as one types, and the answer to an earlier query is thrown away', async () => {
  const { events, deps } = picked<SessionItem>();
  const sessions: SessionItem[] = [
    { id: 'a', title: 'Fix the \x1b[31mbuild', cwd: '/work/a', updatedAt: 0 },
    { id: 'b', cwd: '/work/b', updatedAt: 3_600_000 },
  ];
  const asked: string[] = [];
  const picker = createSessionPicker(
    async (query) => {
      asked.push(query);
      if (query === 'b') await new Promise((late) => setTimeout(late, 20));
      return query === '' ? sessions : sessions.slice(1).map((each) => ({ ...each, found: `for \u0002${query}\u0003` }));
    },
    () => 7_200_000,
    deps,
  );
  await settle();
  assert.deepEqual(draw(picker), [
    'Resume a session',
    '> ',
    '› Fix the build  2 h ago · /work/a',
    '  Untitled       1 h ago · /work/b',
    'Enter chooses, Esc closes',
  ]);
  type(picker, 'bu');
  await new Promise((late) => setTimeout(late, 40));
  assert.deepEqual(asked, ['', 'b', 'bu']);
  assert.deepEqual(draw(picker)[2], '› Untitled  1 h ago · for bu');
  assert.deepEqual(picker.cursor?.(), { row: 1, column: 4 });
  picker.handleKey('\r');
  assert.deepEqual(events, [{ ...sessions[1], found: 'for \u0002bu\u0003' }]);
});

test('a model is found by letters of its name, and nothing is chosen where nothing is found', async () => {
  const { events, deps } = picked<{ model: string; provider: string }>();
  const items = ['opus', 'sonnet', 'haiku'].map((model) => ({ model: `claude-${model}`, provider: 'anthropic' }));
  const picker = createModelPicker(items, 'gpt-5', deps);
  await settle();
  picker.handleKey(paste('hai\nku'));
  await settle();
  assert.deepEqual(draw(picker, 40), [
    'Choose a model (now gpt-5)',
    '> hai ku',
    'No model found. Type /model NAME to use',
    'one that is not listed.',
    'Enter chooses, Esc closes',
  ]);
  picker.handleKey('\r');
  picker.handleKey('\x15');
  type(picker, 'snnet');
  await settle();
  picker.handleKey('\r');
  picker.handleKey('\x1b');
  assert.deepEqual(events, [items[1], 'cancelled']);
});

test('the palette finds commands by name, alias or summary, and gives the record back', async () => {
  const { events, deps } = picked<{ name: string }>();
  const help = (name: string, aliases: string[], summary: string) =>
    ({ name, line: `/${name}`, aliases, category: 'help', summary, parameters: [] }) as const;
  const items = [help('compress', ['compact'], 'Make the context smaller'), help('new', ['reset'], 'Start a session')];
  const picker = createPalette(items, deps);
  await settle();
  type(picker, 'reset');
  await settle();
  picker.handleKey('\r');
  assert.deepEqual(events, [items[1]]);
});

test('the newest message comes first in the search, each once; a theme is shown while it is selected', async () => {
  const { events, deps } = picked<string>();
  const history = createHistorySearch(['one', 'two\nlines', 'one'], deps);
  await settle();
  assert.deepEqual(draw(history).slice(2, 4), ['› one', '  two lines']);
  history.handleKey('\x1b[B');
  history.handleKey('\r');
  const seen: string[] = [];
  const themes = createThemePicker(['dark', 'light'], { ...deps, onMove: (name) => void seen.push(name) });
  await settle();
  themes.handleKey('\x1b[A');
  themes.handleKey('\x03');
  assert.deepEqual(seen, ['dark', 'light']);
  assert.deepEqual(events, ['two\nlines', 'cancelled']);
});

test('Enter typed right behind the query chooses what the query finds; a key in between takes it back', async () => {
  const { events, deps } = picked<{ model: string; provider: string }>();
  const models = ['alpha', 'beta'].map((model) => ({ model, provider: 'p' }));
  const picker = createModelPicker(models, 'alpha', deps);
  await settle();
  type(picker, 'bet\r');
  await settle();
  assert.deepEqual(events, [{ model: 'beta', provider: 'p' }]);
  type(picker, '\ra');
  await settle();
  assert.deepEqual(events.length, 2, 'the first Enter found nothing pending and chose at once');
  type(picker, 'x\ry');
  await settle();
  assert.equal(events.length, 2);
});
