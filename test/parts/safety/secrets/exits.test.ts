import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { AgentEvent, Outcome } from '../../../../src/contracts/event.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import type { EncodedRequest, Provider } from '../../../../src/contracts/provider.ts';
import type { RunningProcess, Terminal } from '../../../../src/contracts/terminal.ts';
import { redactEvents } from '../../../../src/parts/safety/secrets/events.ts';
import { createMaskingStream } from '../../../../src/parts/safety/secrets/masking-stream.ts';
import { createRedactingProvider } from '../../../../src/parts/safety/secrets/provider.ts';
import { createRedactingTerminal } from '../../../../src/parts/safety/secrets/terminal.ts';
import { secretsWith } from './setup.ts';

const VALUE = 'k9fJ2mQx7Lp0v';
const SECRETS = secretsWith({ MY_KEY: VALUE });
const HIDDEN = SECRETS.redact(VALUE);

const FOLDER = mkdtempSync(join(tmpdir(), 'hermes-exits-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

test('words that come in pieces are told without the secret they make up, before their message ends', async () => {
  const outcome: Outcome = { type: 'answered', exitReason: 'answered', text: `It is ${VALUE}` };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  async function* turn(): AsyncGenerator<AgentEvent, Outcome> {
    yield { type: 'thinking_delta', delta: `Is it ${VALUE.slice(0, 3)}` };
    yield { type: 'text_delta', delta: `It is ${VALUE.slice(0, 6)}` };
    yield { type: 'notice', text: VALUE };
    yield { type: 'thinking_delta', delta: VALUE.slice(3) };
    yield { type: 'text_delta', delta: VALUE.slice(6) };
    yield { type: 'sampled', message: { role: 'assistant', content: [createTextBlock(`It is ${VALUE}`, 'model')] }, usage, callId: 'c' };
    yield { type: 'settled', outcome };
    return outcome;
  }
  const told: AgentEvent[] = [];
  const events = redactEvents(turn(), SECRETS);
  let step = await events.next();
  for (; step.done !== true; step = await events.next()) told.push(step.value);
  const clean = { ...outcome, text: `It is ${HIDDEN}` };
  assert.deepEqual(told, [
    { type: 'thinking_delta', delta: 'Is it ' },
    { type: 'text_delta', delta: 'It is ' },
    { type: 'notice', text: HIDDEN },
    { type: 'thinking_delta', delta: HIDDEN },
    { type: 'text_delta', delta: HIDDEN },
    { type: 'sampled', message: { role: 'assistant', content: [createTextBlock(`It is ${HIDDEN}`, 'model')] }, usage, callId: 'c' },
    { type: 'settled', outcome: clean },
  ]);
  assert.deepEqual(step.value, clean);
});

test('who leaves the events early leaves the turn', async () => {
  let left = false;
  async function* turn(): AsyncGenerator<AgentEvent, void> {
    try {
      yield { type: 'notice', text: 'one' };
      yield { type: 'notice', text: 'two' };
    } finally {
      left = true;
    }
  }
  for await (const _ of redactEvents(turn(), SECRETS)) break;
  assert.equal(left, true);
});

test('a request that holds a secret all the same goes out without it, and one that holds none as it is', () => {
  const encoded = (body: string): EncodedRequest => ({ request: {} as never, body, bytes: () => Buffer.from(body), segments: [] });
  const provider = (body: string): Provider => ({ encode: () => encoded(body), stream: () => assert.fail('not asked') });
  const dirty = createRedactingProvider(provider(`{"a":"${VALUE}"}`), SECRETS).encode({} as never);
  assert.equal(dirty.body, `{"a":"${HIDDEN}"}`);
  assert.equal(Buffer.from(dirty.bytes()).toString(), dirty.body);
  const clean = encoded('{}');
  assert.equal(createRedactingProvider({ ...provider(''), encode: () => clean }, SECRETS).encode({} as never), clean);
});

test('pictures and attached files keep their bytes, everything around them is redacted', () => {
  const data = Buffer.from(VALUE).toString('base64');
  const image = { type: 'image', mime: 'image/png', data, trust: 'tool' };
  assert.deepEqual(SECRETS.redactAll({ [VALUE]: [image, { type: 'text', text: VALUE }] }), {
    [HIDDEN]: [image, { type: 'text', text: HIDDEN }],
  });
  const untouched = { a: ['nothing', { b: 1, c: null }] };
  assert.equal(SECRETS.redactAll(untouched), untouched);
});

/** A place that takes no filter: it cuts and writes as things come. */
function careless(pieces: readonly string[]): Terminal {
  const whole = pieces.join('');
  const running = (): RunningProcess => ({
    pid: 1,
    command: 'x',
    startedAt: 0,
    status: () => ({ state: 'exited', exitCode: 0 }),
    output: () => whole,
    outputEnds: () => ({ begin: whole, lines: 1 }),
    onOutput: (listener) => {
      pieces.forEach(listener);
      return () => {};
    },
    write: () => {},
    end: () => {},
    kill: async () => {},
    exited: new Promise((done) => setImmediate(() => done(0))),
  });
  return {
    kind: 'careless',
    cwd: '/',
    files: {} as never,
    run: async (_command, options) => {
      for (const piece of pieces) options.onOutput?.(piece);
      if (options.keepAll !== undefined) writeFileSync(options.keepAll, whole);
      return { exitCode: 0, ended: 'exited', output: whole, omitted: 0, cwd: '/' };
    },
    start: async (_command, options) => {
      if (options.keepAll !== undefined) writeFileSync(options.keepAll, whole);
      return running();
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

test('whatever a terminal does, nobody hears, sees or finds a secret in its output', async () => {
  const terminal = createRedactingTerminal(careless(['it is ', VALUE.slice(0, 4), VALUE.slice(4), '\nand more']), SECRETS);
  const heard: string[] = [];
  const keepAll = join(FOLDER, 'run.txt');
  const signal = new AbortController().signal;
  const ran = await terminal.run('x', { signal, timeoutMs: 1_000, maxOutput: 100, keepAll, onOutput: (chunk) => heard.push(chunk) });
  assert.equal(ran.output, `it is ${HIDDEN}\nand more`);
  assert.equal(heard.join(''), ran.output);
  assert.equal(readFileSync(keepAll, 'utf8'), ran.output);
  const started = await terminal.start('x', { maxOutput: 100, keepAll: `${keepAll}2` });
  const later: string[] = [];
  started.onOutput((chunk) => later.push(chunk));
  await started.exited;
  assert.equal(started.output(), ran.output);
  assert.equal(later.join(''), ran.output);
  assert.equal(readFileSync(`${keepAll}2`, 'utf8'), ran.output);
});

test('what looks like a secret is masked line by line, however the pieces fall', () => {
  const stream = createMaskingStream(SECRETS);
  const said = ['DB_PASS', 'WORD=a1b2', 'c3d4e5\nprompt', '> '].map((piece) => stream.push(piece));
  assert.match(said.join('|'), /^\|\|DB_PASSWORD=«secret:assignment:[0-9a-f]{10}»\n\|$/);
  assert.equal(stream.end(), 'prompt> ');
});

const inPieces = (said: string, size: number): string => {
  const stream = createMaskingStream(SECRETS);
  let out = '';
  for (let at = 0; at < said.length; at += size) out += stream.push(said.slice(at, at + size));
  return out + stream.end();
};

test('a private key that comes line by line is masked whole', () => {
  const body = Array.from({ length: 24 }, (_, line) => `MIIEvQ${String(line).padStart(2, '0')}`.padEnd(64, 'Zk9')).join('\n');
  const said = `before\n-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\nafter\n`;
  for (const size of [7, 65, 1000]) {
    const out = inPieces(said, size);
    assert.ok(!out.includes('MIIEvQ'), `${size}: ${out}`);
    assert.match(out, /^before\n[^]*after\n$/);
  }
});

test('a key that never ends is let go in the end', () => {
  const said = `-----BEGIN CERTIFICATE-----\n${'0123456789 abc\n'.repeat(4_000)}`;
  const stream = createMaskingStream(SECRETS);
  assert.ok(stream.push(said).length > 0);
});

test('a line without an end is let go between words, so that no secret is cut in two', () => {
  const secret = 'ghp_0123456789abcdefABCDEF0123456789abcd';
  for (const size of [997, 4_096, 65_530]) {
    const said = `${'word '.repeat(13_200)}${secret} ${'word '.repeat(13_200)}`;
    const out = inPieces(said, size);
    assert.ok(!out.includes('0123456789abcdef'), String(size));
  }
});
