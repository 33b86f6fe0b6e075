import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { identifyProcess, isAlive } from '../../src/base/process-identity.ts';
import { startWireServer, type Reply } from '../../src/testing/wire-server/index.ts';
import { noPython } from '../parts/tools/builtin/execute-code/stage.ts';
import { toServer } from './hermes.ts';
import { bodyOf, call, command, resultsIn, rowsOf, sessionOf, stage, toldOf, toolNames, userWords } from './stage.ts';

interface Row {
  readonly name: string;
  readonly available: boolean;
  readonly reason?: string;
}
const DONE: Reply = { text: 'done' };
/** However few tools there are on this machine, those beside the core are found by search. */
const SEARCHED = { tools: { tool_search: { enabled: 'on' } } };
const byBridge = (name: string, input: object): Reply => call('tool_call', { name, arguments: input });

test('a tool that is switched off is gone from the list, the table, the search and every way to call it', { skip: noPython }, async () => {
  const { run, text, home } = stage({ ...SEARCHED, agent: { max_turns: 20 } });
  const listed = async (...args: string[]) => rowsOf<Row>(await run(['tools', 'list', '--json', ...args]));
  const isThere = (rows: readonly Row[], name: string) => rows.find((row) => row.name === name)?.available;
  const before = await listed();
  assert.deepEqual(
    ['todo', 'web_extract', 'terminal'].map((name) => isThere(before, name)),
    [true, true, true],
  );
  const off = await run(['tools', 'disable', 'web_extract', 'todo', 'session_search']);
  assert.deepEqual([off.code, off.out.split('.')[0]], [0, 'Switched off: web_extract, todo, session_search']);
  const after = await listed();
  assert.match(after.find(({ name }) => name === 'todo')?.reason ?? '', /hermes tools enable todo/);
  assert.match((await run(['tools', 'list'])).out, /– web_extract +not available: you switched it off/);
  assert.match((await run(['tools', 'disable', 'web_extrct'])).err, /did you mean web_extract\?/);

  const searches = [call('tool_search', { query: 'web_extract' }), byBridge('web_extract', { urls: ['http://x.test'] })];
  const script = byBridge('execute_code', { code: 'from hermes_tools import todo\nprint(todo)' });
  await using server = await startWireServer({ replies: [...searches, script, DONE] });
  const chat = await run(['chat', '-q', 'go', ...toServer(server.url)]);
  assert.equal(chat.code, 0, chat.err);
  const [first] = server.requests;
  assert.equal(toolNames(first).includes('todo'), false);
  assert.doesNotMatch(toldOf('tool_search', first), /web_extract|session_search|todo/);
  assert.match(toldOf('tool_search', first), /vision_analyze/);
  const [found = '', called = '', imported = ''] = resultsIn(server.requests.at(-1));
  assert.doesNotMatch(found, /"name":"web_extract"/);
  assert.match(called, /web_extract is not available in this session: the owner switched it off/);
  assert.match(imported, /cannot import name 'todo'/);

  const on = await run(['tools', 'enable', 'web_extract', 'todo', 'session_search']);
  assert.match(on.out, /^Nothing is switched off/);
  assert.equal(isThere(await listed(), 'web_extract'), true);
  assert.match(text('../home/config.yaml'), /max_turns/, `what else stands in the settings of ${home} stays`);
});

test('toolsets of the owner, and of a platform', async () => {
  const { run } = stage({
    custom_toolsets: { reading: { description: 'Only look', tools: ['read_file'], includes: ['todo'] } },
    platform_toolsets: { telegram: ['reading', 'memory'] },
    toolsets: ['reading'],
    agent: { disabled_toolsets: ['memory'] },
  });
  const names = async (...args: string[]) =>
    rowsOf<Row>(await run(['tools', 'list', '--json', ...args])).map(({ name, available }) => (available ? name : `no ${name}`));
  assert.deepEqual(await names('-t', 'reading'), ['read_file', 'todo', 'context_recall']);
  assert.deepEqual(await names('--platform', 'telegram'), ['read_file', 'todo', 'context_recall']);
  assert.ok((await names('--platform', 'discord')).includes('terminal'));
  assert.match((await run(['tools', 'list', '-t', 'readng'])).err, /did you mean reading\?/);
  await using server = await startWireServer({ replies: [DONE] });
  assert.equal((await run(['chat', '-q', 'go', ...toServer(server.url)])).code, 0);
  assert.deepEqual(toolNames(server.requests[0]), ['read_file', 'todo', 'context_recall']);
});

test('a session that goes on after tools were changed keeps its table byte for byte, and what is switched off does not run', async () => {
  const { run, settings, at } = stage();
  const write = call('write_file', { path: 'new.txt', content: 'x\n' });
  await using server = await startWireServer({ replies: [DONE, write, DONE, DONE] });
  const chat = (...args: string[]) => run(['chat', '-q', 'go', ...args, ...toServer(server.url)]);
  assert.equal((await chat()).code, 0);
  assert.equal((await run(['tools', 'disable', 'file', 'web'])).code, 0);
  settings({ agent: { disabled_toolsets: ['file', 'web'] }, toolsets: ['todo', 'terminal'], tools: { tool_search: { enabled: 'off' } } });
  const resumed = await chat('--continue');
  assert.equal(resumed.code, 0, resumed.err);
  const [first, second] = server.requests;
  assert.equal(JSON.stringify(bodyOf(second).tools), JSON.stringify(bodyOf(first).tools));
  assert.deepEqual(bodyOf(second).messages.slice(0, 2), bodyOf(first).messages.slice(0, 2));
  assert.match(resultsIn(server.requests[2])[0] ?? '', /write_file is not available in this session: the owner switched it off/);
  assert.throws(() => writeFileSync(at('new.txt'), '', { flag: 'r+' }), /ENOENT/);
  assert.equal((await chat()).code, 0);
  assert.deepEqual(toolNames(server.requests.at(-1)), ['todo', 'terminal', 'process', 'context_recall']);
});

test(
  'tools beside the table are found by search and called by their names, scripts call tools themselves',
  { skip: noPython },
  async () => {
    const { run, at } = stage(SEARCHED);
    writeFileSync(at('a.txt'), 'first line\nsecond line\n');
    const python = `from hermes_tools import read_file, terminal\nprint(read_file(path="a.txt")["text"].upper())\nprint(terminal(command="echo by-$((20 + 1))")["text"])`;
    const javascript = `console.log((await read_file({path: 'a.txt'})).text.length > 0, (await terminal({command: 'echo js-$((20 + 2))'})).text)`;
    await using server = await startWireServer({
      replies: [
        call('tool_search', { query: 'vision_analyze', limit: 1 }),
        byBridge('execute_code', { code: python }),
        byBridge('execute_code', { code: javascript, language: 'javascript' }),
        call('execute_code', { code: 'print("by its own name")' }),
        byBridge('no_such_tool', {}),
        DONE,
      ],
    });
    const { code, err } = await run(['chat', '-q', 'go', ...toServer(server.url)]);
    assert.equal(code, 0, err);
    assert.equal(toolNames(server.requests[0]).includes('vision_analyze'), false);
    const [found = '', inPython = '', inJavascript = '', direct = '', unknown = ''] = resultsIn(server.requests.at(-1));
    assert.deepEqual(Object.keys(JSON.parse(found) as object), ['name', 'description', 'input']);
    assert.match(inPython, /FIRST LINE[^]*SECOND LINE[^]*by-21/);
    assert.match(inJavascript, /true js-22/);
    assert.match(direct, /by its own name/);
    assert.match(unknown, /there is no tool named no_such_tool/);
  },
);

test('a page on this machine is out of reach until the owner says otherwise, and stays foreign', async () => {
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Inside</h1><p>only for us</p>'),
  );
  await once(site.listen(0, '127.0.0.1'), 'listening');
  try {
    const address = site.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/page`;
    const { run, settings } = stage();
    await using server = await startWireServer({
      answer: ({ text }) => (text.includes('"role":"tool"') ? DONE : byBridge('web_extract', { urls: [url] })),
    });
    const chat = (...args: string[]) => run(['chat', '-q', 'read', '--json', ...args, ...toServer(server.url)]);
    assert.equal((await chat()).code, 0);
    assert.match(resultsIn(server.requests.at(-1))[0] ?? '', /Not read\. .*(?:private|this machine|loopback)/);
    settings({ security: { allow_private_urls: true } });
    const open = await chat();
    assert.equal(open.code, 0, open.err);
    assert.match(resultsIn(server.requests.at(-1))[0] ?? '', /only for us/);
    assert.match((await run(['sessions', 'show', sessionOf(open), '--json'])).out, /"trust": "foreign",\s*"source": "127\.0\.0\.1/);
  } finally {
    site.closeAllConnections();
    site.close();
  }
});

const ended = (words: readonly string[]): number => words.join('\n').split('is over: exit code').length - 1;

test('the end of a background process is told in the turn it falls into, once', async () => {
  const { run } = stage();
  await using server = await startWireServer({
    replies: [command('sleep 0.3; exit 3', { background: true, notify_on_complete: true }), command('sleep 1'), DONE, DONE, DONE],
  });
  const chat = (...args: string[]) => run(['chat', ...args, ...toServer(server.url)]);
  assert.equal((await chat('-q', 'go')).code, 0);
  assert.match(
    userWords(server.requests.at(-1)).at(-1) ?? '',
    /^\[Background process proc_\w+ \(sleep 0\.3; exit 3\) is over: exit code 3\./,
  );
  assert.equal((await chat('--continue', '-q', 'and now?')).code, 0);
  assert.equal(ended(userWords(server.requests.at(-1))), 1);
});

test('an end that comes after the run is told when the session goes on, once', async () => {
  const { run, at } = stage({ terminal: { backend: 'local', background_outlives: true } });
  await using server = await startWireServer({
    replies: [
      command('until [ -e over ]; do sleep 0.1; done; exit 4', { background: true, notify_on_complete: true }),
      { text: 'It runs.' },
      { text: 'I see.' },
      DONE,
    ],
  });
  const chat = (...args: string[]) => run(['chat', ...args, ...toServer(server.url)]);
  const first = await chat('-q', 'go');
  assert.deepEqual([first.code, ended(userWords(server.requests.at(-1)))], [0, 0], first.err);
  const begun = identifyProcess(Number(/pid (\d+)/.exec(resultsIn(server.requests[1])[0] ?? '')?.[1]));
  assert.equal(isAlive(begun), true);
  writeFileSync(at('over'), '');
  while (isAlive(begun)) await pause(50);
  const resumed = await chat('--continue');
  assert.deepEqual([resumed.code, resumed.out], [0, 'I see.\n'], resumed.err);
  assert.match(userWords(server.requests.at(-1)).at(-1) ?? '', /^\[Background process proc_\w+ .* is over: exit code 4\./);
  assert.equal((await chat('--continue', '-q', 'and now?')).code, 0);
  assert.equal(ended(userWords(server.requests.at(-1))), 1);
  assert.equal(server.requests.length, 4);
});

test('a background process goes on when the run is over; the session finds it again and ends it', async () => {
  const { run } = stage({ terminal: { backend: 'local', background_outlives: true } });
  await using server = await startWireServer({ replies: [command('echo begun; sleep 300', { background: true }), DONE] });
  const chat = (...args: string[]) => run(['chat', ...args, ...toServer(server.url)]);
  assert.equal((await chat('-q', 'start')).code, 0);
  const [, id = '', pid = ''] = /session_id (proc_\w+), pid (\d+)/.exec(resultsIn(server.requests[1])[0] ?? '') ?? [];
  const begun = identifyProcess(Number(pid));
  try {
    assert.equal(isAlive(begun), true);
    server.script(
      call('process', { action: 'list' }),
      call('process', { action: 'log', session_id: id }),
      call('process', { action: 'kill', session_id: id }),
      DONE,
    );
    assert.equal((await chat('--continue', '-q', 'end it')).code, 0);
    const [, listed = '', log = '', killed = ''] = resultsIn(server.requests.at(-1));
    assert.match(listed, new RegExp(`^${id}: running for \\d+ s, pid ${pid}: echo begun; sleep 300$`));
    assert.match(log, /begun/);
    assert.match(killed, /^Killed: /);
    assert.equal(isAlive(begun), false);
  } finally {
    if (isAlive(begun)) process.kill(-begun.pid, 'SIGKILL');
  }
  server.script(call('process', { action: 'list' }), DONE);
  assert.equal((await chat('--continue', '-q', 'and now?')).code, 0);
  assert.equal(resultsIn(server.requests.at(-1)).at(-1), 'No background processes.');
});
