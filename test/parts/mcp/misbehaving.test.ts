import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPath, parseJson } from '../../../src/base/json.ts';
import { createAdmission } from '../../../src/parts/safety/scan/admission.ts';
import { scanText } from '../../../src/parts/safety/scan/scan.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import { processesWith } from '../../processes.ts';
import { call, odd, openIn, optionsIn, tempFolder, until, wordsOf, NEEDS_SDK } from './setup.ts';
import { writeCachedOffer } from '../../../src/parts/mcp/cache.ts';
import { openMcp } from '../../../src/parts/mcp/open.ts';

test('a server that dies in the middle of a call: told, not repeated, and the next call starts it again', NEEDS_SDK, async () => {
  const folder = tempFolder();
  const file = join(folder, 'marks');
  await using mcp = await openIn(folder, [odd('plain')]);
  const lost = await call(mcp, 'mcp__odd__mark_and_die', { file });
  assert.equal(lost.failed, true);
  assert.match(wordsOf(lost), /lost before it answered mark_and_die.*exit code 9.*out of memory.*not known, so it was not repeated/s);
  assert.equal(readFileSync(file, 'utf8'), 'mark\n');
  assert.equal(wordsOf(await call(mcp, 'mcp__odd__mark', { file })), 'marked');
  assert.equal(readFileSync(file, 'utf8'), 'mark\nmark\n');
});

test('an error that a server answers is an answer, whatever its code: the server goes on', NEEDS_SDK, async () => {
  await using mcp = await openIn(tempFolder(), [odd('plain')]);
  const pid = wordsOf(await call(mcp, 'mcp__odd__pid', {}));
  for (const code of [-32_000, -32_001, -32_600, -1, 0, 7, 404, 500]) {
    const told = await call(mcp, 'mcp__odd__refuse', { code });
    assert.equal(told.failed, true);
    assert.match(wordsOf(told), /^The MCP server odd refused refuse: No such row\.$/, String(code));
  }
  assert.equal(wordsOf(await call(mcp, 'mcp__odd__pid', {})), pid, 'it was not started anew');
});

test('a server that goes after it was initialised fails each call in words and never hangs', NEEDS_SDK, async () => {
  const folder = tempFolder();
  await using unknown = await openIn(folder, [odd('quits')]);
  assert.deepEqual(unknown.tools, []);
  assert.match(unknown.notices.join(), /odd is not available in this session/);
  const echo = { name: 'echo', description: '', input: { type: 'object' }, readOnly: false, idempotent: false, outward: true };
  writeCachedOffer(join(folder, 'cache', 'mcp'), odd('quits'), {
    at: 1,
    protocol: '',
    server: '',
    tools: [echo],
    beyond: 0,
    endless: false,
  });
  await using known = await openIn(folder, [odd('quits')]);
  for (let round = 0; round < 3; round++) {
    const told = await call(known, 'mcp__odd__echo', { text: 'hi' });
    assert.equal(told.failed, true);
    assert.match(wordsOf(told), /exit code 7/);
  }
});

test('a server that says nothing costs the start its limit, and is told', NEEDS_SDK, async () => {
  const folder = tempFolder();
  await using mcp = await openIn(folder, [odd('silent')], { discoveryMs: 200 });
  assert.deepEqual(mcp.tools, []);
  assert.match(mcp.notices.join(), /did not answer within 0\.2 s/);
});

test('a server that says nothing is given up after its connect_timeout', NEEDS_SDK, async () => {
  await using mcp = await openIn(tempFolder(), [odd('silent', { connect_timeout: 0.2 })], {
    clock: { now: Date.now, sleep: async () => {} },
  });
  assert.match(mcp.notices.join(), /was not ready within 0\.2 s/);
});

test('a call nobody answers ends after the timeout of its server, in words', NEEDS_SDK, async () => {
  await using mcp = await openIn(tempFolder(), [odd('plain', { timeout: 1 })]);
  const late = await call(mcp, 'mcp__odd__never');
  assert.match(wordsOf(late), /did not answer never within 1 s/);
  assert.equal(wordsOf(await call(mcp, 'mcp__odd__echo', { text: 'still here' })), 'still here');
});

test('lines that are no messages are passed over', NEEDS_SDK, async () => {
  await using mcp = await openIn(tempFolder(), [odd('junk')]);
  assert.equal(wordsOf(await call(mcp, 'mcp__odd__echo', { text: 'hi' })), 'hi');
});

test('a large answer comes whole; one without measure ends the connection and says why', NEEDS_SDK, async () => {
  await using mcp = await openIn(tempFolder(), [odd('plain')]);
  assert.equal(wordsOf(await call(mcp, 'mcp__odd__big', { bytes: 3_000_000 })).length, 3_000_000);
  const flood = await call(mcp, 'mcp__odd__big', { bytes: 12_000_000 });
  assert.match(wordsOf(flood), /more than 10485760 bytes in one message/);
  assert.equal(wordsOf(await call(mcp, 'mcp__odd__echo', { text: 'again' })), 'again');
});

test('a list of tools without end is cut off', NEEDS_SDK, async () => {
  await using mcp = await openIn(tempFolder(), [odd('endless')]);
  assert.equal(mcp.tools.length, 32);
  assert.match(mcp.notices.join(), /odd does not end; only its first 32 tools are available/);
});

test(
  'of more tools than one server may bring the rest is told, in every session, and the owner says which ones to have',
  NEEDS_SDK,
  async () => {
    const folder = tempFolder();
    const told = /^44 tools of the MCP server odd are not available: the limit is 256 per server\. .*tools\.include/;
    for (const how of ['asked', 'from the cache']) {
      await using mcp = await openIn(folder, [odd('many')]);
      assert.equal(mcp.tools.length, 256, how);
      assert.match(mcp.notices.join(), told, how);
    }
    await using chosen = await openIn(folder, [odd('many', { tools: { include: ['tool_29?'] } })]);
    assert.deepEqual(
      chosen.tools.map(({ name }) => name),
      Array.from({ length: 10 }, (_, index) => `mcp__odd__tool_29${index}`),
      'also those that were left out before',
    );
    assert.deepEqual(chosen.notices, []);
    await using fewer = await openIn(tempFolder(), [odd('many', { tools: { exclude: ['tool_1*'] } })]);
    assert.deepEqual([fewer.tools.length, fewer.notices], [189, []], 'what nobody wants is not missing');
  },
);

test('a server that asks for a model, a person or roots is told that there is none', NEEDS_SDK, async () => {
  await using mcp = await openIn(tempFolder(), [odd('plain')]);
  for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list']) {
    const told = parseJson(wordsOf(await call(mcp, 'mcp__odd__ask', { method })));
    assert.deepEqual([method, readPath(told, 'code')], [method, -32_601]);
  }
});

test('orders in descriptions do not reach the prompt; the tools keep their names', NEEDS_SDK, async () => {
  const admit = createAdmission({ allowed: () => false, hash: sha256 });
  assert.ok(scanText('Says it again', 'skill').length === 0);
  await using mcp = await openIn(tempFolder(), [odd('orders')], { judge: async (work) => work(admit) });
  assert.deepEqual(
    mcp.tools.map(({ name, description, input }) => ({ name, description, input })),
    [
      { name: 'mcp__odd__hidden', description: 'Harmless', input: { type: 'object', properties: { text: { type: 'string' } } } },
      {
        name: 'mcp__odd__sweet',
        description: 'Calls sweet of the MCP server odd.',
        input: { type: 'object', properties: { text: { type: 'string' } } },
      },
    ],
  );
  assert.equal(mcp.notices.length, 2);
});

test('what a server offers from now on is for the next session; this one keeps its table', NEEDS_SDK, async () => {
  const folder = tempFolder();
  await using mcp = await openIn(folder, [odd('plain')]);
  const before = mcp.tools.map(({ name }) => name);
  await call(mcp, 'mcp__odd__grow');
  const cache = join(folder, 'cache', 'mcp', 'odd.json');
  await until(
    () => readFileSync(cache, 'utf8'),
    (text) => text.includes('grown_0'),
  );
  assert.deepEqual(
    mcp.tools.map(({ name }) => name),
    before,
  );
  await using next = await openIn(folder, [odd('plain')]);
  assert.deepEqual(
    next.tools.map(({ name }) => name),
    [...before, 'mcp__odd__grown_0'].toSorted(),
  );
});

test('a server that is known is not started before its first call; another entry makes it unknown', NEEDS_SDK, async () => {
  const folder = tempFolder();
  await using first = await openIn(folder, [odd('plain')]);
  assert.equal(first.tools.length, 9);
  const elsewhere = odd('plain', { command: join(folder, 'no-such-program') });
  const gone = await openIn(folder, [elsewhere]);
  assert.deepEqual(gone.tools, []);
  assert.match(gone.notices.join(), /command was not found/);
  const options = optionsIn(folder, [odd('plain')]);
  await using idle = await openMcp({ ...options, place: { ...options.place, cwd: join(folder, 'gone') } });
  assert.deepEqual(
    idle.tools.map(({ name, description, input }) => ({ name, description, input })),
    first.tools.map(({ name, description, input }) => ({ name, description, input })),
  );
  assert.equal(existsSync(join(folder, 'gone')), false);
  assert.match(wordsOf(await call(idle, 'mcp__odd__pid')), /could not be reached/);
});

test('calls stopped while a server is being reached return at once', NEEDS_SDK, async () => {
  const folder = tempFolder();
  (await openIn(folder, [odd('plain')]))[Symbol.asyncDispose]();
  await using mcp = await openIn(folder, [odd('plain')]);
  const told = await call(mcp, 'mcp__odd__echo', { text: 'x' }, { signal: AbortSignal.abort('stop') });
  assert.equal(told.failed, true);
  assert.equal(wordsOf(await call(mcp, 'mcp__odd__echo', { text: 'y' })), 'y');
});

test('a server that will not go is ended with all it started', NEEDS_SDK, async () => {
  const folder = tempFolder();
  const server = odd('stubborn', { args: [join(import.meta.dirname, 'odd-server.ts'), 'stubborn', `mark-${process.pid}`] });
  const mcp = await openIn(folder, [server]);
  const pid = Number(wordsOf(await call(mcp, 'mcp__odd__pid')));
  assert.ok(processesWith(`mark-${process.pid}`).includes(pid));
  await mcp[Symbol.asyncDispose]();
  // It is killed by now; on a busy machine the system takes a moment to bury it.
  await until(
    () => processesWith(`mark-${process.pid}`),
    (left) => left.length === 0,
  );
});
