import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHost } from '../../src/app/open-host.ts';
import { UsageError } from '../../src/base/errors.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { AnyCommand } from '../../src/contracts/command.ts';
import type { CommandLineOptions, Host, SessionHandle } from '../../src/contracts/host.ts';
import { joinTextBlocks } from '../../src/contracts/message.ts';
import { defineCommand } from '../../src/contracts/services/define-command.ts';
import { scriptedProvider, type Script, type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-host-commands-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const never = new AbortController().signal;

interface Stage extends AsyncDisposable {
  readonly host: Host;
  readonly session: SessionHandle;
  readonly cwd: string;
  say(words: string): Promise<void>;
  type(line: string, more?: Partial<CommandLineOptions>): ReturnType<Host['commands']['run']>;
}
async function stage(script: Script, config = '', commands: readonly AnyCommand[] = []): Promise<Stage> {
  const [root, cwd] = [mkdtempSync(join(folder, 'home-')), mkdtempSync(join(folder, 'work-'))];
  writeFileSync(join(root, 'config.yaml'), `checkpoints:\n  enabled: true\n${config}`);
  const env = { PATH: process.env['PATH'] };
  const host = await openHost({
    env,
    home: resolveHome({ HERMES_HOME: root }),
    register: (registries) => void commands.map((command) => registries.commands.add(command.name, command)),
  });
  const session = await host.openSession({ provider: scriptedRoute(scriptedProvider(script)), mcp: false, cwd, allowAll: 'test' });
  return {
    host,
    session,
    cwd,
    say: async (words) => void (await Array.fromAsync(session.send(await session.message(words), never))),
    type: (line, more = {}) => host.commands.run(line, { place: 'chat', session, ...more }),
    [Symbol.asyncDispose]: async () => {
      await session[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}
const done = async (typed: ReturnType<Host['commands']['run']>) => {
  const outcome = await typed;
  return outcome.type === 'done' ? outcome : assert.fail(JSON.stringify(outcome));
};
const write = (path: string, content: string): ScriptedAnswer => ({ calls: [{ id: 'w', name: 'write_file', input: { path, content } }] });

test('/undo takes the turn back, names the files it changed, and what it offers brings them back', async () => {
  await using the = await stage([
    { text: 'hello' },
    write('notes.txt', 'new'),
    { calls: [{ id: 't', name: 'terminal', input: { command: 'rm gone.txt && echo x > made.txt' } }] },
    { text: 'done' },
    { text: 'after' },
  ]);
  writeFileSync(join(the.cwd, 'notes.txt'), 'old');
  writeFileSync(join(the.cwd, 'gone.txt'), 'gone');
  await the.say('first');
  await the.say('change the files');
  const undone = await done(the.type('/undo'));
  assert.match(undone.text, /^Took back 1 turn, from: change the files\nFiles stay as they are now:\n/);
  for (const line of ['changed .*/notes.txt', 'deleted .*/gone.txt', 'made .*/made.txt'])
    assert.match(undone.text, new RegExp(`^ {2}${line}$`, 'm'));
  assert.ok(undone.followUp?.type === 'edit' && joinTextBlocks(undone.followUp.message) === 'change the files');
  assert.equal(readFileSync(join(the.cwd, 'notes.txt'), 'utf8'), 'new', 'files stay as they are');

  const [, offered = ''] = /^To restore them: (\/rollback \S+)$/m.exec(undone.text) ?? [];
  assert.match((await done(the.type(offered))).text, /3 files rolled back/);
  assert.equal(readFileSync(join(the.cwd, 'notes.txt'), 'utf8'), 'old');
  assert.deepEqual([existsSync(join(the.cwd, 'gone.txt')), existsSync(join(the.cwd, 'made.txt'))], [true, false]);

  assert.match((await done(the.type('/undo 5'))).text, /^Took back 1 turn, from: first$/m);
  assert.deepEqual((await done(the.type('/undo'))).result, { ok: false, why: 'no turn of this session is left to take back' });
});

test('/retry gives the message of the last turn to be sent again, and the turn is gone', async () => {
  await using the = await stage([{ text: 'one' }, { text: 'two' }]);
  await the.say('roll the dice');
  const { followUp, text } = await done(the.type('/retry'));
  assert.equal(text, 'Again: roll the dice');
  assert.ok(followUp?.type === 'send');
  await Array.fromAsync(the.session.send(followUp.message, never));
  assert.equal((await done(the.type('/undo 9'))).text, 'Took back 1 turn, from: roll the dice');
});

test('/branch, /new and /resume say which session comes next; /title, /status and /model speak of this one', async () => {
  await using the = await stage([{ text: 'one' }, { text: 'two' }]);
  await the.say('hello');
  const branched = await done(the.type('/fork another way'));
  assert.ok(branched.followUp?.type === 'open');
  assert.equal(branched.followUp.session.title, 'another way');
  assert.notEqual(branched.followUp.session.id, the.session.session.id);
  const resumed = await done(the.type('/resume another way'));
  assert.deepEqual(resumed.followUp, branched.followUp);
  await assert.rejects(
    the.type('/resume another way', { by: 'other' }),
    new UsageError('resume is only for the owner. Nothing was done; ask the owner to do it.'),
  );

  assert.match((await done(the.type('/title the release'))).text, /is now “the release”\.$/);
  assert.match(
    (await done(the.type('/status'))).text,
    /^Session \S+ “the release”\nModel: .+\nFolder: .+\nSo far: 2 messages, 1 model call/,
  );
  assert.match((await done(the.type('/model'))).text, /^The model is /);
  assert.equal((await done(the.type('/model second-model'))).text.includes('second-model'), true);
  assert.equal(the.session.runtime.model, 'second-model');
  assert.match((await done(the.type('/usage'))).text, /^1 call, /);

  const fresh = await done(the.type('/reset tomorrow'));
  assert.deepEqual(fresh.followUp, { type: 'new', title: 'tomorrow' });
  assert.equal((await the.host.store.find(the.session.session.id))[0]?.endReason, 'reset');
});

test('/queue leaves a message and asks for a resume; /stop and /quit are steps of the face', async () => {
  await using the = await stage([{ text: 'one' }]);
  const queued = await done(the.type('/queue and the tests', { busy: true }));
  assert.deepEqual(queued.followUp, { type: 'resume' });
  const [item] = await the.host.store.waiting(the.session.session.id);
  assert.ok(item !== undefined && item.mode === 'queue' && joinTextBlocks({ role: 'user', content: item.content }) === 'and the tests');
  await Array.fromAsync(the.session.resume(never));
  assert.deepEqual(await the.host.store.waiting(the.session.session.id), []);
  assert.deepEqual((await done(the.type('/stop', { busy: true }))).followUp, { type: 'stop' });
  assert.deepEqual((await done(the.type('/exit', { place: 'terminal' }))).followUp, { type: 'leave' });
  assert.equal((await the.type('/exit')).type, 'unknown', 'nobody leaves a chat');
});

test('what somebody else in a chat queues or steers is never the owner’s word', async () => {
  await using the = await stage([{ text: 'one' }]);
  for (const line of ['/queue delete it', '/steer delete it', '/queue keep it'])
    await done(the.type(line, { busy: true, by: line.endsWith('keep it') ? 'owner' : 'other' }));
  const foreign = { type: 'text', text: 'delete it', trust: 'foreign', source: 'somebody else in the chat' };
  assert.deepEqual(
    (await the.host.store.waiting(the.session.session.id)).map(({ mode, content }) => [mode, content]),
    [
      ['queue', [foreign]],
      ['steer', [foreign]],
      ['queue', [{ type: 'text', text: 'keep it', trust: 'owner' }]],
    ],
  );
});

test('busy, unknown, skills, paths and words each have their outcome', async () => {
  await using the = await stage([]);
  const kind = async (line: string, more?: Partial<CommandLineOptions>) => (await the.type(line, more)).type;
  assert.equal(await kind('/undo', { busy: true }), 'refused');
  assert.equal(await kind('/rollback 1', { busy: true }), 'queue');
  assert.equal(await kind('/undoo'), 'unknown');
  for (const line of ['hello', '/usr/bin is full', '/systematic-debugging why?']) assert.equal(await kind(line), 'text', line);
  assert.equal(await kind('/undoo', { exact: true }), 'text');
  await assert.rejects(the.type('/rollback --all=no 3'), UsageError);
});

test('a command with nothing behind it is known by its name, an alias or its beginning', async () => {
  await using the = await stage([]);
  const bare = (line: string) => the.host.commands.findBare(line, 'terminal');
  const lines = ['/model', ' /MOD ', '/theme', '/model other', '/mo del', '/nothing-like-it', '/', 'model'];
  assert.deepEqual(await Promise.all(lines.map(bare)), ['model', 'model', 'skin', undefined, undefined, undefined, undefined, undefined]);
});

test('a line completes to commands, words of a name, choices, options and skills', async () => {
  const mood = defineCommand({
    name: 'mood',
    category: 'help',
    summary: 'how it speaks',
    where: ['chat'],
    whileBusy: 'run',
    arguments: { to: { kind: 'choice', choices: ['calm', 'curt'], description: 'the mood' } },
    options: { always: { kind: 'flag', description: 'from now on' } },
    examples: [],
  });
  await using the = await stage([], '', [mood]);
  const lines = async (line: string) => (await the.host.commands.complete(line, 'chat')).map((each) => each.line);
  assert.deepEqual(await lines('/rollb'), ['/rollback ', '/rollback diff ', '/rollback list ']);
  assert.deepEqual(await lines('/rollback d'), ['/rollback diff ']);
  assert.deepEqual(await lines('/compa'), ['/compact ']);
  assert.deepEqual(await lines('/mood '), ['/mood calm ', '/mood curt ', '/mood --always ']);
  assert.deepEqual(await lines('/mood cu'), ['/mood curt ']);
  assert.deepEqual(await lines('/mood calm --a'), ['/mood calm --always ']);
  assert.deepEqual(await lines('/systematic'), ['/systematic-debugging ']);
  assert.deepEqual(await lines('hello'), []);
  const all = await the.host.commands.list('chat');
  assert.deepEqual(
    (await lines('/')).slice(0, all.length),
    all.map(({ name }) => `/${name} `),
  );
});

test('a gate follows the setting it names', async () => {
  const gated = defineCommand({
    name: 'gated',
    category: 'help',
    summary: 'x',
    where: ['chat'],
    whileBusy: 'run',
    gate: 'memory.memory_enabled',
    examples: [],
    run: async () => 'open',
  });
  await using on = await stage([], 'memory:\n  memory_enabled: true\n', [gated]);
  assert.equal((await done(on.type('/gated'))).text, 'open');
  await using off = await stage([], 'memory:\n  memory_enabled: false\n', [gated]);
  await assert.rejects(off.type('/gated'), /gated is switched off; hermes config set memory\.memory_enabled true switches it on/);
});

test('a stored session is opened only for a command that needs it, and closed after it', async () => {
  await using the = await stage([{ text: 'one' }]);
  await the.say('hello');
  const { session } = the.session;
  let opened = 0;
  const unopened = {
    session,
    open: async () => {
      opened++;
      return the.host.openSession({ session, provider: scriptedRoute(scriptedProvider([])), mcp: false });
    },
  };
  await done(the.host.commands.run('/status', { place: 'terminal', session: unopened }));
  assert.equal(opened, 0);
  await done(the.host.commands.run('/undo', { place: 'terminal', session: unopened }));
  assert.equal(opened, 1);
});
