import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAgent } from '../../../../src/agent/agent.ts';
import { createTextBlock } from '../../../../src/contracts/message.ts';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import { isToolFailure, type AnyTool } from '../../../../src/contracts/tool.ts';
import { redactEvents } from '../../../../src/parts/safety/secrets/events.ts';
import { createSecretPort } from '../../../../src/parts/safety/secrets/port.ts';
import { createRedactingStore } from '../../../../src/parts/safety/secrets/store.ts';
import { spillTo } from '../../../../src/parts/tools/budget.ts';
import { toolSettings } from '../../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../../src/parts/tools/toolkit.ts';
import { scriptedProvider } from '../../../../src/testing/scripted-provider.ts';
import { collect, RUNTIME, says, setup, testTool } from '../../../agent/setup.ts';
import { deskAt } from '../../tools/setup.ts';
import { secretsWith } from './setup.ts';

const VALUE = 'tr0ub4dor&3';
const QUESTION = { name: 'sudo password', question: 'Password?' };
const signal = new AbortController().signal;

test('the answer is learnt under its name, and what comes back only stands for it', async () => {
  const secrets = secretsWith({});
  const handle = await createSecretPort(async () => VALUE, secrets)(QUESTION, signal);
  assert.match(handle ?? '', /^«secret:sudo-password:/);
  assert.equal(secrets.restore(handle ?? ''), VALUE);
  assert.equal(secrets.redact(`it is ${VALUE}!`), `it is ${handle}!`);
  assert.deepEqual(secrets.names(), ['sudo password']);
});

test('no answer is none, one too short to be kept apart is refused, and no failure holds the value', async () => {
  assert.equal(await createSecretPort(async () => '', secretsWith({}))(QUESTION, signal), undefined);
  await assert.rejects(
    createSecretPort(async () => '4711', secretsWith({}))(QUESTION, signal),
    (error) => isToolFailure(error) && /sudo password is too short/.test(error.message) && !error.message.includes('4711'),
  );
});

test('a tool that asks for a secret, uses it and even prints it leaves it in no event, entry, request or file', async () => {
  const secrets = secretsWith({});
  const used: string[] = [];
  const sudo: AnyTool = testTool('sudo', async (_input, { ports, report }) => {
    const handle = (await ports.secret?.(QUESTION, signal)) ?? '';
    used.push(secrets.restore(handle));
    report(`typing ${secrets.restore(handle)}`);
    return {
      content: [createTextBlock(`asked with ${handle}, and it echoed ${secrets.restore(handle)}`, 'tool')],
      details: { kind: 'data', data: { stdin: secrets.restore(handle) } },
    };
  });
  const provider = scriptedProvider([{ calls: [{ id: 'c1', name: 'sudo' }] }, { text: 'done' }]);
  const { store, session, deps, folder } = await setup(provider);
  const toolkit = await createToolkit({
    tools: [sudo],
    toolsets: ['test'],
    terminal: deskAt(folder),
    ports: { secret: createSecretPort(async () => VALUE, secrets) },
    approval: { ask: async () => ({ allow: false, by: 'nobody', reason: 'nobody is there' }) },
    spill: spillTo(join(folder, 'spill'), collectDefaults(toolSettings)),
    secrets,
  });
  const agent = createAgent(createRedactingStore(store, secrets), { ...deps, toolkit }, RUNTIME);
  const { events, outcome } = await collect(redactEvents(agent.send(session, says('install it'), signal), secrets));
  assert.deepEqual([outcome?.text, used], ['done', [VALUE]]);
  const told = JSON.stringify([events, await store.entries(session.id), provider.requests]);
  assert.ok(told.includes('«secret:sudo-password:') && !told.includes(VALUE), told);
  for (const name of readdirSync(folder).filter((each) => each.startsWith('state.db')))
    assert.ok(!readFileSync(join(folder, name)).includes(VALUE), name);
});
