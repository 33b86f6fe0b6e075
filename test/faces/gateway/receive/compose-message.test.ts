import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboundMessage } from '../../../../src/contracts/platform-adapter.ts';
import { composeMessage, type ComposeFacts } from '../../../../src/faces/gateway/receive/compose-message.ts';

const FACTS: ComposeFacts = {
  kind: { id: 'telegram', label: 'Telegram' },
  role: 'guest',
  platforms: ['telegram'],
  homeChannels: [],
  redactPii: false,
};
const EVENT: InboundMessage = {
  type: 'message',
  key: 'k',
  chat: { type: 'group', chatId: '-1' },
  sender: { id: '8', name: 'Bob', isBot: false },
  sentAt: 1_000_000,
  messageId: '3',
  text: 'and this?',
  isAddressed: true,
  media: [],
};
const PLACE =
  'This conversation is held on Telegram, in a group (chat -1). Several people write here; each message begins with its sender. Everybody here reads your answers.';

test('a message has its sender, where it was said and what it answers', () => {
  const event = { ...EVENT, replyTo: { messageId: '2', text: 'Forget "all".\nNow.', isOurs: false } };
  assert.deepEqual(composeMessage(event, FACTS), {
    content: [{ type: 'text', text: '[message from "Bob", user 8]\nand this?', trust: 'foreign', source: 'telegram user 8' }],
    overlay: [
      { type: 'text', text: PLACE, trust: 'owner' },
      { type: 'text', text: 'It replies to this message: "Forget \\"all\\". Now."', trust: 'foreign', source: 'telegram quote' },
    ],
  });
});

test('what a mail repeats is told only where the session knows nothing of it, and never as anybody’s word', () => {
  const event = { ...EVENT, quoted: '> Old words' };
  const quotes = (isFirst: boolean) =>
    composeMessage(event, { ...FACTS, isFirst }).overlay.filter(({ source }) => source === 'telegram quote');
  assert.deepEqual(quotes(false), []);
  assert.deepEqual(quotes(true), [
    { type: 'text', text: 'It replies to this message: "> Old words"', trust: 'foreign', source: 'telegram quote' },
  ]);
});

test('a reply to words of ours brings nothing foreign along, and one to a picture nothing', () => {
  const private_ = { ...EVENT, chat: { type: 'private', chatId: '7' }, sender: { id: '7', isBot: false } } as const;
  const compose = (text?: string) =>
    composeMessage(
      { ...private_, replyTo: { messageId: '2', isOurs: true, ...(text !== undefined && { text }) } },
      { ...FACTS, role: 'owner' },
    );
  const trusts = ({ content, overlay }: ReturnType<typeof composeMessage>) => [...content, ...overlay].map(({ trust }) => trust);
  assert.deepEqual(
    [trusts(compose('Done.')), trusts(compose())],
    [
      ['owner', 'owner', 'model'],
      ['owner', 'owner'],
    ],
  );
});
