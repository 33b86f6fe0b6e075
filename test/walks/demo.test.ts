import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hermes, jsonLines, tempHome } from './hermes.ts';

test('the demo mends a failing project with real tools and says where the session is and how to go on', async () => {
  const home = tempHome();
  const ran = await hermes(['demo'], { home });
  assert.equal(ran.code, 0, ran.out + ran.err);
  assert.match(ran.out, /the model is scripted/);
  assert.match(ran.out, /2 tests fail\./);
  assert.match(ran.out, /\+ {4}cents \+= price \* \(quantity - Math\.floor\(quantity \/ 3\)\);/);
  assert.match(ran.out, /All tests pass\./);
  const id = /This session is (\S+) in (\S+)/.exec(ran.out);
  assert.equal(id?.[2], `${home}/sessions.db`);
  assert.match(ran.out, /connect a real model: +(?:npx )?hermes setup\n/);
  const shown = await hermes(['sessions', 'show', id?.[1] ?? '', '--json'], { home });
  const { entries } = JSON.parse(shown.out) as { readonly entries: readonly { readonly type: string; readonly exit_reason?: string }[] };
  assert.equal(entries.at(-1)?.exit_reason, 'answered');
});

test('the demo has no servers of others: none is started or asked, and nothing is told of them', async () => {
  const home = tempHome();
  const mark = join(home, 'started');
  const servers = { mine: { command: 'sh', args: ['-c', `touch ${mark}`] }, web: { url: 'http://127.0.0.1:9/mcp' } };
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ mcp_servers: servers }));
  const ran = await hermes(['demo', '--fast'], { home });
  assert.deepEqual([ran.code, ran.err, existsSync(mark)], [0, '', false]);
});

test('the demo speaks JSON lines too', async () => {
  const lines = jsonLines((await hermes(['demo', '--json'], { home: tempHome() })).out);
  assert.deepEqual([lines[0]?.['type'], lines.at(-1)?.['type'], lines.at(-1)?.['outcome']], ['session', 'outcome', 'answered']);
  assert.equal(lines.filter((line) => line['type'] === 'tool_finished').length, 8);
});

test('without a wall the demo runs the project it made, for that run alone', async () => {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), 'terminal: {backend: local}\n');
  const ran = await hermes(['demo', '--fast'], { home });
  assert.equal(ran.code, 0, ran.out + ran.err);
  assert.match(ran.out, /All tests pass\./);
  assert.equal((await hermes(['trust', 'list', '--json'], { home })).out.trim(), '[]');
});

test('where commands of other sessions run is not where the demo runs', async () => {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), 'terminal: {backend: ssh}\n');
  const ran = await hermes(['demo', '--fast'], { home });
  assert.equal(ran.code, 0, ran.out + ran.err);
});

for (const [what, settings, env, why] of [
  ['a rule of the owner', { approvals: { deny: ['node *'] } }, {}, /the owner's deny list \(approvals\.deny\) names it: node \*/],
  [
    'a command of an agent that started it',
    { terminal: { backend: 'local' } },
    { HERMES_COMMAND_ID: 'x' },
    /started by a command of another agent/,
  ],
] as const)
  test(`a demo that fails says why and how to look further: ${what}`, async () => {
    const home = tempHome();
    writeFileSync(join(home, 'config.yaml'), JSON.stringify(settings));
    const ran = await hermes(['demo', '--fast'], { home, env });
    assert.equal(ran.code, 1, ran.out + ran.err);
    assert.match(ran.err, /^hermes: the demo failed: Not run/m);
    assert.match(ran.err, why);
    assert.match(ran.err, /To see what is wrong on this machine: (?:npx )?hermes doctor\n$/);
  });
