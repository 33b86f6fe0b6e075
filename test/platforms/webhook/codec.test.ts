import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { deliveryIdOf, eventKeyOf, isWanted, readEventName, toMessage } from '../../../src/platforms/webhook/codec.ts';
import type { WebhookRoute } from '../../../src/platforms/webhook/entries.ts';

const ROUTE: WebhookRoute = { name: 'r', secret: 's', scheme: 'auto', events: [], skills: [], isDirect: false };

test('an event has the name its header says, else the one in its body', () => {
  const rows: readonly (readonly [Readonly<Record<string, string>>, JsonObject, string | undefined])[] = [
    [{ 'x-github-event': 'issues' }, { type: 'other' }, 'issues'],
    [{ 'x-gitlab-event': 'Push Hook' }, {}, 'Push Hook'],
    [{}, { event_type: 'deploy', type: 'other' }, 'deploy'],
    [{}, { type: 'invoice.paid' }, 'invoice.paid'],
    [{}, {}, undefined],
    [{}, { type: 7 }, undefined],
  ];
  for (const [headers, body, name] of rows) assert.equal(readEventName({ headers, body }), name);
});

test('a route hears the events it is for, also by their action; a ping of GitHub is none', () => {
  const github = (event: string, action?: string) => ({
    headers: { 'x-github-event': event },
    body: action === undefined ? {} : { action },
  });
  const rows: readonly (readonly [readonly string[], ReturnType<typeof github>, boolean])[] = [
    [[], github('issues'), true],
    [['issues'], github('issues', 'closed'), true],
    [['issues.opened'], github('issues', 'opened'), true],
    [['issues.opened'], github('issues', 'closed'), false],
    [['push'], github('issues', 'opened'), false],
    [[], github('ping'), false],
    [['ping'], github('ping'), true],
    [['issues'], { headers: {}, body: {} } as ReturnType<typeof github>, false],
  ];
  for (const [events, request, isHeard] of rows)
    assert.equal(isWanted({ events }, request), isHeard, `${events.join()} ${JSON.stringify(request)}`);
});

test('ids that a sender made up become neither long nor equal', () => {
  const verified = (id: string) => ({ scheme: 'generic', id, once: `id:${id}` }) as const;
  const ids = ['plain-1', 'x'.repeat(5_000), 'y'.repeat(5_000), 'with blank', 'with\u0000zero', 'é', ':'];
  const keys = ids.map((id) => eventKeyOf(ROUTE, verified(id)));
  assert.equal(new Set(keys).size, ids.length);
  assert.equal(new Set(ids.map((id) => deliveryIdOf(verified(id)))).size, ids.length);
  for (const key of keys) assert.match(key, /^r:[\x21-\x7e]{1,128}$/);
  assert.notEqual(eventKeyOf(ROUTE, verified('a')), eventKeyOf({ name: 'r2' }, verified('a')));
});

test('an event without words of its route is told as it came', () => {
  const request = { verified: { scheme: 'generic', id: 'e1', once: 'id:e1' } as const, headers: {}, body: { a: 1 }, raw: '{"a":1}' };
  assert.deepEqual(toMessage(ROUTE, request, 7), {
    type: 'message',
    key: 'r:id:e1',
    chat: { type: 'private', chatId: 'r:e1', name: 'r', isOneOff: true },
    sender: { id: 'r', isBot: false },
    sentAt: 7,
    messageId: 'e1',
    text: 'An event arrived by the webhook "r". Say in a few sentences what happened and what matters about it.\n\n{"a":1}',
    isAddressed: true,
    media: [],
    task: {
      label: 'Webhook r',
      instructions: 'An event arrived by the webhook "r". Say in a few sentences what happened and what matters about it.\n\n{__raw__}',
      values: '__raw__: {"a":1}',
    },
  });
});
