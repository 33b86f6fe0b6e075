import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { faults, startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, toServer } from './hermes.ts';

const NOTES = `## Goal
Port the parser.
## Constraints & Preferences
none
## Progress
### Done
- read the long files
### In Progress
none
### Blocked
none
## Key Decisions
none
## Relevant Files
- big.txt
## Next Steps
- go on
## Critical Context
none`;

interface Body {
  readonly tools?: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}
const bodyOf = (request: RecordedRequest): Body => request.body as Body;
/** Summaries are asked for without tools. */
const isSummary = (request: RecordedRequest): boolean => bodyOf(request).tools === undefined;
const wordsOf = (request: RecordedRequest | undefined): string => JSON.stringify(request === undefined ? '' : bodyOf(request).messages);

function place(settings = ''): { readonly home: string; readonly cwd: string } {
  const root = tempHome();
  const [home, cwd] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, cwd]) mkdirSync(folder);
  writeFileSync(join(home, 'config.yaml'), `model:\n  context_length: 32000\n${settings}`);
  const line = (index: number) => `line ${index}: ${'lorem ipsum dolor '.repeat(6)}`;
  for (let file = 0; file < 9; file++)
    writeFileSync(join(cwd, `big${file}.txt`), Array.from({ length: 60 }, (_, index) => `${file} ${line(index)}`).join('\n'));
  return { home, cwd };
}
const read = (file: number): Reply => ({ calls: [{ name: 'read_file', arguments: { path: `big${file}.txt` } }] });

/** Reads nine long files and then answers; summaries are answered as they come. */
function answering(summary: Reply = { text: NOTES }, aloud = '') {
  let step = 0;
  return (request: RecordedRequest): Reply =>
    isSummary(request)
      ? summary
      : step < 9
        ? { ...read(step++), ...(aloud !== '' && { text: `${step}: ${aloud}` }) }
        : { text: 'All read.' };
}
/** What a model says is not pruned before it is summed up, as results are. */
const TALKATIVE = 'this is what I think of it; '.repeat(220);

test('a long turn is summed up on its way: the task stays, the system prompt keeps its bytes, nothing leaves the log', async () => {
  await using server = await startWireServer({ answer: answering() });
  const there = place();
  const ran = await hermes(['chat', '-q', 'Port the parser. Never touch billing.', '--json', ...toServer(server.url)], there);
  assert.equal(ran.code, 0, ran.err);
  const events = jsonLines(ran.out);
  const compacted = events.filter(({ type }) => type === 'compacted').map(({ report }) => report as Record<string, number | string>);
  assert.ok(compacted.length >= 1, ran.out.slice(0, 2_000));
  for (const report of compacted) assert.ok(Number(report['tokens_after']) < Number(report['tokens_before']));
  const asked = server.requests.filter((request) => !isSummary(request));
  const last = wordsOf(asked.at(-1));
  assert.match(last, /Port the parser\. Never touch billing\./);
  assert.match(last, /Notes on an earlier part of this conversation/);
  const systems = new Set(asked.map((request) => JSON.stringify(bodyOf(request).messages[0])));
  assert.equal(systems.size, 1, 'the system prompt is the same in every request');
  const id = String(events[0]?.['id']);
  const { entries } = JSON.parse((await hermes(['sessions', 'show', id, '--json'], there)).out) as { entries: { type: string }[] };
  assert.equal(entries.filter(({ type }) => type === 'message').length, 1 + 9 * 2 + 1);
  const usage = JSON.parse((await hermes(['usage', '--session', id, '--json'], there)).out) as { compactions: unknown[] };
  assert.equal(usage.compactions.length, compacted.length);
  const replayed = JSON.parse((await hermes(['replay', id, '--json'], there)).out) as { identical: boolean }[];
  assert.ok(replayed.every(({ identical }) => identical));
});

test('a summary that is none is refused: the old view stays and its owner is told', async () => {
  await using server = await startWireServer({ answer: answering({ text: 'Sorry.' }) });
  const there = place();
  const ran = await hermes(['chat', '-q', 'Port the parser.', '--json', ...toServer(server.url)], there);
  assert.equal(ran.code, 0, ran.err);
  const refused = jsonLines(ran.out).filter(
    ({ type, report }) => type === 'compacted' && (report as { outcome: string }).outcome === 'refused',
  );
  assert.ok(refused.length >= 1);
  assert.match(wordsOf(server.requests.findLast((request) => !isSummary(request))), /0 line 0: lorem/, 'the first file is still in view');
});

test('a plugin engine is used when it is named; a name nobody answers to falls back with one clear line', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  const there = place('context:\n  engine: tiny\n');
  const missing = await hermes(['chat', '-q', 'hi', ...toServer(server.url)], there);
  assert.deepEqual([missing.code, missing.err.match(/context engine tiny/g)?.length], [0, 1], missing.err);
  const folder = join(there.home, 'plugins', 'context_engine', 'tiny');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.mjs'),
    `export const contextEngine = () => ({
      name: 'tiny',
      view: (entries) => entries.filter((entry) => entry.type === 'message').slice(-1).map(({ message }) => ({ message })),
      estimate: () => 1,
      shouldCompress: () => false,
      compress: async () => ({ ok: false, why: 'never' }),
    });`,
  );
  const enabled = await hermes(['plugins', 'enable', 'tiny', '--yes'], there);
  assert.equal(enabled.code, 0, enabled.err);
  const first = await hermes(['chat', '-q', 'quokka', '--json', ...toServer(server.url)], there);
  await hermes(['chat', '-q', 'wombat', '--resume', String(jsonLines(first.out)[0]?.['id']), ...toServer(server.url)], there);
  assert.doesNotMatch(wordsOf(server.requests.at(-1)), /quokka/, 'its view is what goes out');
  assert.match(wordsOf(server.requests.at(-1)), /wombat/);
});

test('notes are paid for like every call: the totals have them, for a session and for all days', async () => {
  const notes: Reply = { text: NOTES, usage: { input: 777, output: 11 } };
  await using server = await startWireServer({ answer: answering(notes) });
  const there = place();
  const ran = await hermes(['chat', '-q', 'Port the parser.', '--json', ...toServer(server.url)], there);
  const written = server.requests.filter(isSummary).length;
  assert.ok(ran.code === 0 && written > 0, ran.err);
  const id = String(jsonLines(ran.out)[0]?.['id']);
  const all = await usageOf([], there);
  const one = await usageOf(['--session', id], there);
  assert.deepEqual(all.total, one.total);
  assert.equal(all.total['calls'], server.requests.length);
  assert.deepEqual(all.compaction_total, one.compaction_total);
  const { done, refused, tokens_saved: saved, calls, input } = all.compaction_total;
  assert.deepEqual([refused, calls, input], [0, written, 777 * written]);
  const reports = one.compactions ?? [];
  assert.equal(done, reports.length);
  assert.equal(
    saved,
    reports.reduce((sum, report) => sum + Number(report['tokens_before']) - Number(report['tokens_after']), 0),
  );
  assert.equal(one.calls?.filter((call) => call['purpose'] === 'compaction').length, written);
  assert.equal(all.models.find((model) => model['purpose'] === 'compaction')?.['calls'], written);
  const screen = await hermes(['usage'], there);
  assert.match(screen.out, /custom test-model \(compaction\)/);
  assert.match(screen.out, /Compactions {2}\d+ done, 0 refused; [\d,]+ tokens saved; \d+ calls? for notes, unknown/);
});
type Row = Readonly<Record<string, unknown>>;
interface Figures {
  readonly total: Row;
  readonly compaction_total: Row;
  readonly models: readonly Row[];
  readonly calls?: readonly Row[];
  readonly compactions?: readonly Row[];
}
async function usageOf(args: readonly string[], there: { readonly home: string }): Promise<Figures> {
  const figures: Figures = JSON.parse((await hermes(['usage', '--json', ...args], there)).out);
  return figures;
}

test('notes are written by the named model where the session is, in slices where its window is said to be small', async () => {
  for (const { window, sliced } of [
    { window: 60_000, sliced: false },
    { window: 5_000, sliced: true },
  ]) {
    await using server = await startWireServer({ answer: answering({ text: NOTES }, TALKATIVE) });
    const there = place(`auxiliary:\n  compression:\n    model: small-writer\n    context_length: ${window}\n`);
    const ran = await hermes(['chat', '-q', 'Port the parser.', '--json', ...toServer(server.url)], there);
    assert.equal(ran.code, 0, ran.err);
    const models = server.requests.filter(isSummary).map(modelOf);
    const compactions = jsonLines(ran.out).filter(({ type }) => type === 'compacted').length;
    assert.deepEqual([...new Set(models)], ['small-writer']);
    assert.equal(models.length > compactions, sliced, `${models.length} readings for ${compactions} compactions`);
  }
});
const modelOf = ({ body }: RecordedRequest): string => (body as { model: string }).model;

test('a model for notes that names its window is asked for less from then on', async () => {
  const limit = 3_200;
  const sizeOf = ({ body }: RecordedRequest): number => JSON.stringify(body).length / 4;
  const isSmall = (request: RecordedRequest): boolean => modelOf(request) === 'small-writer';
  const rest = answering({ text: NOTES }, TALKATIVE);
  await using server = await startWireServer({
    answer: (request) => (isSmall(request) && sizeOf(request) > limit ? { fault: faults.overflow(16_000, limit) } : rest(request)),
  });
  const there = place('auxiliary:\n  compression:\n    model: small-writer\n    context_length: 60000\n');
  const ran = await hermes(['chat', '-q', 'Port the parser.', '--json', ...toServer(server.url)], there);
  assert.equal(ran.code, 0, ran.err);
  const [first = 0, ...later] = server.requests.filter(isSmall).map(sizeOf);
  assert.ok(first > limit && later.length > 0, `${first}, then ${later.join()}`);
  assert.ok(
    later.every((size) => size <= limit),
    later.join(),
  );
});

test('off means off', async () => {
  await using server = await startWireServer({ answer: answering() });
  const there = place('compression:\n  enabled: false\n');
  const ran = await hermes(['chat', '-q', 'Port the parser.', ...toServer(server.url)], there);
  assert.equal(ran.code, 0, ran.err);
  assert.equal(server.requests.filter(isSummary).length, 0);
});

test('/compress shortens a session on request, and context_recall brings exact words back', async () => {
  let summed = false;
  const recall: Reply = { calls: [{ name: 'context_recall', arguments: { query: 'what does line 7 of file 0 say' } }] };
  const script = [read(0), read(1), { text: 'Read.' }, recall, { text: 'Found.' }];
  await using server = await startWireServer({
    answer: (request) => {
      if (isSummary(request)) {
        summed = true;
        return { text: NOTES };
      }
      return script.shift() ?? { text: 'more' };
    },
  });
  const there = place('compression:\n  protect_last_n: 1\n');
  const first = await hermes(['chat', '-q', 'Read two files.', '--json', ...toServer(server.url)], there);
  const id = String(jsonLines(first.out)[0]?.['id']);
  const ran = await hermes(['chat', '--resume', id, '-q', '/compress the parser', ...toServer(server.url)], there);
  assert.equal(ran.code, 0, ran.err);
  assert.ok(summed);
  assert.match(ran.err, /tokens in \d+ messages became/);
  await hermes(['chat', '--resume', id, '-q', 'What does line 7 of file 0 say?', ...toServer(server.url)], there);
  assert.match(wordsOf(server.requests.at(-1)), /0 line 7: lorem/);
});

test('with compactions switched off a refused size is told with what to do', async () => {
  const tooMuch: Reply = { fault: faults.overflow(12_000, 9_000) };
  await using server = await startWireServer({ answer: () => tooMuch });
  const there = place('compression:\n  enabled: false\n');
  const ran = await hermes(['chat', '-q', 'Port the parser.', ...toServer(server.url)], there);
  assert.equal(ran.code, 1);
  assert.match(ran.err, /compression\.enabled is off; .*hermes config set compression\.enabled true/);
});

test('/compress without a session says that there is none, and how to name one', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'never' }) });
  for (const words of ['/compress', '/compress the parser', ' /compact']) {
    const ran = await hermes(['chat', '-q', words, ...toServer(server.url)], place());
    assert.deepEqual([ran.code, ran.out], [2, ''], ran.err);
    assert.match(ran.err, /nothing to compress: .*--resume ID .*hermes sessions compress ID/);
  }
  assert.equal(server.requests.length, 0);
});

test('tools list names what the context engine brings along', async () => {
  const there = place();
  const listed = await hermes(['tools', 'list'], there);
  assert.match(listed.out, /✓ context_recall .*\n.*with every toolset/);
  const rows: readonly { name: string; toolsets: string[]; available: boolean }[] = JSON.parse(
    (await hermes(['tools', 'list', '--json', '-t', 'terminal'], there)).out,
  );
  assert.deepEqual(
    rows.filter(({ name }) => name === 'context_recall').map(({ toolsets, available }) => [toolsets, available]),
    [[[], true]],
  );
  const window = await hermes(['tools', 'list'], place('context:\n  engine: window\n'));
  assert.doesNotMatch(window.out, /context_recall/);
});

test('a message larger than the window: one line says that it was shortened, and none that it was not', async () => {
  const LIMIT = 8_000;
  await using server = await startWireServer({
    answer: (request) => {
      if (isSummary(request)) return { text: NOTES };
      const tokens = Math.round(request.text.length / 4);
      return tokens > LIMIT ? { fault: faults.overflow(tokens, LIMIT) } : { text: 'ok', usage: { input: tokens, output: 2 } };
    },
  });
  const words = Array.from({ length: 4_000 }, (_, index) => `item${index}`).join(' ');
  const ran = await hermes(['chat', '-q', `Read this: ${words} Answer in French.`, ...toServer(server.url)], place());
  assert.deepEqual([ran.code, ran.out], [0, 'ok\n'], ran.err);
  assert.match(
    ran.err,
    /tokens in 1 message became \d+ in 1.*the latest request does not fit the window, so the model sees its beginning and its end/,
  );
  assert.doesNotMatch(ran.err, /was not shortened|kept whole/);
  assert.match(wordsOf(server.requests.at(-1)), /Answer in French/);
});
