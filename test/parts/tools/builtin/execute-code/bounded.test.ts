import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBoundedText } from '../../../../../src/parts/tools/builtin/execute-code/bounded.ts';
import { secretsWith } from '../../../safety/secrets/setup.ts';

const ROOM = 10_000;
const KNOWN = 'Zq8vL2mN-x71Tn55kd';
/** Known by its shape alone. */
const LIKELY = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const { mask } = secretsWith({ MY_API_KEY: KNOWN });

function shortened(text: string, piece = 1_000): string {
  const kept = openBoundedText(ROOM, mask);
  for (let at = 0; at < text.length; at += piece) kept.add(text.slice(at, at + piece));
  return kept.text(ROOM);
}
/** The longest part of a secret that shows. */
const showing = (text: string, secret: string): number =>
  secret
    .split('')
    .reduce(
      (most, _, length) => (text.includes(secret.slice(0, length + 1)) || text.includes(secret.slice(-length - 1)) ? length + 1 : most),
      0,
    );

test('a secret that lies across a border of what is left out does not show in part, wherever it lies', () => {
  for (const size of [15_000, 300_000])
    for (const secret of [LIKELY, KNOWN])
      for (let at = -45; at <= 5; at += 5)
        for (const border of [ROOM / 2 - 30, size - ROOM / 2 + 30]) {
          const before = '. '.repeat(size).slice(0, border + at);
          const text = `${before} ${secret} ${'. '.repeat(size)}`.slice(0, size);
          const told = shortened(text);
          assert.ok(Buffer.byteLength(told) <= ROOM, String(size));
          assert.match(told, /bytes left out/);
          assert.ok(showing(told, secret) < 3, `${size} ${border} ${at}: ${showing(told, secret)} characters`);
        }
});

test('the borders of what is looked at are never shown either: a text of secrets alone', () => {
  const told = shortened(`${LIKELY}\n`.repeat(20_000), 777);
  assert.ok(showing(told, LIKELY) < 3);
});

test('a text that fits comes back whole, one that fits once it is masked too; characters stay whole', () => {
  assert.equal(shortened('äöü€'.repeat(500)), 'äöü€'.repeat(500));
  const many = `${LIKELY} `.repeat(ROOM / LIKELY.length + 10);
  assert.equal(shortened(many), mask(many));
  const brief = `${KNOWN} `.repeat(ROOM / (KNOWN.length + 1));
  assert.ok(mask(brief).length > ROOM);
  assert.equal(shortened(brief), mask(brief), 'placeholders push nothing out of what was short enough');
  const cut = shortened('€'.repeat(ROOM), 333);
  assert.ok(!cut.includes('\u{fffd}') && cut.startsWith('€') && cut.endsWith('€'));
});
