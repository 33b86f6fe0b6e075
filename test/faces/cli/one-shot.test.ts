import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/contracts/entry.ts';
import type { AgentEvent, Outcome } from '../../../src/contracts/event.ts';
import { createTextBlock, type ToolCall } from '../../../src/contracts/message.ts';
import { createProcessStreams } from '../../../src/faces/cli/streams.ts';
import { drawTurn } from '../../../src/faces/cli/live.ts';
import { toVisibleLine } from '../../../src/base/visible.ts';
import { runOneShot } from '../../../src/faces/cli/one-shot.ts';
import { plain } from '../../../src/base/screen/paint.ts';

/** Sets the clipboard, clears the screen, turns the writing round, moves back over the line. */
const NASTY = 'a\u001b]52;c;QQ==\u0007b\u001b[2Jc\u202ed\u009b31me\rf';
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const harmless = (shown: string) => assert.doesNotMatch(shown, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);

const answered = (words: string): Outcome => ({ type: 'answered', exitReason: 'answered', text: words });
const settled = (words: string): AgentEvent => ({ type: 'settled', outcome: answered(words) });
const userSays = (words: string): AgentEvent => {
  const message = { role: 'user', content: [createTextBlock(words, 'owner')] } as const;
  return { type: 'entry', entry: { id: 'e', sessionId: 's', seq: 1, at: 0, origin: 'user', type: 'message', message } satisfies Entry };
};
const sampling: AgentEvent = { type: 'text_delta', delta: 'x' };

async function ran(
  events: readonly AgentEvent[],
  options: { readonly json?: boolean; readonly onScreen?: boolean; readonly live?: true } = {},
) {
  const shown = { out: '', err: '' };
  const streams = {
    out: (words: string) => void (shown.out += words),
    err: (words: string) => void (shown.err += words),
    watched: true,
    onScreen: options.onScreen ?? false,
  };
  async function* turns(): AsyncGenerator<AgentEvent, Outcome | undefined> {
    yield* events;
    const last = events.at(-1);
    return last?.type === 'settled' ? last.outcome : undefined;
  }
  const live = options.live && drawTurn({ streams, paint: plain, columns: () => 60 });
  const one = { sessionId: 's', resumed: true, json: options.json ?? false, turns: turns(), ...(live && { live }) };
  const code = await runOneShot(one, streams);
  return { ...shown, code };
}

test('a turn that was cut off and a text that waited are told apart', async () => {
  const { out, err } = await ran([
    sampling,
    settled('of the cut-off turn'),
    userSays('waited'),
    sampling,
    settled('of the waiting text'),
    userSays('mine'),
    settled('mine'),
  ]);
  assert.equal(out, 'mine\n');
  assert.equal(
    err,
    'The turn that was cut off is finished:\nof the cut-off turn\nAnswer to a message that was waiting:\nof the waiting text\n',
  );
});

test('the last line of --json is the outcome, also when there was nothing to do', async () => {
  const { out, code } = await ran([], { json: true });
  assert.equal(code, 0);
  assert.equal(out.trimEnd().split('\n').at(-1), '{"type":"outcome","outcome":"answered","exit_reason":"nothing_to_do","text":""}');
  assert.match((await ran([])).err, /^Session s\S* has no unfinished turn\. To go on: hermes chat --resume/);
});

test('a limit that ended the turn is told with how to continue, and the answer still goes to stdout', async () => {
  const limited = {
    type: 'settled',
    outcome: { type: 'stopped', exitReason: 'turn_limit', text: 'So far so good.', words: 'model' },
  } as const;
  const { out, err, code } = await ran([limited]);
  assert.equal(out, 'So far so good.\n');
  assert.match(
    err,
    /^Stopped: this turn reached its limit of model calls \(--max-turns, agent\.max_turns\)\.\s+To continue: hermes chat --resume s -q "go on"\n$/,
  );
  assert.equal(code, 3);
});

test('the answer is byte-exact in a pipe and harmless on a terminal', async () => {
  assert.equal((await ran([settled(NASTY)])).out, `${NASTY}\n`);
  const onScreen = (await ran([settled(NASTY)], { onScreen: true })).out;
  harmless(onScreen);
  assert.match(onScreen, /^abc/);
});

const call: ToolCall = { type: 'tool_call', id: 'c', name: `x${NASTY}`, input: { command: NASTY }, trust: 'model' };
const EVENTS: readonly AgentEvent[] = [
  { type: 'text_delta', delta: NASTY },
  { type: 'tool_started', call },
  {
    type: 'tool_finished',
    callId: 'other',
    ms: 1,
    result: { role: 'tool', callId: 'c', name: NASTY, content: [createTextBlock(NASTY, 'tool')], failed: true },
  },
  { type: 'recovering', strategy: 'retry', failure: { type: 'server_error', detail: NASTY } as never },
  { type: 'notice', text: NASTY },
];

test('nothing that models and tools say reaches a terminal raw', async () => {
  const { err } = await ran([...EVENTS, { type: 'settled', outcome: { type: 'failed', exitReason: 'internal_error', text: NASTY } }]);
  harmless(err);
  assert.equal(err.match(/abc/g)?.length, 4);
  // What runs stands above the question about it: nothing is taken out of it there either.
  assert.equal(/^· (.*)$/m.exec(err)?.[1], `x${toVisibleLine(NASTY)} ${toVisibleLine(NASTY)}`);
  let shown = '';
  const write = (words: string) => void (shown += words);
  const { show } = drawTurn({ streams: { out: write, err: write, watched: true, onScreen: true }, paint: plain, columns: () => 80 });
  for (const event of EVENTS) show(event);
  harmless(shown);
  assert.equal(shown.match(/abc/g)?.length, 5);
  assert.ok(shown.includes(`● x${toVisibleLine(NASTY)} ${toVisibleLine(NASTY)}`));
});

test('the streams of the process get no more listeners however often they are asked for', () => {
  const before = [process.stdout, process.stderr].map((stream) => stream.listenerCount('error'));
  for (let i = 0; i < 20; i++) createProcessStreams();
  assert.deepEqual(
    [process.stdout, process.stderr].map((stream) => stream.listenerCount('error')),
    before,
  );
});

const said = (words: string): readonly AgentEvent[] => words.split(/(?<= )/).map((delta) => ({ type: 'text_delta', delta }));
const sampled: AgentEvent = {
  type: 'sampled',
  message: { role: 'assistant', content: [] },
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  callId: 'c',
};
const ls: ToolCall = { type: 'tool_call', id: 'c', name: 'terminal', input: { command: 'ls' }, trust: 'model' };
const finished: AgentEvent = {
  type: 'tool_finished',
  callId: 'c',
  ms: 12,
  result: { role: 'tool', callId: 'c', name: 'terminal', content: [createTextBlock('a.txt', 'tool')], failed: false },
};

test('on a terminal words are drawn on stdout as they come, tools with their output on stderr, and the answer once', async () => {
  const { out, err, code } = await ran(
    [
      ...said('Let me **look**.'),
      sampled,
      { type: 'tool_started', call: ls },
      finished,
      ...said('One `file`.'),
      sampled,
      settled('One `file`.'),
    ],
    { live: true, onScreen: true },
  );
  assert.equal(out, 'Let me look.\n\nOne `file`.\n');
  assert.equal(err, '\n● terminal ls\n  a.txt\n  ✓ terminal ls · 12 ms\n');
  assert.equal(code, 0);
});

test('an answer that was not streamed is drawn at the end, and one that came in pieces is not drawn twice', async () => {
  const whole = await ran([settled('# Done\nall')], { live: true, onScreen: true });
  assert.equal(whole.out, '# Done\nall\n');
  const pieces = await ran([...said('First '), sampled, ...said('second'), sampled, settled('First second')], {
    live: true,
    onScreen: true,
  });
  assert.equal(pieces.out, 'First\n\nsecond\n');
});

for (const live of [true, undefined])
  test(`an interrupt says how to continue${live ? ' under the words that were shown' : ', and a pipe gets no half answer'}`, async () => {
    const outcome: Outcome = { type: 'stopped', exitReason: 'interrupted', text: 'Half an', words: 'model' };
    const { out, err, code } = await ran([...said('Half an'), { type: 'settled', outcome }], { ...(live && { live, onScreen: true }) });
    assert.equal(out, live ? 'Half an\n' : '');
    assert.equal(err, 'Interrupted. The answer so far is saved.\nTo continue: hermes chat --resume s -q "go on"\n');
    assert.equal(code, 130);
  });
