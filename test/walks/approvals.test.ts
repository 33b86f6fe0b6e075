import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer, type RecordedRequest } from '../../src/testing/wire-server/index.ts';
import { readBack } from '../base/read-back.ts';
import { noPython } from '../parts/tools/builtin/execute-code/stage.ts';
import { toServer } from './hermes.ts';
import { noPty, onTerminal, WAITING } from './on-terminal.ts';
import { bodyOf, call, command, resultsIn, rowsOf, sessionOf, stage, userWords, type Stage } from './stage.ts';

/** Asked about because it lets everyone change files; what it does is harmless. */
const DANGEROUS = 'chmod -R 777 build && echo ran >> marks';
/** Nobody can allow it. There is no such disk. */
const FLOOR = 'echo ran >> marks; mkfs.ext4 /dev/sdzz9';
const CODE = `import subprocess\nopen('marks', 'a').write('ran\\n')\nsubprocess.run(['chmod', '-R', '777', 'build'])\n`;

interface Row {
  readonly id: string;
  readonly state: string;
  readonly tool: string;
  readonly summary: string;
  readonly session_id: string;
}

function place(settings: object = {}): Stage {
  // Behind a wall most of these commands are nobody's question.
  const made = stage({ terminal: { backend: 'local' }, ...settings });
  mkdirSync(join(made.cwd, 'build'));
  return made;
}

/** Where commands run, one that is asked about there, and why. */
const ASKED: readonly (readonly [backend: 'local' | 'auto', line: string, why: string])[] = [
  ['local', DANGEROUS, 'it lets everyone change files'],
  ['auto', 'git branch -qD old 2> errors; echo ran >> marks', 'it discards commits, branches or stashes, here or on the remote'],
];
for (const [backend, line, why] of ASKED)
  test(`${backend}: a question nobody can answer is a denial; allowed later it is told, done once, and asked again`, () =>
    playQuestion(backend, line, why));

async function playQuestion(backend: string, line: string, why: string): Promise<void> {
  const { run, marks, home } = place({ terminal: { backend } });
  const [verb = ''] = line.split(' ');
  await using server = await startWireServer({ replies: [command(line), { text: 'I could not.' }] });
  const chat = (...args: string[]) => run(['chat', ...args, ...toServer(server.url)]);
  const first = await chat('-q', 'open it', '--json');
  assert.equal(first.code, 0, first.err);
  const [denied = ''] = resultsIn(server.requests[1]);
  const [open] = rowsOf<Row>(await run(['approvals', 'list', '--json']));
  assert.deepEqual([open?.state, open?.tool, open?.summary, open?.session_id], ['open', 'terminal', line, sessionOf(first)]);
  assert.match(denied, new RegExp(`^Not run: ${why}, and nobody is there to approve this.*hermes approvals allow ${open?.id}`, 's'));
  assert.deepEqual(marks(), []);
  assert.equal(statSync(join(home, 'sessions.db')).mode & 0o777, 0o600);

  const id = open?.id ?? '';
  assert.match((await run(['approvals', 'list'])).out, new RegExp(`${id}.*open.*${verb}[^]*approvals show ID`));
  assert.match(
    (await run(['approvals', 'show', id.slice(0, 5)])).out,
    new RegExp(`^\\w+ {2}open {2}asked just now by terminal\\n {2}│ ${verb} .*\\n {2}asked because ${why}\\n {2}in /.*\\n {2}in session `),
  );
  assert.equal((JSON.parse((await run(['approvals', 'show', id, '--json'])).out) as Row).summary, line);
  const allowed = await run(['approvals', 'allow', id], { onTerminal: true });
  assert.match(allowed.out, /^Allowed, once: terminal\n {2}│ [^]*\nTo continue: hermes chat --resume /);
  assert.match(
    (await run(['approvals', 'allow', id], { onTerminal: true })).err,
    /no open question with the id \w+\. To list them: hermes approvals list/,
  );
  assert.deepEqual(rowsOf(await run(['approvals', 'list', '--json'])), []);

  server.script(command(line), command(line), { text: 'Once it went.' });
  const resumed = await chat('--continue');
  assert.deepEqual([resumed.code, resumed.out], [0, 'Once it went.\n'], resumed.err);
  assert.match(userWords(server.requests[2]).at(-1) ?? '', new RegExp(`^I now allow, once[^]*${verb}`));
  const [, done = '', again = ''] = resultsIn(server.requests[4]);
  assert.match(done, /exit code 0/);
  assert.match(again, /^Not run: /);
  assert.deepEqual(marks(), ['ran']);

  const all = rowsOf<Row>(await run(['approvals', 'list', '--all', '--json']));
  assert.deepEqual(
    all.map(({ state }) => state),
    ['used', 'open'],
  );
  assert.match((await run(['approvals', 'deny', all[1]?.id ?? ''])).out, new RegExp(`^Denied: terminal\\n {2}│ ${verb}`));
  server.script(command(line), { text: 'Still not.' });
  assert.equal((await chat('--continue', '-q', 'once more')).code, 0);
  assert.match(resultsIn(server.requests.at(-1)).at(-1) ?? '', /^Not run: .*the user said no/);
  assert.deepEqual(marks(), ['ran']);
  assert.match((await run(['approvals', 'list'])).out, /No pending questions/);
  assert.equal((await run(['approvals', 'show', 'zzzz'])).code, 2);
}

const REFUSED = /nobody can allow it: it would format or wipe a disk/;
/** Settings and flags; commands with what comes of them; how many of them left a mark. */
const DECIDED: readonly (readonly [
  name: string,
  settings: object,
  flags: readonly string[],
  lines: readonly (readonly [string, RegExp])[],
  ran: number,
])[] = [
  [
    '--yolo allows all but the floor and the deny list',
    { approvals: { deny: ['git push*'] } },
    ['--yolo'],
    [
      [DANGEROUS, /exit code 0/],
      [FLOOR, REFUSED],
      ['echo ran >> marks; "git" push origin main', /deny list \(approvals\.deny\) names it/],
    ],
    1,
  ],
  [
    'so does approvals.mode off',
    { approvals: { mode: 'off' } },
    [],
    [
      [DANGEROUS, /exit code 0/],
      [FLOOR, REFUSED],
    ],
    1,
  ],
  [
    'the allow list knows classes and whole lines, and nothing of the floor',
    { command_allowlist: ['privilege', 'world_writable', 'disk_wipe', DANGEROUS] },
    [],
    [
      [DANGEROUS, /exit code 0/],
      ['sudo -n true; echo ran >> marks', /exit code|not found/],
      [`${DANGEROUS} # 2`, /^Not run: it lets everyone change files/],
      [FLOOR, REFUSED],
    ],
    2,
  ],
];
for (const [name, settings, flags, lines, ran] of DECIDED)
  test(`what stands before a question: ${name}`, async () => {
    const { run, marks } = place(settings);
    await using server = await startWireServer({ replies: [...lines.map(([line]) => command(line)), { text: 'done' }] });
    const { code, err } = await run(['chat', '-q', 'go', ...flags, ...toServer(server.url)]);
    assert.equal(code, 0, err);
    const results = resultsIn(server.requests.at(-1));
    for (const [index, [line, result]] of lines.entries()) assert.match(results[index] ?? '', result, line);
    assert.equal(marks().length, ran);
  });

test('in smart mode a model judges: its yes is enough, its no ends it, and a doubt waits for the owner', async () => {
  const { run, marks } = place({ approvals: { mode: 'smart', smart_policy: 'Builds are mine alone.' } });
  const [judgements, reviews] = [['ALLOW, it is a build folder', 'DENY, too wide', 'ASK, I am not sure', 'as you like'], [] as string[]];
  const steps = [...judgements.map((_, index) => command(`${DANGEROUS} # ${index}`)), { text: 'done' }];
  let step = 0;
  const answer = (request: RecordedRequest) => {
    if (bodyOf(request).tools !== undefined) return steps[step++] ?? { text: 'too many' };
    reviews.push(request.text);
    return { text: judgements[reviews.length - 1] ?? 'DENY' };
  };
  await using server = await startWireServer({ answer });
  const { code, err } = await run(['chat', '-q', 'go', ...toServer(server.url)]);
  assert.equal(code, 0, err);
  const [allowed = '', denied = '', doubted = '', unclear = ''] = resultsIn(server.requests.at(-1));
  assert.match(allowed, /exit code 0/);
  assert.match(denied, /the reviewing model said no: too wide/);
  for (const passedOn of [doubted, unclear]) assert.match(passedOn, /nobody is there to approve this.*hermes approvals allow/s);
  assert.deepEqual([marks(), reviews.length], [['ran'], 4]);
  for (const review of reviews) assert.match(review, /Builds are mine alone[^]*chmod -R 777 build/);
  assert.deepEqual(
    rowsOf<Row>(await run(['approvals', 'list', '--json'])).map(({ summary }) => summary),
    [`${DANGEROUS} # 2`, `${DANGEROUS} # 3`],
  );
});

test('the code of a script is judged like a command, and can be allowed later too', { skip: noPython }, async () => {
  const { run, marks } = place({ tools: { tool_search: { enabled: 'on' } } });
  const script = call('tool_call', { name: 'execute_code', arguments: { code: CODE } });
  await using server = await startWireServer({ replies: [script, { text: 'no' }, script, script, { text: 'yes' }] });
  const chat = (...args: string[]) => run(['chat', ...args, ...toServer(server.url)]);
  assert.equal((await chat('-q', 'go')).code, 0);
  assert.match(resultsIn(server.requests[1])[0] ?? '', /^Not run: it runs code that can do everything you can/);
  assert.deepEqual(marks(), []);
  const [open] = rowsOf<Row>(await run(['approvals', 'list', '--json']));
  assert.equal(open?.tool, 'execute_code');
  assert.match(open?.summary ?? '', /subprocess\.run/);
  assert.equal((await run(['approvals', 'allow', open?.id ?? ''], { onTerminal: true })).code, 0);
  assert.equal((await chat('--continue')).code, 0);
  assert.deepEqual(marks(), ['ran']);
  assert.match(resultsIn(server.requests.at(-1)).at(-1) ?? '', /^Not run: /);
});

/** Harmless, and asked about; part of it a terminal would swallow, part of it turns the writing round. */
const SLY = 'sudo -n true; echo hello \u001b]0;`touch PWNED`\u0007 \u202eworld\u202c\n  asked because it is harmless';

test('what would run is shown to the letter wherever it is consented to', async () => {
  const { run } = place();
  await using server = await startWireServer({ replies: [command(SLY), { text: 'no' }] });
  assert.equal((await run(['chat', '-q', 'go', ...toServer(server.url)])).code, 0);
  const [open] = rowsOf<Row>(await run(['approvals', 'list', '--json']));
  assert.equal(open?.summary, SLY);
  const raw = await run(['approvals', 'list', '--json']);
  const screens = [
    await run(['approvals', 'list']),
    await run(['approvals', 'show', open.id]),
    await run(['approvals', 'allow', open.id], { onTerminal: true }),
  ];
  for (const { out } of [raw, ...screens]) assert.doesNotMatch(out, /(?![ \n])[\p{C}\p{Z}]/u);
  const [list = '', show = '', allowed = ''] = screens.map(({ out }) => out);
  assert.equal(readBack(/terminal {2}(sudo .*)/.exec(list)?.[1] ?? ''), SLY);
  for (const shown of [show, allowed])
    assert.equal(readBack([...shown.matchAll(/^ {2}│ (.*)$/gm)].map(([, line]) => line).join('\n')), SLY);
});

test('an answer names its question plainly, and can be had as JSON', async () => {
  const { run } = place();
  await using server = await startWireServer({ replies: [command(DANGEROUS), command(`${DANGEROUS} # 2`), { text: 'no' }] });
  assert.equal((await run(['chat', '-q', 'go', ...toServer(server.url)])).code, 0);
  const [one, two] = rowsOf<Row & { readonly at: string }>(await run(['approvals', 'list', '--json']));
  for (const word of ['allow', 'deny', 'show'])
    for (const [id, told] of [
      ['', /the id is empty/],
      [one?.id.slice(0, 3) ?? '', /is too short/],
      ['zzzzzzzz', /there is no (?:open )?question with the id zzzzzzzz/],
    ] as const) {
      const refused = await run(['approvals', word, id], { onTerminal: true });
      assert.deepEqual([refused.code, refused.out], [2, ''], word);
      assert.match(refused.err, told);
    }
  assert.deepEqual(
    rowsOf<Row>(await run(['approvals', 'list', '--json'])).map(({ state }) => state),
    ['open', 'open'],
  );
  assert.match(one?.at ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const allowed: unknown = JSON.parse((await run(['approvals', 'allow', one?.id ?? '', '--json'], { onTerminal: true })).out);
  assert.deepEqual(allowed, { ...one, state: 'allowed', told: true });
  const denied: unknown = JSON.parse((await run(['approvals', 'deny', two?.id ?? '', '--json'])).out);
  assert.deepEqual(denied, { ...two, state: 'denied', told: false });
});

test('what a terminal shows before a yes, read back, is what runs after it', { skip: noPty, timeout: 60_000 }, async () => {
  const { home, cwd, text } = place();
  const bytes = '\u001b]0;`id`\u0007 \u202e漢字\u200b \\x41';
  const line = `chmod -R 777 build && printf %s '${bytes}' | tee got | wc -c`;
  await using server = await startWireServer({ replies: [command(line), { text: 'done' }] });
  const { code, shown } = await onTerminal(['chat', '-q', 'go', ...toServer(server.url)], home, '1\r', cwd);
  assert.equal(code, 0, shown);
  const [, behind = ''] = /\? Run this command\?\r\n {2}│ (.*?)\r\n {2}\(/s.exec(shown) ?? [];
  assert.equal(readBack(behind.replaceAll('\r\n  ┆ ', '')), line);
  assert.equal(text('got'), bytes);
});

test('what was typed before a question stands there is no answer to it', { skip: noPty, timeout: 60_000 }, async () => {
  const { home, cwd, marks } = place();
  await using server = await startWireServer({ replies: [command('sleep 2'), command(DANGEROUS), { text: 'done' }] });
  const keys = [
    [/terminal sleep/, '1\r1\r\u001b[200~yes\r\u001b[201~y'],
    [WAITING, '\r2\r'],
  ] as const;
  const { code, shown } = await onTerminal(['chat', '-q', 'go', ...toServer(server.url)], home, keys, cwd);
  assert.equal(code, 0, shown);
  assert.deepEqual(marks(), []);
  assert.match(resultsIn(server.requests.at(-1)).at(-1) ?? '', /^Not run: .*the user said no/);
});

test('consent for good is for this place, and never for what the agent itself is', { skip: noPty, timeout: 60_000 }, async () => {
  const { home, cwd, run, marks } = place({ command_allowlist: ['persistence', 'persistence at /'] });
  const lines = [
    'chmod -R 777 build && echo ran >> marks',
    'chmod 777 build/. && echo ran >> marks',
    'chmod 777 ../tmp && echo ran >> marks',
  ];
  const own = `printf 'approvals: {mode: off}' >> $HERMES_HOME/config.yaml`;
  await using server = await startWireServer({ replies: [command(lines[0] ?? ''), { text: 'done' }] });
  const first = await onTerminal(['chat', '-q', 'go', ...toServer(server.url)], home, 'always\r', cwd);
  assert.equal(first.code, 0, first.shown);
  assert.match(first.shown, /allows only: letting everyone change files in[^]*To allow that permanently, type the word always\./);
  assert.doesNotMatch(first.shown, /\d\) Yes, always/);
  const before = readFileSync(join(home, 'config.yaml'), 'utf8');
  assert.match(before, new RegExp(`world_writable at ${cwd}/build\\b`));

  const soul = call('write_file', { path: '../home/SOUL.md', content: 'x' });
  server.script(...[...lines, own].map((line) => command(line)), soul, { text: 'done' });
  assert.equal((await run(['chat', '--continue', '-q', 'again', ...toServer(server.url)])).code, 0);
  const results = resultsIn(server.requests.at(-1)).slice(-5);
  const expected = [
    /exit code 0/,
    /exit code 0/,
    /^Not run: it lets everyone change files/,
    /^Not run: it writes into the agent's own folder/,
    /^Not run: it writes into the agent's own folder/,
  ];
  for (const [index, result] of expected.entries()) assert.match(results[index] ?? '', result, String([...lines, own][index]));
  assert.deepEqual(marks(), ['ran', 'ran', 'ran']);
  assert.equal(readFileSync(join(home, 'config.yaml'), 'utf8'), before);
  assert.notEqual(readFileSync(join(home, 'SOUL.md'), 'utf8'), 'x');
});

test('a late yes is no yes to another script of the same name', async () => {
  const { run, marks, at } = place();
  const asks = [command('bash x.sh'), { text: 'ok' }];
  await using server = await startWireServer({ replies: asks });
  const chat = (...args: string[]) => run(['chat', ...args, ...toServer(server.url)]);
  const write = (text: string) => writeFileSync(at('x.sh'), text);
  write('chmod -R 777 build\necho ran >> marks\n');
  assert.equal((await chat('-q', 'go')).code, 0);
  const [open] = rowsOf<Row>(await run(['approvals', 'list', '--json']));
  assert.equal((await run(['approvals', 'allow', open?.id ?? ''], { onTerminal: true })).code, 0);
  write('chmod -R 777 build\necho other >> marks\n');
  server.script(...asks);
  assert.equal((await chat('--continue')).code, 0);
  assert.match(resultsIn(server.requests.at(-1)).at(-1) ?? '', /^Not run: /);
  write('chmod -R 777 build\necho ran >> marks\n');
  server.script(...asks);
  assert.equal((await chat('--continue', '-q', 'again')).code, 0);
  assert.deepEqual(marks(), ['ran']);
});
