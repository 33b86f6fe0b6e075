import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { ODD_SERVER } from '../parts/mcp/odd-server.ts';
import { NEEDS_SDK } from '../parts/mcp/setup.ts';
import { hermes, tempHome, toServer, type Ran } from './hermes.ts';
import { toolNames } from './stage.ts';

interface Tested {
  readonly tools: readonly { readonly name: string | null; readonly tool: string; readonly excluded: boolean }[];
}
const row = ({ out }: Ran): Record<string, unknown> => JSON.parse(out);
const rows = ({ out }: Ran): Record<string, unknown>[] => JSON.parse(out);
const tested = ({ out }: Ran): Tested => JSON.parse(out);

function desk(settings: object = {}) {
  const home = tempHome();
  if (Object.keys(settings).length > 0) writeFileSync(join(home, 'config.yaml'), JSON.stringify(settings));
  return {
    home,
    run: (...args: string[]) => hermes(args, { home }),
    config: () => readFileSync(join(home, 'config.yaml'), 'utf8'),
    env: () => readFileSync(join(home, '.env'), 'utf8'),
  };
}

test('servers with nearly the same name keep their own secrets, and take them along', async () => {
  const { run, config, env } = desk();
  await run('mcp', 'add', 'a-b', '--command', 'x', '--env', 'TOKEN=first-secret-1');
  const second = await run('mcp', 'add', 'a_b', '--command', 'x', '--env', 'TOKEN=second-secret-2', '--env', 'SAME_KEY=first-secret-1');
  assert.match(second.out, /MCP_A_B_TOKEN_2, MCP_A_B_SAME_KEY/);
  assert.equal(env(), 'MCP_A_B_TOKEN=first-secret-1\nMCP_A_B_TOKEN_2=second-secret-2\nMCP_A_B_SAME_KEY=first-secret-1\n');
  assert.match(config(), /a-b:[^]*TOKEN: \$\{MCP_A_B_TOKEN\}\n[^]*a_b:[^]*TOKEN: \$\{MCP_A_B_TOKEN_2\}\n/);
  assert.match((await run('mcp', 'remove', 'a_b')).out, /Removed its secrets from .*\.env: MCP_A_B_TOKEN_2, MCP_A_B_SAME_KEY\./);
  assert.equal(env(), 'MCP_A_B_TOKEN=first-secret-1\n');
});

test('a variable two entries name, and one of the owner, are left when a server goes', async () => {
  const entry = {
    command: 'x',
    env: { ONE: '${MCP_SEC_API_TOKEN}', TWO: '${MY_TOKEN}', THREE: '${env:MCP_SEC_OTHER_KEY}', FOUR: '${UNSET}' },
  };
  const { run, home, env } = desk({ mcp_servers: { sec: entry, other: { command: 'y', args: ['${MCP_SEC_API_TOKEN}'] } } });
  writeFileSync(
    join(home, '.env'),
    '# mine\nMCP_SEC_API_TOKEN=abcdef1234567890\nMY_TOKEN=mine-1234567890\nexport MCP_SEC_OTHER_KEY=k-1234567890\n',
  );
  const removed = row(await run('mcp', 'remove', 'sec', '--json'));
  assert.deepEqual([removed['variables_removed'], removed['variables_left']], [['MCP_SEC_OTHER_KEY'], ['MCP_SEC_API_TOKEN', 'MY_TOKEN']]);
  assert.equal(env(), '# mine\nMCP_SEC_API_TOKEN=abcdef1234567890\nMY_TOKEN=mine-1234567890\n');
  assert.match((await run('mcp', 'remove', 'other')).out, /Kept in .*\.env, because other programs may use them: MCP_SEC_API_TOKEN\./);
});

const KEY = 'sk-proj-abcdefghijklmnopqrstuvwx1234567890';
/** Arguments of `mcp add`, and what the settings hold then. */
const OPEN: readonly (readonly [args: readonly string[], written: string])[] = [
  [['--url', 'https://h.test/mcp?team=blue&token=s3cr3ttoken123456&x=1'], 'https://h.test/mcp?team=blue&token=${MCP_S_TOKEN}&x=1'],
  [['--url', 'https://me:s3cr3t%40pass@h.test/mcp'], 'https://me:${MCP_S_PASSWORD}@h.test/mcp'],
  [['--url', `https://h.test/${KEY}/mcp?apiKey=shortish`], 'https://h.test/${MCP_S_API_KEY}/mcp?apiKey=${MCP_S_APIKEY_SECRET}'],
  [['--url', 'https://h.test/mcp?token=${MINE}'], 'https://h.test/mcp?token=${MINE}'],
  [['--command', 'x', '--', '--api-key', KEY, '--mode', 'ro'], '--api-key|${MCP_S_API_KEY}|--mode|ro'],
  [['--command', `x --token=s3cr3ttoken123456 --token-file t --key ./k.pem -v`], '--token=${MCP_S_TOKEN}|--token-file|t|--key|./k.pem|-v'],
  [['--command', 'x', '--', '-e', 'API_KEY=s3cr3t-one', '--password', '--quiet'], '-e|API_KEY=${MCP_S_API_KEY}|--password|--quiet'],
  [
    ['--command', 'x', '--', 'https://h.test/?api_key=s3cr3t-one', '--header', 'Authorization: Bearer s3cr3t-two'],
    'https://h.test/?api_key=${MCP_S_API_KEY}|--header|Authorization: Bearer ${MCP_S_AUTHORIZATION_SECRET}',
  ],
  [['--command', 'x', '--', '-k', KEY, KEY], '-k|${MCP_S_API_KEY}|${MCP_S_API_KEY}'],
];
const SECRETS = /s3cr3t|shortish|sk-proj/;
test('secrets in addresses and arguments go to .env, are shown by nothing, and come out again', async () => {
  for (const [args, written] of OPEN) {
    const { run, config, env } = desk();
    const added = await run('mcp', 'add', 's', ...args);
    assert.deepEqual([added.code, added.err], [0, ''], args.join(' '));
    const listed = await run('mcp', 'list', '--json');
    const text = config();
    const entry = [...text.matchAll(/^ +(?:- |url: )(.*)$/gm)].map(([, value = '']) => value.replace(/^"(.*)"$/, '$1'));
    assert.equal(entry.join('|'), written);
    for (const seen of [text, added.out, listed.out, listed.err]) assert.doesNotMatch(seen, SECRETS, args.join(' '));
    assert.equal(SECRETS.test(args.join(' ')), written.includes('${MCP_'), 'the test itself');
    assert.equal((await run('mcp', 'remove', 's')).code, 0);
    if (written.includes('${MCP_')) assert.equal(env(), '');
  }
});

test('secrets the owner wrote into the settings himself are masked', async () => {
  const { run } = desk({
    mcp_servers: {
      web: { url: 'https://me:s3cr3tpass@h.test/mcp?token=s3cr3ttoken123456' },
      key: { command: 'x', args: ['--api-key', KEY, '--token=s3cr3t'] },
    },
  });
  const listed = rows(await run('mcp', 'list', '--json'));
  assert.deepEqual(
    listed.map(({ where }) => where),
    ['https://h.test/mcp?token=***', 'x --api-key ***7890 --token=***'],
  );
});

test('test names the tools as sessions have them, and tells those that are left out', NEEDS_SDK, async () => {
  const entry = { command: process.execPath, args: [ODD_SERVER, 'plain'] };
  const { run, home } = desk({
    mcp_servers: { 'o-d': { ...entry, tools: { include: ['echo', 'pid'] } }, o_d: { ...entry, tools: { include: ['echo', 'mark'] } } },
    tools: { tool_search: { enabled: 'off' } },
  });
  await run('mcp', 'test', 'o-d');
  const second = tested(await run('mcp', 'test', 'o_d', '--json')).tools;
  const first = tested(await run('mcp', 'test', 'o-d', '--json')).tools;
  const told = [...first, ...second].flatMap(({ name }) => name ?? []);
  await using model = await startWireServer({ answer: () => ({ text: 'done' }) });
  assert.equal((await hermes(['chat', '-q', 'go', ...toServer(model.url)], { home })).code, 0);
  const had = toolNames(model.requests[0]).filter((name) => name.startsWith('mcp__'));
  assert.deepEqual(told.toSorted(), had.toSorted());
  assert.deepEqual(
    had.toSorted().map((name) => name.replace(/[0-9a-f]{8}$/, '#')),
    ['mcp__o_d__echo_#', 'mcp__o_d__echo_#', 'mcp__o_d__mark', 'mcp__o_d__pid'],
  );
  const there = second.flatMap(({ tool, excluded, name }) => (excluded && name === null ? [] : [tool]));
  assert.deepEqual([there, second.length > 2], [['echo', 'mark'], true]);
  assert.match((await run('mcp', 'test', 'o_d')).out, /^pid .*left out by tools\.include or tools\.exclude$/m);
});

test('mcp alone is told its commands, as other groups are', async () => {
  const { run } = desk();
  const [mcp, sessions] = [await run('mcp'), await run('sessions')];
  assert.deepEqual([mcp.code, mcp.out], [sessions.code, sessions.out]);
  assert.match(mcp.err, /Usage: hermes mcp[^]*add[^]*Examples:/);
});

test('a mistyped name is told in whole sentences', async () => {
  const { run } = desk({ mcp_servers: { ev: { command: 'x' } } });
  assert.equal((await run('mcp', 'test', 'evv')).err, 'hermes: there is no MCP server evv; did you mean ev? hermes mcp list shows them.\n');
  assert.equal((await run('mcp', 'remove', 'nobody')).err, 'hermes: there is no MCP server nobody. hermes mcp list shows them.\n');
});
