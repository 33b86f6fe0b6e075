import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { McpConnection } from '../../../src/parts/mcp/connection.ts';
import { McpConnectError } from '../../../src/parts/mcp/failures.ts';
import { computePause } from '../../../src/parts/mcp/keeper.ts';
import { openLink } from '../../../src/parts/mcp/link.ts';
import { LOSSES, reconnects } from './reconnects.ts';
import { call, odd, openIn, tempFolder, wordsOf, NEEDS_SDK } from './setup.ts';
import { sized } from '../../size.ts';

const COUNT = Number(process.env['HERMES_MCP_RECONNECTS'] ?? sized(20, 50));

test(`${COUNT} reconnects: every call after a loss works, nothing is repeated, nobody is left behind`, NEEDS_SDK, async () => {
  const rows = await reconnects(COUNT);
  assert.deepEqual(
    rows.map(({ loss, failed, repeated, orphans, zombies }) => ({ loss, failed, repeated, orphans, zombies })),
    LOSSES.map((loss) => ({ loss, failed: 0, repeated: 0, orphans: 0, zombies: 0 })),
  );
});

test('pauses double, have a ceiling, and differ by chance', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 6, 20].map((strikes) => computePause(strikes, () => 1)),
    [0, 250, 500, 1_000, 8_000, 8_000],
  );
  assert.deepEqual(
    [0, 1, 20].map((strikes) => computePause(strikes, () => 0)),
    [0, 125, 4_000],
  );
});

/** A connection that answers as it is told. */
const connection = (answer: () => Promise<string>): McpConnection => ({
  server: '',
  protocol: '',
  instructions: '',
  ended: new Promise(() => {}),
  story: () => '',
  list: async () => ({ tools: [], beyond: 0, endless: false }),
  call: answer,
  ping: async () => {},
  close: async () => {},
});
const silent = { signal: new AbortController().signal, onProgress: () => {} };

test('an attempt that cannot succeed is not made twice; others are made three times', NEEDS_SDK, async () => {
  for (const [final, attempts] of [
    [true, 1],
    [false, 3],
  ] as const) {
    let made = 0;
    const connect = async () => Promise.reject(new McpConnectError(`no ${++made}`, final, undefined));
    await using link = openLink({ connect, parallel: false, clock: { ...systemClock, sleep: async () => {} }, random: Math.random });
    await assert.rejects(link.up(silent.signal), new RegExp(`^McpConnectError|no ${attempts}`));
    assert.equal(made, attempts);
  }
});

test('calls wait for each other unless the owner says that they get along', NEEDS_SDK, async () => {
  for (const parallel of [false, true]) {
    let [running, most] = [0, 0];
    const answer = async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, 5));
      running -= 1;
      return 'x';
    };
    await using link = openLink({ connect: async () => connection(answer), parallel, clock: systemClock, random: Math.random });
    await Promise.all(Array.from({ length: 4 }, () => link.call('t', {}, silent)));
    assert.equal(most, parallel ? 4 : 1);
  }
});

test('what a tool says of itself: effects, replay and who may run beside it', NEEDS_SDK, async () => {
  const folder = tempFolder();
  const facts = async (parallel: boolean) => {
    await using mcp = await openIn(folder, [odd('plain', { parallel, tools: { include: ['echo', 'mark'] } })]);
    return mcp.tools.map(({ name, replay, idempotent, trust, effects }) => ({
      name,
      replay,
      idempotent,
      trust,
      effects: effects({} as never),
    }));
  };
  const row = (name: string, read: boolean, resources: readonly string[]) => ({
    name: `mcp__odd__${name}`,
    replay: read ? 'safe' : 'never',
    idempotent: read,
    trust: 'foreign',
    effects: { kind: read ? 'read' : 'write', resources },
  });
  assert.deepEqual(await facts(false), [row('echo', true, ['*']), row('mark', false, ['*'])]);
  assert.deepEqual(await facts(true), [row('echo', true, []), row('mark', false, [])]);
});

test('a tool that was left out cannot be called', NEEDS_SDK, async () => {
  await using mcp = await openIn(tempFolder(), [odd('plain', { tools: { exclude: ['mark*', 'never'] } })]);
  assert.deepEqual(
    mcp.tools.map(({ name }) => name.replace('mcp__odd__', '')),
    ['ask', 'big', 'echo', 'grow', 'pid', 'refuse'],
  );
  assert.deepEqual(
    mcp.toolsets.map(({ name, tools }) => [name, tools.length]),
    [['mcp-odd', 6]],
  );
  assert.ok(mcp.withheld.includes('mcp__odd__mark') && mcp.withheld.includes('mcp__odd__never'), 'but its name is known');
  assert.deepEqual(
    mcp.withheld.filter((name) => mcp.tools.some((tool) => tool.name === name)),
    [],
  );
  assert.equal(wordsOf(await call(mcp, 'mcp__odd__echo', { text: 'x' })), 'x');
});
