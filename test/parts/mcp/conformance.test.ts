import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json-types.ts';
import type { Mcp } from '../../../src/parts/mcp/open.ts';
import { readCachedOffer } from '../../../src/parts/mcp/cache.ts';
import { call, openIn, reachIn, reference, serverOf, tempFolder, wordsOf, NEEDS_REFERENCE } from './setup.ts';
import { referenceOverHttp } from './reference-http.ts';

const TOOLS = [
  'echo get_annotated_message get_env get_prompt get_resource_links get_resource_reference get_structured_content get_sum get_tiny_image',
  'gzip_file_as_resource list_prompts list_resources read_resource toggle_simulated_logging toggle_subscriber_updates trigger_long_running_operation',
]
  .join(' ')
  .split(' ')
  .map((name) => `mcp__everything__${name}`);

/** The same story over every wire. */
async function story(mcp: Mcp): Promise<void> {
  assert.deepEqual(mcp.notices, []);
  assert.deepEqual(
    mcp.tools.map(({ name }) => name),
    TOOLS,
  );
  const [said, instructions] = (await call(mcp, 'mcp__everything__echo', { message: 'hello' })).content;
  assert.deepEqual(said, { type: 'text', text: 'Echo: hello', trust: 'foreign' });
  assert.match(
    instructions?.type === 'text' ? instructions.text : '',
    /^\n\[How the MCP server everything says its tools are used; its words, not the user's:\]\n\S/,
  );
  const echo = await call(mcp, 'mcp__everything__echo', { message: 'hello' });
  assert.deepEqual(echo, { content: [{ type: 'text', text: 'Echo: hello', trust: 'foreign' }], foreign: 'mcp server everything' });
  const image = await call(mcp, 'mcp__everything__get_tiny_image');
  assert.deepEqual(
    image.content.map((block) => (block.type === 'image' ? `${block.mime} ${block.trust}` : block.type)),
    ['text', 'image/png foreign', 'text'],
  );
  const structured = await call(mcp, 'mcp__everything__get_structured_content', { location: 'Chicago' });
  assert.equal(structured.content.length, 1);
  assert.deepEqual(Object.keys(JSON.parse(wordsOf(structured))), ['temperature', 'conditions', 'humidity']);
  assert.match(wordsOf(await call(mcp, 'mcp__everything__get_resource_links', { count: 2 })), /\[resource demo:\/\/resource\/\S+: /);
  assert.match(
    wordsOf(await call(mcp, 'mcp__everything__get_resource_reference', { resourceType: 'Text', resourceId: 1 })),
    /\[resource demo:\/\/resource\/dynamic\/text\/1\]\nResource 1: /,
  );
  const wrong = await call(mcp, 'mcp__everything__get_sum', { a: 'x' });
  assert.equal(wrong.failed, true);
  assert.match(wordsOf(wrong), /expected number/);
  await progressAndStop(mcp);
}

test('MCP resources, prompts and server instructions are used', NEEDS_REFERENCE, async () => {
  await using mcp = await openIn(tempFolder(), [reference('everything', ['stdio'])]);
  const say = async (name: string, input: JsonObject = {}) => wordsOf(await call(mcp, `mcp__everything__${name}`, input));
  assert.match(await say('list_resources'), /\[resource demo:\/\/\S+: /);
  assert.match(
    await say('read_resource', { uri: 'demo://resource/dynamic/text/1' }),
    /^\[resource demo:\/\/resource\/dynamic\/text\/1\]\nResource 1: /,
  );
  const missing = await call(mcp, 'mcp__everything__read_resource', { uri: 'demo://no/such' });
  assert.equal(missing.failed, true);
  const listed = await say('list_prompts');
  assert.match(listed, /^\S+\(.*\): /m);
  const name = /^([\w-]+)\(\): /m.exec(listed)?.[1] ?? '';
  assert.match(await say('get_prompt', { name }), /^\[user\]\n\S/);
  const tool = mcp.tools.find((each) => each.name === 'mcp__everything__read_resource');
  assert.deepEqual([tool?.effects({} as never).kind, tool?.sink?.({} as never)], ['read', undefined], 'looking needs nobody’s consent');
  tool?.forget?.('s1');
  assert.match(await say('echo', { message: 'x' }), /How the MCP server everything says/, 'told again when the view lost it');
});

async function progressAndStop(mcp: Mcp): Promise<void> {
  const notes: string[] = [];
  const long = await call(
    mcp,
    'mcp__everything__trigger_long_running_operation',
    { duration: 1, steps: 2 },
    { report: (note) => notes.push(note) },
  );
  assert.match(wordsOf(long), /completed/);
  assert.equal(notes[0], '1 of 2');
  const stop = new AbortController();
  const stopped = await call(
    mcp,
    'mcp__everything__trigger_long_running_operation',
    { duration: 3_600, steps: 7_200 },
    { signal: stop.signal, report: () => stop.abort('enough') },
  );
  assert.match(wordsOf(stopped), /was cancelled/);
  assert.match(wordsOf(await call(mcp, 'mcp__everything__echo', { message: 'after' })), /after/);
}

test('the reference server over stdio: listed, called, progress, pictures, errors, cancellation', NEEDS_REFERENCE, async () => {
  await using mcp = await openIn(tempFolder(), [reference('everything', ['stdio'])]);
  await story(mcp);
  const notes: string[] = [];
  await call(mcp, 'mcp__everything__trigger_long_running_operation', { duration: 0.1, steps: 1 }, { report: (note) => notes.push(note) });
  assert.deepEqual(notes, ['1 of 1'], 'the last note is heard although the answer comes with it');
});

test('the same over streamable HTTP', NEEDS_REFERENCE, async () => {
  await using server = await referenceOverHttp('streamableHttp');
  const folder = tempFolder();
  const config = serverOf('everything', { url: server.url });
  await using mcp = await openIn(folder, [config]);
  await story(mcp);
  assert.match(readCachedOffer(join(folder, 'cache', 'mcp'), config)?.protocol ?? '', /^20\d\d-\d\d-\d\d$/);
});

test('a server behind an address that dies in the middle of a call is told as lost', NEEDS_REFERENCE, async () => {
  const server = await referenceOverHttp('streamableHttp');
  await using mcp = await openIn(tempFolder(), [serverOf('everything', { url: server.url, timeout: 600 })]);
  const die = () => void server[Symbol.asyncDispose]();
  const lost = await call(mcp, 'mcp__everything__trigger_long_running_operation', { duration: 3_600, steps: 7_200 }, { report: die });
  assert.match(wordsOf(lost), /was lost before it answered[^]*not repeated/);
  assert.match(wordsOf(await call(mcp, 'mcp__everything__echo', { message: 'x' })), /could not be reached: .*ECONNREFUSED/);
});

test('the same over SSE, which is tried when streamable HTTP is not known', NEEDS_REFERENCE, async () => {
  await using server = await referenceOverHttp('sse');
  await using mcp = await openIn(tempFolder(), [serverOf('everything', { url: server.url })]);
  await story(mcp);
});

test('a server sees the names of its environment that are allowed, and what its entry declares', NEEDS_REFERENCE, async () => {
  const folder = tempFolder();
  const server = { ...reference('everything', ['stdio']), env: { DECLARED: 'yes' } };
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_DATA_HOME: folder,
    OPENAI_API_KEY: 'sk-secret',
    NODE_OPTIONS: '',
    LC_ALL: 'C',
  };
  await using mcp = await openIn(folder, [server], { place: { env, cwd: folder, tokens: folder, version: '0', reach: reachIn(folder) } });
  const seen: Record<string, string> = JSON.parse(wordsOf(await call(mcp, 'mcp__everything__get_env', {}, { forScript: true })));
  // PWD is the shell's own.
  assert.deepEqual(
    Object.keys(seen)
      .filter((name) => name !== 'PWD' && name !== '_')
      .toSorted(),
    ['DECLARED', 'HOME', 'LC_ALL', 'PATH', 'XDG_DATA_HOME'],
  );
});

test('the file system server reads and writes where it may, and says no elsewhere', NEEDS_REFERENCE, async () => {
  const folder = realpathSync(tempFolder());
  const notes = join(folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'a.txt'), 'first line\n');
  await using mcp = await openIn(folder, [reference('filesystem', [notes])]);
  assert.match(wordsOf(await call(mcp, 'mcp__filesystem__read_text_file', { path: join(notes, 'a.txt') })), /first line/);
  assert.equal((await call(mcp, 'mcp__filesystem__write_file', { path: join(notes, 'b.txt'), content: 'b' })).failed, undefined);
  assert.match(wordsOf(await call(mcp, 'mcp__filesystem__list_directory', { path: notes })), /a\.txt[^]*b\.txt/);
  const outside = await call(mcp, 'mcp__filesystem__read_text_file', { path: '/etc/hostname' });
  assert.equal(outside.failed, true);
  assert.match(wordsOf(outside), /denied/i);
  const tool = (name: string) => mcp.tools.find((each) => each.name === `mcp__filesystem__${name}`);
  assert.deepEqual(
    ['read_text_file', 'write_file'].map((name) => [tool(name)?.effects({} as never).kind, tool(name)?.replay]),
    [
      ['read', tool('read_text_file')?.replay],
      ['write', 'never'],
    ],
  );
});

test('the memory server keeps what it was told', NEEDS_REFERENCE, async () => {
  const folder = tempFolder();
  const server = { ...reference('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } };
  await using mcp = await openIn(folder, [server]);
  await call(mcp, 'mcp__memory__create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] });
  assert.match(wordsOf(await call(mcp, 'mcp__memory__read_graph')), /likes tea/);
});
