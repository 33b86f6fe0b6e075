import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSessionKey, parseSessionKey, type SessionKeyParts } from '../../../../src/faces/gateway/addresses/session-key.ts';
import { forAll, type SeededRandom } from '../../../../src/testing/seeded-random.ts';

const telegram = { platform: 'telegram', account: 'main' };

const KEYS: readonly (readonly [string, ...Parameters<typeof buildSessionKey>])[] = [
  ['agent:main:telegram:private:123456789', telegram, { type: 'private', chatId: '123456789' }, { id: '123456789' }],
  ['agent:main:telegram:group:-1001', telegram, { type: 'group', chatId: '-1001' }, { id: 'one' }],
  ['agent:main:telegram:group:-1001', telegram, { type: 'group', chatId: '-1001' }, { id: 'another' }],
  ['agent:main:telegram:group:-1001/77', telegram, { type: 'group', chatId: '-1001', threadId: '77' }],
  ['agent:work:telegram:private:5', { platform: 'telegram', account: 'work' }, { type: 'private', chatId: '5' }],
  [
    'agent:main:slack:thread:C1/1700000000.1',
    { platform: 'slack', account: 'main' },
    { type: 'thread', chatId: 'C1', threadId: '1700000000.1' },
  ],
  ['agent:main:matrix:group:!room%3Aserver', { platform: 'matrix', account: 'main' }, { type: 'group', chatId: '!room:server' }],
];
for (const [key, ...parts] of KEYS)
  test(`${key} is the key of ${JSON.stringify(parts[1])}`, () => assert.equal(buildSessionKey(...parts), key));

test('a person without a chat has a session alone', () => {
  const place = { type: 'private', chatId: '' } as const;
  const keys = [{ id: 'a' }, { id: 'b' }, undefined].map((sender) => buildSessionKey(telegram, place, sender));
  assert.deepEqual(keys, ['agent:main:telegram:private:~a', 'agent:main:telegram:private:~b', 'agent:main:telegram:private:']);
  assert.notEqual(buildSessionKey(telegram, { type: 'private', chatId: '~a' }), keys[0]);
});

const SIGNS = [
  'a',
  'A',
  '1',
  '-',
  '!',
  '@',
  ':',
  '%',
  '/',
  '~',
  '3',
  '3A',
  '%3A',
  ' ',
  '\n',
  '\u0000',
  '\u200b',
  'é',
  'e\u0301',
  '𝒳',
  '\ud83d',
  '\ude00',
  '会',
] as const;
const drawId = (chance: SeededRandom): string => chance.list(0, 5, () => chance.pick(SIGNS)).join('');
function drawParts(chance: SeededRandom): SessionKeyParts {
  const chatId = chance.hits(0.1) ? '' : drawId(chance);
  return {
    platform: drawId(chance),
    account: chance.pick(['main', drawId(chance)]),
    type: chance.pick(['private', 'group', 'channel', 'thread']),
    chatId,
    ...(chance.hits(0.5) && { threadId: drawId(chance) }),
    ...(chatId === '' && { senderId: drawId(chance) }),
  };
}

test('whatever ids are made of, a key leads back to its chat and to no other', () =>
  forAll(3_000, (chance) => {
    const parts = drawParts(chance);
    const { senderId, ...chat } = parts;
    const key = buildSessionKey(parts, chat, senderId === undefined ? undefined : { id: senderId });
    assert.deepEqual(parseSessionKey(key), parts);
    // What is stored as UTF-8 comes back as it was.
    assert.equal(Buffer.from(key).toString(), key);
  }));

for (const text of [
  '',
  'agent',
  'agent:main:telegram:dm:1',
  'agent:main:telegram:group',
  'agent:main:telegram:group:1:2',
  'agent:main:telegram:group:1/2/3',
  'other:main:telegram:group:1',
])
  test(`“${text}” is no key`, () => assert.equal(parseSessionKey(text), undefined));
