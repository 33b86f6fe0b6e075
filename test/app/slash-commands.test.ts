import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../../src/base/errors.ts';
import { joinTextBlocks } from '../../src/contracts/message.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { slashStage } from './slash-stage.ts';

const never = new AbortController().signal;

test('what only a screen can do travels as a step for the face, and a script is told so instead', async () => {
  await using the = await slashStage([{ text: 'the first answer' }, { text: 'the second answer' }]);
  await the.say('one');
  await the.say('two');
  const step = async (line: string) => (await the.done(line)).followUp;
  assert.deepEqual(await step('/copy'), { type: 'copy', text: 'the second answer' });
  assert.deepEqual(await step('/copy 2'), { type: 'copy', text: 'the first answer' });
  await assert.rejects(the.type('/copy 3'), new UsageError('there is no answer 3: this session has 2.'));
  assert.deepEqual(await step('/redraw'), { type: 'redraw' });
  assert.deepEqual(await step('/compose Look at\nthis:'), { type: 'compose', text: 'Look at\nthis:' });
  assert.deepEqual(await step('/paste'), { type: 'attach' });
  assert.deepEqual(await step('/image "my shot.png"'), { type: 'attach', path: join(the.cwd, 'my shot.png') });
  assert.deepEqual(await step('/verbose'), { type: 'display', setting: 'display.tool_progress' });
  assert.deepEqual(await step('/VERBOSE new'), { type: 'display', setting: 'display.tool_progress', value: 'new' });
  assert.deepEqual(await step('/reasoning hide'), { type: 'display', setting: 'display.show_reasoning', value: 'off' });
  assert.deepEqual(await step('/sb off'), { type: 'display', setting: 'display.status_bar.enabled', value: 'off' });
  assert.deepEqual(await step('/theme mono'), { type: 'display', setting: 'display.skin', value: 'mono' });
  await assert.rejects(the.type('/busy later'), /\bmode must be one of steer, queue, interrupt/);
  assert.equal(existsSync(join(the.home, 'config.yaml')) && readFileSync(join(the.home, 'config.yaml'), 'utf8'), '', 'only this session');
  assert.match((await the.done('/busy queue --save')).text, /^Saved display\.busy_input_mode in /);
  assert.equal(readFileSync(join(the.home, 'config.yaml'), 'utf8'), 'display:\n  busy_input_mode: queue\n');
  for (const line of ['/copy', '/clear', '/verbose all', '/yolo'])
    await assert.rejects(the.type(line, { exact: true }), /works only in the terminal UI/, line);
  assert.equal((await the.type('/copy', { place: 'chat' })).type, 'unknown');
  assert.deepEqual(await step('/clear'), { type: 'new', clear: true });
  assert.equal((await the.host.store.find(the.session.session.id))[0]?.endReason, 'reset');
});

test('/history, /save, /context, /debug, /whoami and /version tell of the session and the program', async () => {
  await using the = await slashStage([{ text: 'hello \u001b[31mred' }]);
  assert.match((await the.done('/context')).text, /^Nothing has been sent to scripted yet\. Its context window is 200,000 tokens\./);
  await the.say('hi there');
  assert.equal((await the.done('/history')).text, 'You: hi there\n\nHermes: hello red');
  const saved = await the.done('/save');
  const file = join(the.cwd, `${the.session.session.id}.md`);
  assert.equal(saved.text, `Saved to ${file}.`);
  assert.match(readFileSync(file, 'utf8'), /## You\n\nhi there/);
  await assert.rejects(the.type('/save'), /already exists/);
  await the.done('/export talk.jsonl');
  assert.ok(readFileSync(join(the.cwd, 'talk.jsonl'), 'utf8').startsWith('{"'));

  const { result, text } = await the.done('/ctx');
  assert.match(text, /^scripted: about [\d,]+ of 200,000 tokens/);
  assert.deepEqual(result, { model: 'scripted', ...(await the.session.measure()), othersRead: false });
  const { window, system, tools, messages, messageCount } = await the.session.measure();
  assert.deepEqual([window, messageCount], [200_000, 2]);
  assert.ok(system > 100 && tools > 100 && messages > 0 && messages < system);

  assert.match((await the.done('/debug')).text, new RegExp(`Session ${the.session.session.id}: scripted of scripted, 2 messages, 1 call`));
  assert.match((await the.done('/whoami')).text, /^You are the owner .+ Profile: default\.$/);
  assert.match((await the.done('/whoami', { by: 'other' })).text, /^You are a guest/);
  assert.equal((await the.done('/version')).text, 'hermes development');
  assert.match((await the.done('/profile')).text, /^Profile default/);
});

test('/btw sees the conversation, uses no tools, leaves no trace but its cost, and works beside a turn', async () => {
  const gate = Promise.withResolvers<void>();
  await using the = await slashStage(async (_request, index) => {
    if (index === 2) await gate.promise;
    return { text: ['the password is swordfish', 'swordfish', 'long work', 'again'][index] ?? '', usage: { input: 10, output: 2 } };
  });
  await assert.rejects(the.type('/btw what?'), /no turn of this session has ended yet/);
  await the.say('remember the password');
  const before = await the.host.store.entries(the.session.session.id);
  assert.equal((await the.done('/btw what was it?')).text, 'swordfish');
  const [first, aside] = the.provider.requests;
  assert.ok(first !== undefined && aside !== undefined);
  assert.deepEqual([aside.system, aside.tools, aside.toolUse], [first.system, first.tools, 'forbidden']);
  assert.deepEqual(aside.messages.slice(0, 1), first.messages.slice(0, 1), 'the prefix is the conversation');
  assert.match(joinTextBlocks(aside.messages.at(-1)?.message ?? assert.fail()), /^what was it\?/);
  assert.deepEqual(await the.host.store.entries(the.session.session.id), before);
  const purposes = async () => (await the.host.store.calls({ sessionId: the.session.session.id })).map(({ purpose }) => purpose);
  assert.deepEqual(await purposes(), [undefined, 'aside']);

  const turn = the.say('work');
  while (the.provider.requests.length < 3) await pause(5);
  assert.equal((await the.done('/btw still there?', { busy: true })).text, 'again');
  gate.resolve();
  await turn;
  assert.deepEqual(
    (await purposes()).filter((purpose) => purpose === 'aside').length,
    2,
    'what could not be entered then is entered by the turn',
  );
});

test('/diff shows what git and what the session itself changed', async () => {
  await using the = await slashStage(
    [{ calls: [{ id: 'w', name: 'write_file', input: { path: 'a.txt', content: 'new\n' } }] }, { text: 'done' }],
    'checkpoints:\n  enabled: true\nterminal:\n  backend: local\n',
  );
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: the.cwd });
  git('init', '-q');
  writeFileSync(join(the.cwd, 'a.txt'), 'old\n');
  git('add', '.');
  git('commit', '-qm', 'x');
  // What a project could have git run, were it asked.
  git('config', 'diff.external', `touch ${join(the.cwd, 'ran')}; true`);
  assert.equal((await the.done('/diff')).text, 'No changes.');
  await the.say('write');
  for (const line of ['/diff', '/diff all', '/diff session']) assert.match((await the.done(line)).text, /^-old\n\+new$/m, line);
  assert.equal((await the.done('/diff staged')).text, 'No changes.');
  for (let index = 10; index < 32; index += 1) writeFileSync(join(the.cwd, `new${index}.txt`), '');
  assert.match((await the.done('/diff')).text, /\n\+new\n\nNot in git yet: new10\.txt, new11\.txt, .* and 2 more$/);
  assert.equal((await the.done('/diff staged')).text, 'No changes.');
  assert.ok(!existsSync(join(the.cwd, 'ran')));
});

test('a shell command that the owner types is not asked about; the floor and the deny list hold', async () => {
  const asked: string[] = [];
  const clarify = async ({ question, choices }: { readonly question: string; readonly choices: readonly string[] }) => {
    asked.push(question);
    return choices[1] ?? 'no';
  };
  await using the = await slashStage(
    [{ calls: [{ id: 't', name: 'terminal', input: { command: 'npm test' } }] }, { text: 'done' }],
    'terminal:\n  backend: local\napprovals:\n  deny: ["npm publish*"]\n',
    { ports: { clarify } },
  );
  writeFileSync(join(the.cwd, 'package.json'), JSON.stringify({ scripts: { test: 'echo tested > ran' } }));
  const run = async (line: string) => {
    const events = the.session.shell(line, never);
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) return value;
    }
  };
  assert.equal((await run('npm test')).ok, true);
  assert.ok(existsSync(join(the.cwd, 'ran')));
  assert.match((await run('rm -rf --no-preserve-root /')).output, /refused|Refused|Not run/);
  assert.match((await run('npm publish')).output, /refused|Refused|Not run/);
  assert.deepEqual(asked, []);
  // The same line from the model is still asked about.
  await the.say('test it');
  assert.deepEqual(asked, ['Run this command?']);
});

test('/yolo takes the questions away for this session and gives them back', async () => {
  const asked: string[] = [];
  const clarify = async ({ question, choices }: { readonly question: string; readonly choices: readonly string[] }) => {
    asked.push(question);
    return choices[1] ?? 'no';
  };
  const call = (id: string) => ({ calls: [{ id, name: 'terminal', input: { command: 'sudo -n true' } }] });
  const script = ['a', 'b', 'c'].flatMap((id) => [call(id), { text: 'done' }]);
  await using the = await slashStage(script, 'terminal:\n  backend: local\n', { ports: { clarify } });
  await the.say('first');
  assert.equal(asked.length, 1);
  assert.match((await the.done('/yolo')).text, /no longer asks/);
  await the.say('second');
  assert.equal(asked.length, 1, 'nobody is asked');
  assert.match((await the.done('/yolo')).text, /asks before/);
  await the.say('third');
  assert.equal(asked.length, 2);
  await assert.rejects(the.type('/yolo on', { by: 'other' }), /only for the owner/);
  assert.equal((await the.type('/yolo', { place: 'chat' })).type, 'unknown');
});

test('/personality stands beside later messages and never changes an earlier one', async () => {
  await using the = await slashStage(
    Array.from({ length: 4 }, () => ({ text: 'ok' })),
    'personalities:\n  Butler: Speak like a butler.\n  odd: 3\n',
  );
  await the.say('one');
  assert.match((await the.done('/personality')).text, /^Personality: none\n {2}butler: Speak like a butler\.\n {2}helpful/);
  assert.equal((await the.done('/personality BUTLER')).text, 'From the next message on: butler.');
  await the.say('two');
  await the.done('/personality none');
  await the.say('three');
  const last = the.provider.requests.at(-1)?.messages ?? [];
  const beside = last
    .filter(({ message }) => message.role === 'user')
    .map(({ wireOnly = [] }) => wireOnly.some(({ text }) => text.includes('like a butler')));
  assert.deepEqual(beside, [false, true, false]);
  assert.deepEqual(new Set(the.provider.requests.map(({ system }) => system)).size, 1);
  await assert.rejects(the.type('/personality pirat'), /did you mean pirate\?/);
});

test('quick commands run without the model, lead to other commands, and never take a name of ours', async () => {
  await using the = await slashStage(
    [{ text: 'reviewed' }],
    `terminal:
  backend: local
quick_commands:
  where: {type: exec, command: pwd}
  t: {type: alias, target: /title}
  Review: {type: alias, target: Review the last change}
  loop: {type: alias, target: /loop2}
  loop2: {type: alias, target: /loop}
  help: {type: exec, command: rm -rf x}
  "bad name": {type: exec, command: ls}
  odd: {type: eval, command: ls}
  destroy: {type: exec, command: rm -rf --no-preserve-root /}
`,
  );
  assert.equal((await the.done('/where')).text, the.cwd);
  assert.match((await the.done('/t the release')).text, /is now “the release”/);
  const { followUp } = await the.done('/review please');
  assert.ok(followUp?.type === 'send' && joinTextBlocks(followUp.message) === 'Review the last change please');
  await assert.rejects(the.type('/loop'), /leads to itself/);
  assert.match((await the.done('/destroy')).text, /[Rr]efused|Not run/);
  await assert.rejects(the.type('/where', { by: 'other' }), /only for the owner/);
  assert.equal(the.provider.requests.length, 0, 'no model was asked');
  const help = (await the.done('/help')).text;
  assert.match(help, /Your own commands\n {2}\/where: Run: pwd\n {2}\/t \[words\]: The same as \/title/);
  assert.deepEqual(
    (await the.host.commands.complete('/whe', 'terminal')).map(({ line }) => line),
    ['/where '],
  );
  await pause(0);
  assert.deepEqual(
    the.notices().filter((text) => text.startsWith('quick_commands')),
    [
      'quick_commands.help is not used: /help is a command of hermes.',
      'quick_commands.bad name is not used: its name may have a-z, 0-9, - and _.',
      'quick_commands.odd is not used: its type is neither exec nor alias.',
    ],
  );
});

test('/bg works in a session of its own and tells how it ended; /agents lists it', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'all tests pass' }) });
  const model = { baseUrl: `${server.url}/v1`, provider: 'custom', model: 'm', apiMode: 'chat_completions' } as const;
  await using the = await slashStage([], '', { model });
  await the.say('hello');
  const { text } = await the.done('/bg run the tests');
  const [, id = ''] = /^Started in session (\S+)\./.exec(text) ?? [];
  while (!the.notices().some((words) => words.includes(id))) await pause(10);
  assert.deepEqual(
    the.notices().filter((words) => words.includes(id)),
    [`Background session ${id} is done:\nall tests pass`],
  );
  assert.match((await the.done('/tasks')).text, new RegExp(`^background ${id} {2}run the tests \\(done\\)$`));
  const [stored] = await the.host.store.find(id);
  assert.deepEqual([stored?.cwd, stored?.platform], [the.cwd, 'cli']);
  await assert.rejects(the.type('/bg x', { exact: true }), /works only in a program that stays open/);
});

test('/help has every command once, by category, and names are found whatever their case', async () => {
  await using the = await slashStage([]);
  const { text } = await the.done('/help');
  assert.deepEqual(
    [...text.matchAll(/^\S.*$/gm)].map(([title]) => title),
    [
      'Conversation',
      'Sessions',
      'Scheduled jobs',
      'Prompt, memory and skills',
      'Tools',
      'Safety and undo',
      'Insight',
      'Settings',
      'Screen',
      'Help',
    ],
  );
  const all = await the.host.commands.list('terminal');
  for (const { line } of all) assert.equal(text.split(`  ${line}`).length - 1 >= 1, true, line);
  assert.equal((await the.done('/HELP Compress')).text.split('\n')[0], (await the.done('/help compress')).text.split('\n')[0]);
  assert.deepEqual(await the.type('/contxt'), {
    type: 'unknown',
    words: 'there is no command /contxt; did you mean /context? /help lists them.',
  });
});
