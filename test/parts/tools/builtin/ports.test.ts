import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryRequest, Ports, ScheduleRequest } from '../../../../src/contracts/ports.ts';
import { cronjobTool, type CronjobInput } from '../../../../src/parts/tools/builtin/cronjob.ts';
import { sendMessageTool } from '../../../../src/parts/tools/builtin/send-message.ts';
import { answer, contextIn, deskAt } from '../setup.ts';

const send = (input: Partial<DeliveryRequest>, ports: Ports) =>
  answer(sendMessageTool({ ports }), input, contextIn(deskAt('/'), { ports }));
const cron = (input: CronjobInput, ports: Ports) => answer(cronjobTool({ ports }), input, contextIn(deskAt('/'), { ports }));

test('without a gateway or a scheduler the tools are not there, and a call that comes all the same is told why', async () => {
  assert.equal(await sendMessageTool({ ports: {} }).available?.(), false);
  assert.equal(await cronjobTool({ ports: {} }).available?.(), false);
  assert.match(await send({ target: 'telegram', message: 'hi' }, {}), /^FAILED Not sent: no gateway runs here/);
  assert.match(await cron({ action: 'list' }, {}), /^FAILED Not scheduled: no scheduler runs here/);
});

test('a message reaches the port as it is, and what the port says reaches the model', async () => {
  const seen: DeliveryRequest[] = [];
  const ports: Ports = {
    deliver: async (ask) => {
      seen.push(ask);
      return ask.target === 'telegram:42' ? { ok: true, words: 'sent' } : { ok: false, why: 'there is no such chat' };
    },
  };
  assert.equal(await send({ target: 'telegram:42', message: 'hi' }, ports), 'sent');
  assert.equal(await send({ target: 'telegram:43', message: 'hi' }, ports), 'FAILED Not sent: there is no such chat');
  assert.match(await send({ target: 'telegram:42' }, ports), /needs a target and a message/);
  assert.deepEqual(
    seen.map(({ action, target }) => [action, target]),
    [
      ['send', 'telegram:42'],
      ['send', 'telegram:43'],
    ],
  );
  assert.match((await sendMessageTool({ ports }).sink?.({ target: 'telegram:42' })) ?? '', /a message to telegram:42/);
});

test('a job needs what its action needs, and the rest is the scheduler’s', async () => {
  const seen: ScheduleRequest[] = [];
  const ports: Ports = {
    schedule: async (ask) => {
      seen.push(ask);
      return { ok: true, words: 'job 7' };
    },
  };
  assert.match(await cron({ action: 'create', prompt: 'x' }, ports), /create needs a schedule/);
  assert.match(await cron({ action: 'pause' }, ports), /pause needs a job_id/);
  assert.equal(await cron({ action: 'create', prompt: 'x', schedule: '30m' }, ports), 'job 7');
  assert.deepEqual(seen, [{ action: 'create', fields: { prompt: 'x', schedule: '30m' } }]);
  assert.equal(cronjobTool({ ports }).sink?.({ action: 'list' }), undefined);
});
