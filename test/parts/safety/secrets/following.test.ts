import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countSharedPrefix } from '../../../../src/parts/safety/secrets/following.ts';
import { createSecrets } from '../../../../src/parts/safety/secrets/secrets.ts';
import { forAll, type SeededRandom } from '../../../../src/testing/seeded-random.ts';

const VALUES = ['hunter2-hunter2', 'sk-quiet-0123456789abcdef', 'a"quoted\\value"!'];
const open = () => createSecrets({ known: () => VALUES.map((value, index) => ({ name: `KEY_${index}`, value })), salt: () => 'salt' });

/** Words, values, pieces of values and placeholders, so that borders fall everywhere. */
function piece(chance: SeededRandom, redact: (text: string) => string): string {
  const value = chance.pick(VALUES as [string, ...string[]]);
  return chance.weighed({ words: 6, part: 3, whole: 1, standing: 2 }) === 'words'
    ? 'plain words '.slice(0, chance.int(0, 12))
    : chance.pick([value.slice(0, chance.int(1, value.length)), value.slice(chance.int(0, value.length - 1)), value, redact(value)]);
}

test('looking only at what is new gives what looking at everything gives', async () => {
  await forAll(300, (chance) => {
    const secrets = open();
    const following = secrets.following();
    let text = '';
    for (let step = 0; step < 12; step++) {
      text = text.slice(0, chance.int(0, text.length)) + chance.list(0, 6, () => piece(chance, secrets.redact)).join('');
      assert.equal(following(text), secrets.redact(text), JSON.stringify(text));
    }
  });
});

test('a secret that becomes known is found where nothing was found before', () => {
  const secrets = open();
  const following = secrets.following();
  const text = 'the word of the day is correct-horse-battery, and that is long known';
  assert.equal(following(text), text);
  secrets.learn('DAY', 'correct-horse-battery');
  assert.ok(!following(`${text}.`).includes('correct-horse-battery'));
});

test('the shared beginning is as long as a look at each letter says', async () => {
  await forAll(200, (chance) => {
    const [one, other] = [0, 1].map(() => chance.list(0, 30, () => chance.pick(['a', 'b', 'é'])).join(''));
    const shared = (one ?? '').split('').findIndex((letter, index) => letter !== (other ?? '')[index]);
    assert.equal(countSharedPrefix(one ?? '', other ?? ''), shared < 0 ? (one ?? '').length : shared);
  });
});
