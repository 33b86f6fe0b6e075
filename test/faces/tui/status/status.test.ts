import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureWidth } from '../../../../src/base/width.ts';
import type { DrawContext } from '../../../../src/faces/tui/contract.ts';
import { drawBanner, type BannerFacts } from '../../../../src/faces/tui/status/banner.ts';
import { formatElapsed, formatTokens } from '../../../../src/faces/tui/status/figures.ts';
import { createSpinner } from '../../../../src/faces/tui/status/spinner.ts';
import { createStatusBar, STATUS_FIELDS, type StatusFacts } from '../../../../src/faces/tui/status/status-bar.ts';
import { applyEvent } from '../../../../src/faces/tui/transcript/events.ts';
import { createTranscript } from '../../../../src/faces/tui/transcript/state.ts';

const at = (columns: number, now = 600_000): DrawContext => ({ columns, rows: 24, style: (_, text) => text, now, showThinking: false });
const named: DrawContext['style'] = (name, text) => `<${name}>${text}`;

const FACTS: StatusFacts = {
  model: 'anthropic/claude-opus-4-a-very-long-name',
  context: { used: 42_100, window: 200_000 },
  cacheShare: 0.874,
  cost: 0.128,
  since: 0,
  background: 2,
  queued: 1,
  compactions: 3,
  title: 'Fix the parser',
  profile: 'work',
  yolo: true,
};
const bar = (facts: StatusFacts, columns: number, fields: readonly string[] = [], extensions = {}) =>
  createStatusBar({ facts: () => facts, fields: () => fields, extensions }).render(at(columns))[0];

test('the status bar tells everything where there is room, less on a narrow screen, and never more than the columns', () => {
  assert.equal(
    bar(FACTS, 200),
    'claude-opus-4-a-very-long… │ 42k/200k ██▏······· 21% │ cache 87% │ $0.13 │ 10 min 00 s │ compressed 3× │ 2 in background │ 1 queued │ Fix the parser │ profile work │ YOLO',
  );
  assert.equal(bar(FACTS, 70), 'claude-opus-4-a-ver… │ 42k/200k 21% │ 2 in background │ YOLO');
  assert.equal(bar(FACTS, 40), 'claude-opus-4-a… │ 21% │ YOLO');
  for (let columns = 1; columns < 220; columns++) assert.ok(measureWidth(bar(FACTS, columns) ?? '') <= columns, String(columns));
});

test('the context has the color of how full it is', () => {
  const look = (used: number) =>
    createStatusBar({ facts: () => ({ model: 'm', context: { used, window: 100 } }), fields: () => ['context'] })
      .render({ ...at(100), style: named })[0]
      ?.match(/<(status\.\w+)>/)?.[1];
  assert.deepEqual([0, 49, 50, 79, 80, 94, 95, 120].map(look), [
    'status.low',
    'status.low',
    'status.mid',
    'status.mid',
    'status.high',
    'status.high',
    'status.full',
    'status.full',
  ]);
});

test('fields are chosen by their names, those of extensions too, and foreign text in them is text', () => {
  const extensions = { weather: () => 'sunny\u001b[31m\nand warm' };
  assert.equal(bar(FACTS, 120, ['weather', 'model', 'nothing'], extensions), 'sunny and warm │ claude-opus-4-a-very-long…');
  assert.ok(bar({ model: 'm' }, 120, [], extensions)?.endsWith('│ sunny and warm'));
  assert.equal(bar({ model: 'm' }, 120), 'm');
  assert.deepEqual(STATUS_FIELDS.slice(0, 3), ['model', 'context', 'cache']);
});

test('figures fit a line', () => {
  assert.deepEqual([0, 999, 1_000, 9_949, 12_345, 999_499, 999_500, 1_250_000].map(formatTokens), [
    '0',
    '999',
    '1.0k',
    '9.9k',
    '12k',
    '999k',
    '1.0M',
    '1.3M',
  ]);
  assert.deepEqual([0, 59_999, 60_000, 3_599_000, 3_600_000].map(formatElapsed), [
    '0 s',
    '59 s',
    '1 min 00 s',
    '59 min 59 s',
    '1 h 00 min',
  ]);
});

test('the spinner says what is happening and for how long, and is not there between turns', () => {
  let state = createTranscript();
  const spinner = createSpinner({ transcript: () => state });
  const line = (now: number, columns = 80) => spinner.render(at(columns, now))[1]?.slice(2);
  assert.deepEqual(spinner.render(at(80)), []);
  state = applyEvent(state, { type: 'thinking_delta', delta: 'Hm.' }, 1_000);
  assert.equal(line(1_500), 'Thinking · ↓ 1 token · Ctrl+C interrupts');
  state = applyEvent(state, { type: 'text_delta', delta: 'x'.repeat(4_000) }, 5_000);
  assert.equal(line(8_000), 'Writing · 3 s · turn 7 s · ↓ 1.0k tokens · Ctrl+C interrupts');
  assert.equal(line(8_000, 30), 'Writing · 3 s · turn 7 s');
  const call = (id: string, command: string) => ({ type: 'tool_call', id, name: 'terminal', input: { command }, trust: 'model' }) as const;
  state = applyEvent(state, { type: 'tool_started', call: call('a', 'npm test') }, 10_000);
  assert.match(line(10_000) ?? '', /^Running a command · /);
  state = applyEvent(state, { type: 'tool_started', call: call('b', 'ls') }, 10_000);
  assert.match(line(10_000) ?? '', /^Running 2 tools · /);
  state = applyEvent(
    state,
    { type: 'recovering', strategy: 'wait', failure: { type: 'overloaded', detail: 'busy\u001b[2J' }, waitMs: 4_000 },
    11_000,
  );
  assert.match(line(12_500) ?? '', /^Trying again in 3 s: busy · /);
  state = applyEvent(state, { type: 'compacting', tokens: 1, window: 2, reason: 'threshold' }, 15_000);
  assert.match(line(15_000) ?? '', /^Compressing the conversation/);
  state = applyEvent(state, { type: 'settled', outcome: { type: 'answered', exitReason: 'answered', text: '' } }, 16_000);
  assert.deepEqual(spinner.render(at(80)), []);
  // Without rows of their own calls are told here; the owner's theme has pictures and words of its own.
  const own = createSpinner({ transcript: () => state, own: () => ({ frames: ['(°)'], verbs: ['Pondering'] }) });
  state = applyEvent(createTranscript(), { type: 'tool_started', call: call('a', 'npm test') }, 20_000);
  assert.match(own.render({ ...at(80, 20_000), toolCalls: 'off' })[1] ?? '', /^\(°\) Run npm test · /);
  // A question in the middle of a call.
  const asking = createSpinner({ transcript: () => state, isAsking: () => true });
  assert.equal(asking.render(at(80, 20_000))[1]?.slice(2), 'Waiting for your answer');
  state = applyEvent(createTranscript(), { type: 'thinking_delta', delta: 'Hm.' }, 20_000);
  assert.match(own.render(at(80, 20_000))[1] ?? '', /^\(°\) Pondering · /);
});

const BANNER: BannerFacts = {
  name: 'Hermes',
  version: '1.2.3',
  model: 'claude-opus',
  provider: 'anthropic',
  caching: 'on (anthropic, 5m TTL)',
  tools: 23,
  skills: 1,
  folder: '~/project',
  session: '20261115_120000_ab',
  hints: ['/help lists the commands', 'Ctrl+C interrupts', 'Ctrl-D exits'],
};

test('the banner tells what runs, where, and how to go on', () => {
  assert.deepEqual(drawBanner(BANNER, at(80)), [
    'Hermes 1.2.3',
    'model     claude-opus (anthropic)',
    'cache     Prompt caching: on (anthropic, 5m TTL)',
    'tools     23 tools, 1 skill',
    'folder    ~/project',
    'session   20261115_120000_ab',
    '/help lists the commands · Ctrl+C interrupts · Ctrl-D exits',
  ]);
  const uncached = { ...BANNER, caching: 'off' };
  const narrow = drawBanner(
    { ...uncached, resumed: { title: 'A\u001b[2J title', messages: 12 }, logo: '<>\n'.repeat(2), welcome: 'Hello.' },
    at(30),
  );
  assert.deepEqual(narrow, [
    '<>',
    '<>',
    'Hermes 1.2.3',
    'model     claude-opus',
    '          (anthropic)',
    'cache     Prompt caching: off',
    'tools     23 tools, 1 skill',
    'folder    ~/project',
    'session   20261115_120000_ab',
    'Resumed “A title” with 12',
    'messages',
    'Hello.',
    '/help lists the commands',
    'Ctrl+C interrupts',
    'Ctrl-D exits',
  ]);
});
