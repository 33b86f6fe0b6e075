import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPushReader, createRejection, type ReadPush } from '../../../src/parts/terminals/network/push-request.ts';

const [A, B, NONE] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];
const line = (text: string): string => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
const CAPABILITIES = '\0 report-status-v2 side-band-64k object-format=sha1 agent=git/2.39.5';
const readPush = (bytes: Buffer): ReadPush => createPushReader()(bytes);
const read = (...parts: readonly string[]) => readPush(Buffer.from(parts.join('')));

const PUSH = [line(`shallow ${A}`), line(`${A} ${B} refs/heads/main${CAPABILITIES}`), line(`${NONE} ${A} refs/tags/ü`), '0000'].join('');

test('ref updates are read up to the flush, wherever the stream is cut', () => {
  const whole = Buffer.from(`${PUSH}PACK and so on`);
  const end = Buffer.byteLength(PUSH);
  for (let length = 0; length < end; length++) assert.equal(readPush(whole.subarray(0, length)).type, 'more', String(length));
  for (const length of [end, end + 1, whole.length]) {
    const found = readPush(whole.subarray(0, length));
    assert.ok(found.type === 'push');
    assert.deepEqual(found.updates, [
      { old: A, new: B, ref: 'refs/heads/main' },
      { old: NONE, new: A, ref: 'refs/tags/ü' },
    ]);
    assert.equal(found.bytes.toString(), PUSH);
    assert.equal(found.rest.length, length - end);
    assert.ok(found.capabilities.has('side-band-64k'));
  }
});

test('a client that sends byte by byte is read as any other, and costs no more', () => {
  const count = 12_000;
  const lines = Array.from({ length: count }, (_, at) => line(`${NONE} ${A} refs/heads/branch-${at}${at === 0 ? CAPABILITIES : ''}`));
  const whole = Buffer.from(`${lines.join('')}0000P`);
  const take = createPushReader();
  // Reading it anew with each byte would take half an hour.
  for (let at = 0; at < whole.length - 2; at++) assert.equal(take(whole.subarray(at, at + 1)).type, 'more');
  const found = take(whole.subarray(-2));
  assert.ok(found.type === 'push');
  assert.equal(found.updates.length, count);
  assert.ok(found.bytes.equals(whole.subarray(0, -1)));
  assert.equal(found.rest.toString(), 'P');
});

test('a push of nothing is a flush, and options of a push come after it', () => {
  assert.equal(read('0000').type, 'push');
  const found = read(line(`${NONE} ${A} refs/heads/x\0 push-options`), '0000', line('ci.skip'), '0000PACK');
  assert.ok(found.type === 'push');
  assert.deepEqual([found.rest.toString(), found.updates.length], ['PACK', 1]);
  assert.match(found.bytes.toString(), /0000[\da-f]{4}ci\.skip\n?0000$/);
});

test('the longer names of newer repositories are read as well, but not mixed', () => {
  const long = 'c'.repeat(64);
  assert.equal(read(line(`${long} ${'0'.repeat(64)} refs/heads/x\0 object-format=sha256`), '0000').type, 'push');
  assert.equal(read(line(`${long} ${A} refs/heads/x\0 x`), '0000').type, 'bad');
});

const ok = `${A} ${B} refs/heads/main`;
const HOSTILE: Readonly<Record<string, string>> = {
  'no length': `zzzz${ok}`,
  'a negative length': `-001${ok}`,
  'a length in capitals, which readers may take or not': line(ok).toUpperCase(),
  'an end that is none here': `${line(`${NONE} ${A} refs/heads/x${CAPABILITIES}`)}0001`,
  another: `${line(`${NONE} ${A} refs/heads/x${CAPABILITIES}`)}0002`,
  'a length that cannot be': '0003',
  'an empty line': '0004',
  'a certificate': `${line('push-cert\0 report-status')}${line('certificate version 0.1\n')}`,
  'hashes in capitals': line(`${A.toUpperCase()} ${B} refs/heads/main`),
  'a short hash': line(`${A.slice(1)} ${B} refs/heads/main`),
  'no ref': line(`${A} ${B} `),
  'a ref outside of refs': line(`${A} ${B} HEAD`),
  'a line break in a ref': line(`${A} ${B} refs/heads/x\n${A} ${B} refs/heads/y`),
  'a blank in a ref': line(`${A} ${B} refs/heads/x y`),
  'a second end of a string': line(`${ok}\0 report-status\0 x`),
  'words behind a later update': `${line(`${NONE} ${A} refs/heads/x\0 a`)}${line(`${ok}\0 b`)}`,
  'a shallow line that is none': line(`shallow ${ok}`),
};
for (const [name, text] of Object.entries(HOSTILE)) test(`${name} is no push`, () => assert.equal(read(text, '0000').type, 'bad'));

test('a list without an end is given up', () => {
  const one = line(`${NONE} ${A} refs/heads/${'x'.repeat(60_000)}`);
  assert.equal(read(one.repeat(80)).type, 'bad');
  assert.equal(read(one.repeat(3)).type, 'more');
});

test('a rejection is what a remote would say, in the way the client asked for', () => {
  const push = (capabilities: string) => {
    const found = read(line(`${ok}\0${capabilities}`), line(`${NONE} ${A} refs/heads/x`), '0000');
    assert.ok(found.type === 'push');
    return createRejection(found, ({ ref }) => (ref.endsWith('main') ? 'no' : 'not alone')).toString();
  };
  const report = `${line('unpack ok\n')}${line('ng refs/heads/main no\n')}${line('ng refs/heads/x not alone\n')}0000`;
  assert.equal(push(' report-status'), report);
  assert.equal(push(' report-status-v2 side-band-64k'), `${line(`\x01${report}`)}0000`);
  assert.equal(push(' quiet'), '');
});
