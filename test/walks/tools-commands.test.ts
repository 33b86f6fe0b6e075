import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeCachedOffer } from '../../src/parts/mcp/cache.ts';
import { readServers } from '../../src/parts/mcp/servers.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { toServer } from './hermes.ts';
import { rowsOf, stage, toolNames } from './stage.ts';

interface Row {
  readonly name: string;
  readonly available: boolean;
  readonly reason?: string;
  readonly toolsets: readonly string[];
}
const EV = { ev: { command: 'no-such-program-anywhere' }, new: { command: 'no-such-program-anywhere' } };
/** A home that has asked one of its two servers; neither can be started. */
function asked() {
  const set = stage({ mcp_servers: EV, mcp_discovery_timeout: 0, tools: { tool_search: { enabled: 'off' } } });
  const [ev] = readServers(EV).servers;
  assert.ok(ev !== undefined);
  const tool = (name: string) => ({
    name,
    description: `Does ${name}.`,
    input: { type: 'object' },
    readOnly: true,
    idempotent: true,
    outward: false,
  });
  mkdirSync(join(set.home, 'cache', 'mcp'), { recursive: true });
  writeCachedOffer(join(set.home, 'cache', 'mcp'), ev, {
    at: Date.now(),
    protocol: 'x',
    server: 'x',
    beyond: 0,
    endless: false,
    tools: [tool('get-sum'), tool('echo')],
  });
  const list = async (...args: string[]) => rowsOf<Row>(await set.run(['tools', 'list', '--json', ...args]));
  return {
    ...set,
    list,
    names: async (...args: string[]) => (await list(...args)).map(({ name, available }) => (available ? name : `no ${name}`)),
  };
}
const SUM = 'mcp__ev__get_sum';
const ECHO = 'mcp__ev__echo';

test('toolsets of MCP servers are listed and switched like others, and no server is started', async () => {
  const { run, list, names } = asked();
  assert.deepEqual(await names('-t', 'mcp-ev'), [ECHO, SUM, 'context_recall']);
  assert.ok((await names('--platform', 'telegram')).includes(ECHO));
  assert.deepEqual((await list()).find(({ name }) => name === SUM)?.toolsets, ['mcp-ev']);
  const words = await run(['tools', 'list', '-t', 'mcp-ev,mcp-new']);
  assert.match(words.out, /^ {2}mcp-ev +Tools of the MCP server ev: mcp__ev__echo, mcp__ev__get_sum$/m);
  assert.match(words.out, /^ {2}mcp-new +Tools of the MCP server new: unknown; to get them: hermes mcp test new$/m);

  const off = await run(['tools', 'disable', 'mcp-ev']);
  assert.deepEqual([off.code, off.out.split('.')[0]], [0, 'Switched off: mcp-ev']);
  assert.deepEqual(await names('-t', 'mcp-ev'), [`no ${ECHO}`, `no ${SUM}`, 'context_recall']);
  const on = await run(['tools', 'enable', SUM]);
  assert.deepEqual([on.code, on.out.split('.')[0]], [0, `Still switched off: ${ECHO}`]);
  assert.deepEqual(await names('-t', 'mcp-ev'), [`no ${ECHO}`, SUM, 'context_recall']);
  await using server = await startWireServer({ answer: () => ({ text: 'done' }) });
  const chat = await run(['chat', '-q', 'go', ...toServer(server.url)]);
  assert.equal(chat.code, 0, chat.err);
  assert.deepEqual(
    toolNames(server.requests[0]).filter((name) => name.startsWith('mcp__')),
    [SUM],
    'the list tells what a session has',
  );
  assert.match((await run(['tools', 'disable', 'mcp__new__x'])).err, /To get the tools of an MCP server: hermes mcp test NAME/);
});

test('a tool that is off with its set names the set, and can be brought back alone', async () => {
  const { run, list } = asked();
  const reason = async (wanted: string) => (await list('-t', 'web')).find(({ name }) => name === wanted)?.reason ?? '';
  await run(['tools', 'disable', 'web']);
  assert.equal(
    await reason('web_extract'),
    'you switched off web; hermes tools enable web_extract brings back this one, enable web all of it',
  );
  assert.match((await run(['tools', 'enable', 'web_extract'])).out, /^Still switched off: web_search\. Running sessions/);
  assert.equal(await reason('web_extract'), '');
  assert.equal(await reason('web_search'), 'you switched it off; hermes tools enable web_search brings it back');
  assert.equal(
    (await run(['tools', 'enable', 'web_extract'])).out,
    'Nothing changed. web_extract was not switched off. Switched off: web_search.\n',
  );
  assert.equal(
    (await run(['tools', 'disable', 'web_search'])).out,
    'Nothing changed. web_search is switched off already. Switched off: web_search.\n',
  );
  assert.deepEqual(JSON.parse((await run(['tools', 'disable', 'todo', '--json'])).out), {
    changed: true,
    disabled_toolsets: ['web_search', 'todo'],
  });
  assert.deepEqual(JSON.parse((await run(['tools', 'enable', 'web', 'todo', '--json'])).out), { changed: true, disabled_toolsets: [] });
  assert.deepEqual(JSON.parse((await run(['tools', 'enable', 'web', '--json'])).out), { changed: false, disabled_toolsets: [] });
});

/** What nobody knows, and what is said. */
const STRANGE: readonly (readonly [args: readonly string[], words: RegExp])[] = [
  [['disable', 'mcp-evv'], /^hermes: there is no toolset or tool mcp-evv; did you mean mcp-ev\? To list them: hermes tools list\n$/],
  [['enable', 'frobnicator'], /^hermes: there is no toolset or tool frobnicator\. To list them: hermes tools list\n$/],
  [['disable', ''], /^hermes: there is no toolset or tool ""\. To list them: hermes/],
  [
    ['list', '-t', 'frobnicator'],
    /^hermes: there is no toolset frobnicator\. Known: terminal, (?!.*hermes-telegram).*, mcp-ev, mcp-new, and hermes-PLATFORM\.\n$/,
  ],
  [['list', '-t', 'wob'], /^hermes: there is no toolset wob; did you mean web\? Known: /],
  [['list', '--platform', 'nonsense'], /^hermes: there is no platform nonsense\. Known: cli, .*telegram/],
  [['list', '-t', 'web', '--platform', 'telegrm'], /^hermes: there is no platform telegrm; did you mean telegram\? Known: /],
];
test('what nobody knows is told in whole sentences, with exit code 2', async () => {
  const { run, settings } = asked();
  for (const [args, words] of STRANGE) {
    const ran = await run(['tools', ...args]);
    assert.match(ran.err, words);
    assert.deepEqual([ran.code, ran.out], [2, ''], args.join(' '));
  }
  settings({ platform_toolsets: { pager: ['todo'] } });
  assert.deepEqual(
    rowsOf<Row>(await run(['tools', 'list', '--json', '--platform', 'pager'])).map(({ name }) => name),
    ['todo', 'context_recall'],
    'a platform of the settings is known',
  );
});

test('skills are listed for the tools that can be called: without a search key web_search is not there, with one it is', async () => {
  const { run, home } = asked();
  const skill = (name: string, condition: string) => {
    mkdirSync(join(home, 'skills', 'mine', name), { recursive: true });
    const head = `name: ${name}\ndescription: Use for searches\nmetadata: {hermes: {${condition}: [web_search]}}`;
    writeFileSync(join(home, 'skills', 'mine', name, 'SKILL.md'), `---\n${head}\n---\nbody\n`);
  };
  skill('of-search', 'requires_tools');
  skill('of-need', 'fallback_for_tools');
  const shown = async () => {
    const listed = JSON.parse((await run(['skills', 'list', '--json'])).out) as { readonly name: string; readonly shown: boolean }[];
    return listed.filter((row) => row.name.startsWith('of-') && row.shown).map(({ name }) => name);
  };
  assert.deepEqual(await shown(), ['of-need']);
  appendFileSync(join(home, '.env'), 'TAVILY_API_KEY=tvly-test\n');
  assert.deepEqual(await shown(), ['of-search']);
});

test('skills are listed for the tools a session would have: sets of the owner and of servers count', async () => {
  const { run, home, settings } = asked();
  const skill = (name: string, needs: string) => {
    mkdirSync(join(home, 'skills', 'mine', name), { recursive: true });
    const head = `name: ${name}\ndescription: Needs ${needs}\nmetadata: {hermes: {requires_toolsets: [${needs}]}}`;
    writeFileSync(join(home, 'skills', 'mine', name, 'SKILL.md'), `---\n${head}\n---\nbody\n`);
  };
  skill('of-server', 'mcp-ev');
  skill('of-owner', 'desk');
  skill('of-nobody', 'video');
  settings({ mcp_servers: EV, custom_toolsets: { desk: { tools: ['todo'] } }, toolsets: ['desk'] });
  const listed = JSON.parse((await run(['skills', 'list', '--json'])).out) as { readonly name: string; readonly shown: boolean }[];
  assert.deepEqual(
    listed.filter(({ name }) => name.startsWith('of-')).map(({ name, shown }) => [name, shown]),
    [
      ['of-nobody', false],
      ['of-owner', true],
      ['of-server', true],
    ],
  );
});
