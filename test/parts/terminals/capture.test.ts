import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMaskingStream } from '../../../src/parts/safety/secrets/masking-stream.ts';
import { createCapture } from '../../../src/parts/terminals/process/capture.ts';
import { secretsWith } from '../safety/secrets/setup.ts';

const KNOWN = 'Correct-Horse-Battery-Staple-9317';
const secrets = secretsWith({ PASSWORD: KNOWN });
const clean = (use: 'shown' | 'kept') => (use === 'shown' ? secrets.stream() : createMaskingStream(secrets));
const body = (count: number): string => Array.from({ length: count }, (_, index) => `MIIE${index}vQIBADANBgkqhkiG9w0BAQ`).join('\n');

/** A text around what must not be seen, and the piece of it nobody may find. */
const TABLE: readonly { readonly name: string; readonly text: string; readonly hidden: RegExp }[] = [
  { name: 'a known value', text: KNOWN, hidden: /rrect-H|Staple/ },
  { name: 'a token by its maker', text: ` ghp_${'Zq7'.repeat(14)} `, hidden: /Zq7/ },
  { name: 'a value by the word before it', text: ' {"api_key": "QQwweeRRtt1122QQwweeRRtt1122"} ', hidden: /QQww|tt1122/ },
  { name: 'a header', text: ' Authorization: Bearer Xx9Xx9Xx9Xx9Xx9Xx9Xx9Xx9Xx9Xx9 ', hidden: /Xx9/ },
  { name: 'a long token', text: ` eyJ${'hbGc'.repeat(900)}.${'Yy8z'.repeat(900)}.sig `, hidden: /hbGc|Yy8z/ },
  {
    name: 'a private key of many lines',
    text: `\n-----BEGIN PRIVATE KEY-----\n${body(60)}\n-----END PRIVATE KEY-----\n`,
    hidden: /vQIBADAN/,
  },
];
const ROOM = 20_000;

/** The text stands so that the border of the gap goes through it, at every third of it, at the head and at the tail. */
function placed(text: string, filler: string): string[] {
  const fill = (length: number) => filler.repeat(Math.ceil(length / filler.length)).slice(0, Math.max(0, length));
  return [0.1, 0.35, 0.6, 0.9].flatMap((part) => {
    const before = Math.floor(text.length * part);
    return [
      fill(ROOM / 2 - before) + text + fill(60_000),
      fill(60_000) + text + fill(ROOM / 2 - (text.length - before)),
      // Hardly more than there is room for: both ends are one text.
      fill(ROOM / 2 - before) + text + fill(ROOM / 2),
    ];
  });
}

for (const { name, text, hidden } of TABLE) {
  test(`${name} across the border of the gap is not seen in part`, () => {
    for (const filler of ['x.', 'some words of a line that does not end ', 'a line\n'.repeat(10)]) {
      for (const whole of placed(text, filler)) {
        const kept = createCapture(ROOM, undefined, clean);
        for (let at = 0; at < whole.length; at += 4_093) kept.add(Buffer.from(whole.slice(at, at + 4_093)));
        const { output, omitted } = kept.finish();
        assert.ok(omitted > 0 || whole.length - output.length > 0);
        assert.ok(output.length < ROOM + 200, `${output.length}`);
        assert.ok(output.length > ROOM - 5_500 - 2 * text.length, `${output.length}`);
        // As every result of a tool is masked once more, whole.
        assert.doesNotMatch(secrets.mask(output), hidden, `${filler.slice(0, 10)} ${whole.indexOf(text)}`);
      }
    }
  });
}

test('a few lines of a process show nothing of a key that began before them', () => {
  const kept = createCapture(ROOM, undefined, clean);
  kept.add(Buffer.from(`-----BEGIN PRIVATE KEY-----\n${body(40)}\n-----END PRIVATE KEY-----\nready\n`));
  const lines = kept.window().trimEnd().split('\n').slice(-20).join('\n');
  assert.doesNotMatch(secrets.mask(lines), /vQIBADAN/);
  assert.match(lines, /ready$/);
});

test('without secrets to look for, head and tail are what came, to the letter', () => {
  const kept = createCapture(10);
  kept.add(Buffer.from('abcdefgh'));
  assert.deepEqual(kept.so(), { output: 'abcdefgh', omitted: 0 });
  kept.add(Buffer.from('ijklmnopqrstuvwxyz'));
  assert.deepEqual(kept.so(), { output: 'abcde\n[… 16 characters left out …]\nvwxyz', omitted: 16 });
});

test('what failed survives the cut: the one `not ok` in 50 KB of `ok` is told with its line', () => {
  const lines = Array.from({ length: 5_001 }, (_, index) => `${index === 2_500 ? 'not ok' : 'ok'} ${index} - a test with a name\n`);
  const kept = createCapture(30_000);
  const whole = lines.join('');
  for (let at = 0; at < whole.length; at += 4_093) kept.add(Buffer.from(whole.slice(at, at + 4_093)));
  const { output } = kept.finish();
  assert.match(
    output,
    /^ok 0 [^]*characters left out; lines in it that tell of a failure:\]\nL2501: not ok 2500 - a test with a name\n\[…\]\n[^]*ok 5000 /,
  );
  assert.ok(output.length < 31_000);
  assert.equal(kept.ends().lines, 5_001);
  const small = createCapture(30_000);
  small.add(Buffer.from('ok 1\nnot ok 2\n'));
  assert.equal(small.finish().output, 'ok 1\nnot ok 2\n');
});

test('`\\r` progress collapses to what a screen shows in the end', () => {
  const bars = Array.from({ length: 101 }, (_, index) => `\rreceiving ${index}%`).join('');
  const kept = createCapture(1_000);
  for (const piece of `begin\r\n${bars}, done.\nend\r`.match(/[^]{1,7}/g) ?? []) kept.add(Buffer.from(piece));
  assert.deepEqual(kept.so(), { output: 'begin\r\nreceiving 100%, done.\nend\r', omitted: 0 });
  kept.add(Buffer.from('\n50%\r100%\r'));
  assert.equal(kept.so().output, 'begin\r\nreceiving 100%, done.\nend\r\n100%\r');
  assert.deepEqual(kept.ends().lines, 4);
  const long = createCapture(20_000);
  long.add(Buffer.from(`${'x'.repeat(5_000)}\rshort\n`));
  assert.equal(long.finish().output, 'short\n', 'however long, when it comes at once');
});
