import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { ApprovalRequest, ApprovalVerdict } from '../../../../../../src/contracts/consent.ts';
import { createCommandJudge } from '../../../../../../src/parts/safety/judge/judge.ts';
import { hostFacts } from '../../../../../../src/parts/tools/builtin/terminal/at-wall/host-facts.ts';
import { runAtWall } from '../../../../../../src/parts/tools/builtin/terminal/at-wall/run.ts';
import { CWD, questionText, ran, wallStage } from './stage.ts';

const server = createServer().listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
after(() => server.close());
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
const { port } = server.address() as AddressInfo;
const REFUSED = ran(`curl: (7) Failed to connect to 127.0.0.1 port ${port} after 0 ms: Couldn't connect to server\n`, 7);
const NO_HOST = ran('ssh: Could not resolve hostname web1.example.org: Temporary failure in name resolution\n', 255);

test('a command that fails at the wall is asked about once, and runs outside after a yes', async () => {
  const stage = wallStage({ inside: [NO_HOST], outside: () => ran('up 3 days\n'), answers: ['Yes, this once'] });
  assert.equal(
    await stage.call({ command: 'ssh web1.example.org uptime' }),
    `up 3 days
[This first failed in the sandbox, where it could not connect to web1.example.org. It then ran again outside the sandbox, allowed by the user; this is the result of that run.]`,
  );
  assert.deepEqual(stage.did, ['inside: ssh web1.example.org uptime', 'outside: ssh web1.example.org uptime']);
  assert.equal(
    stage.asked.map(questionText).join('\n\n'),
    `Run this command outside the sandbox?
│ ssh web1.example.org uptime
Asked because it failed in the sandbox, where it could not connect to web1.example.org (it said: "ssh: Could not resolve hostname web1.example.org: Temporary failure in name resolution"). It may already have done part of its work; a yes runs all of it again, outside the sandbox and with your rights.
In /home/me/shop.
Any answer beyond "this once" allows only: running outside the sandbox: ssh (only looking), host web1.example.org.
To allow that permanently, type the word always.
1. Yes, this once
2. No
3. Yes, for this task
4. Yes, for this session
(or type always)`,
  );
});

test('a no is told with what stopped the command, and nothing runs outside', async () => {
  const stage = wallStage({ inside: [NO_HOST], answers: ['No'] });
  assert.equal(
    await stage.call({ command: 'ssh web1.example.org uptime' }),
    `ssh: Could not resolve hostname web1.example.org: Temporary failure in name resolution
[exit code 255]
[The sandbox stopped this: it could not connect to web1.example.org. Running it again will not help. It did not run outside: the user said no. Do not try to get the same result another way. Continue without it, or say what you need and why.]`,
  );
  assert.deepEqual(stage.did, ['inside: ssh web1.example.org uptime']);
});

test('where nobody can be asked, the result says what stopped it and how the owner can allow it', async () => {
  const stage = wallStage({ inside: [NO_HOST] });
  assert.match(
    await stage.call({ command: 'ssh web1.example.org uptime' }),
    /\[The sandbox stopped this: it could not connect to web1\.example\.org\. Running it again will not help\. It did not run outside: nobody is there to approve this\. .* The user can still allow it with: hermes approvals allow [0-9a-f]{8}\]$/,
  );
  assert.deepEqual(stage.did, ['inside: ssh web1.example.org uptime']);
});

test('a port of this machine is opened by itself, and the command runs again inside', async () => {
  const stage = wallStage({ inside: [REFUSED, ran('{"ok":true}\n')], answers: ['Yes, until this session ends'] });
  const command = `curl -sS http://127.0.0.1:${port}/health`;
  assert.equal(
    await stage.call({ command }),
    `{"ok":true}
[This first failed in the sandbox, where it could not connect to port ${port} of this machine. It ran again after that was opened, allowed by the user, for this session; this is the result of that run. Later commands can do it too.]`,
  );
  assert.deepEqual(stage.did, [`inside: ${command}`, `grant: {"type":"port","port":${port}}`, `inside: ${command}`]);
  assert.equal(
    stage.asked.map(questionText).join('\n\n'),
    `Let commands in the sandbox connect to this port, and run this one again?
│ ${command}
Asked because it failed in the sandbox, where it could not connect to port ${port} of this machine (it said: "curl: (7) Failed to connect to 127.0.0.1 port ${port} after 0 ms: Couldn't connect to server"). A yes opens that for every command in the sandbox until this session ends. It may already have done part of its work; a yes runs all of it again, in the sandbox.
In /home/me/shop.
A yes allows only: letting commands connect to localhost:${port}.
To allow that permanently, type the word always.
1. Yes, until this session ends
2. No
(or type always)`,
  );
});

test('the same act is not asked about again after a yes for the session, another host is', async () => {
  const stage = wallStage({ inside: [NO_HOST], answers: ['Yes, for this session', 'No'] });
  await stage.call({ command: 'ssh web1.example.org uptime' });
  assert.match(await stage.call({ command: 'ssh web1.example.org uptime 2>&1' }), /allowed by an earlier answer/);
  assert.match(await stage.call({ command: 'ssh web2.example.org uptime' }), /It did not run outside: the user said no/);
  assert.match(await stage.call({ command: 'ssh web1.example.org reboot' }), /It did not run outside: the user said no/);
  assert.equal(stage.asked.length, 3);
});

test('while words from outside are in view an earlier yes does not count, and the question names them', async () => {
  const stage = wallStage({ inside: [NO_HOST], answers: ['Yes, for this session', 'No'] });
  await stage.call({ command: 'docker restart web' });
  const output = await stage.tool.run({ command: 'docker restart web' }, { ...stage.context, taint: ['https://evil.example'] });
  assert.match(output.notes?.join('') ?? '', /the user said no/);
  assert.match(
    stage.asked[1]?.notes?.[0] ?? '',
    /This session has read .*\(https:\/\/evil\.example\), and the text it read may have asked for this\.$/,
  );
  assert.deepEqual(stage.asked[1]?.choices, ['Yes, this once', 'No']);
});

test('what only looks is not asked about again for words from outside', async () => {
  const stage = wallStage({ inside: [NO_HOST], answers: ['Yes, for this session', 'No'] });
  await stage.call({ command: 'ssh web1.example.org uptime' });
  await stage.tool.run({ command: 'ssh web1.example.org df -h' }, { ...stage.context, taint: ['https://evil.example'] });
  assert.equal(stage.asked.length, 1);
});

test('always is written down as the act alone', async () => {
  const stage = wallStage({ inside: [NO_HOST], answers: ['always'] });
  await stage.call({ command: 'ssh web1.example.org uptime' });
  assert.deepEqual(stage.always, ['run_outside at act:ssh (only looking) @host=web1.example.org']);
});

for (const command of ['./deploy.sh staging', 'npm publish', 'kubectl delete pod web'])
  test(`${command}: nobody can say what a yes would allow the next time, so it holds once`, async () => {
    const stage = wallStage({ inside: [NO_HOST], answers: ['Yes, this once', 'Yes, for this session'] });
    await stage.call({ command });
    assert.deepEqual(stage.asked[0]?.choices, ['Yes, this once', 'No']);
    assert.equal(stage.asked[0]?.typedAnswer, undefined);
    assert.match(await stage.call({ command }), /the user said no: Yes, for this session/);
    assert.equal(stage.asked.length, 2);
  });

test('what is dangerous where there is no wall is named in the same question', async () => {
  const stage = wallStage({ inside: [NO_HOST], answers: ['No'] });
  await stage.call({ command: 'git push --force https://git.example.org/shop.git main' });
  assert.equal(stage.asked.length, 1);
  assert.match(
    stage.asked[0]?.notes?.[0] ?? '',
    /outside the sandbox and with your rights\. Outside, it .* remotes of this repository; it discards commits/,
  );
});

test('what the owner denies for good is not offered', async () => {
  const stage = wallStage({ inside: [NO_HOST], answers: ['Yes, this once'], deny: ['ssh *'] });
  assert.match(
    await stage.call({ command: 'ssh web1.example.org uptime' }),
    /The user was not asked to run it outside: the owner's deny list \(approvals\.deny\) names it: ssh \*\.\]$/,
  );
  assert.deepEqual([stage.asked, stage.did], [[], ['inside: ssh web1.example.org uptime']]);
});

test('a host that was turned away while the command ran is not asked about again', async () => {
  const result = ran('curl: (56) CONNECT tunnel failed, response 403\n', 56, {
    blocked: [{ type: 'host', host: 'api.example.org', port: 443 }],
  });
  const stage = wallStage({ inside: [result], answers: ['Yes, this once'] });
  assert.equal(
    await stage.call({ command: 'curl -sS https://api.example.org' }),
    `curl: (56) CONNECT tunnel failed, response 403
[exit code 56]
[The sandbox stopped this: it could not connect to api.example.org. Running it again will not help. The user can allow a host when asked, or in terminal.allowed_hosts.]`,
  );
  assert.deepEqual(stage.asked, []);
});

test('what the owner says about a host reaches the model, and the same command does not ask again in the same turn', async () => {
  const stage = wallStage({ inside: [], answers: ['not that one, use the cache', 'No'], wants: { host: 'api.example.org', port: 443 } });
  const said = `curl: (56) CONNECT tunnel failed, response 403
[exit code 56]
[The sandbox stopped this: it could not connect to api.example.org. Running it again will not help. The user said no: not that one, use the cache.`;
  const command = 'curl -sS https://api.example.org';
  assert.equal(await stage.call({ command }), `${said}]`);
  assert.equal(await stage.call({ command }), `${said} The user was asked before in this task and is not asked again.]`);
  assert.equal(stage.asked.length, 1);
  await stage.tool.run({ command }, { ...stage.context, turnId: 'another' });
  assert.equal(stage.asked.length, 2);
});

test('why a host cannot be reached at all is told in place of advice that would not help', async () => {
  const why = 'shop.example leads to 203.0.113.80, a documentation address.';
  const blocked = [{ type: 'host', host: 'shop.example', port: 443, why }] as const;
  const stage = wallStage({ inside: [ran('', 56, { blocked }), ran('ok\n', 0, { blocked })], answers: [] });
  assert.match(
    await stage.call({ command: 'curl -s https://shop.example' }),
    /Running it again will not help\. shop\.example leads to 203\.0\.113\.80, a documentation address\.\]$/,
  );
  assert.equal(
    await stage.call({ command: 'npm test' }),
    'ok\n[Blocked meanwhile: it could not connect to shop.example. shop.example leads to 203.0.113.80, a documentation address.]',
  );
});

test('a host that was allowed and did not answer is told with the reason', async () => {
  const unreached = [{ host: 'gone.example', port: 443, why: 'its name could not be looked up' }];
  const stage = wallStage({ inside: [ran('curl: (56) CONNECT tunnel failed, response 502\n', 56, { unreached })], answers: [] });
  assert.match(
    await stage.call({ command: 'curl -s https://gone.example' }),
    /\n\[gone\.example could not be reached: its name could not be looked up\.\]$/,
  );
});

test('a file of the home that is not seen yet is explained, and only then', async () => {
  const stale = { until: 'npm run dev' };
  const missing = ran('cat: /home/me/notes/new.txt: No such file or directory\n', 1, { stale });
  const stage = wallStage({ inside: [missing, ran('AssertionError\n', 1, { stale })], answers: [] });
  assert.match(
    await stage.call({ command: 'cat ~/notes/new.txt' }),
    /\n\[New files in \/home\/me are not visible in the sandbox until `npm run dev` ends\. Stop it with process if you need them\.\]$/,
  );
  assert.equal(await stage.call({ command: 'npm test' }), 'AssertionError\n[exit code 1]');
});

test('an ordinary failure is neither asked about nor noted', async () => {
  const stage = wallStage({ inside: [ran('AssertionError: 2 == 3\n', 1)], answers: ['Yes, this once'] });
  assert.equal(await stage.call({ command: 'npm test' }), 'AssertionError: 2 == 3\n[exit code 1]');
  assert.deepEqual(stage.asked, []);
});

test('an opening that cannot be made is told, and the command is not run again', async () => {
  const stage = wallStage({ inside: [REFUSED], answers: ['y'], grant: () => Promise.reject(new Error('the port is taken inside.')) });
  assert.match(
    await stage.call({ command: `curl -sS http://127.0.0.1:${port}/` }),
    /\[The sandbox could not be opened for it: the port is taken inside\. Tell the user\.\]$/,
  );
  assert.equal(stage.did.length, 2);
});

test('an opening that does not help is not asked about twice', async () => {
  const stage = wallStage({ inside: [REFUSED], answers: ['y', 'y', 'y'] });
  assert.match(await stage.call({ command: `curl -sS http://127.0.0.1:${port}/` }), /Running it again will not help\.\]$/);
  assert.equal(stage.asked.length, 1);
});

test('asked for from the beginning, a command is asked about first and never tried inside', async () => {
  const stage = wallStage({ inside: [ran('inside')], answers: ['Yes, this once', 'No'] });
  assert.equal(
    await stage.call({ command: 'docker ps', outside: 'needs the docker daemon of this machine' }),
    'outside\n[This ran outside the sandbox, allowed by the user.]',
  );
  assert.deepEqual(stage.did, ['outside: docker ps']);
  assert.equal(
    questionText(stage.asked[0] ?? assert.fail())
      .split('\n')
      .slice(0, 4)
      .join('\n'),
    `Run this command outside the sandbox?
│ docker ps
Asked because the agent asks to run it outside the sandbox: "needs the docker daemon of this machine".
In /home/me/shop.`,
  );
  await assert.rejects(stage.call({ command: 'docker ps', outside: 'again' }), /^Error: Not run outside the sandbox: the user said no\./);
});

test('the question of such a call is there before it runs', async () => {
  const stage = wallStage({ inside: [ran('inside')] });
  const objection = await stage.tool.asks?.({ command: 'docker ps', outside: 'needs docker' }, stage.context);
  assert.deepEqual(objection?.action.key, 'run_outside');
  assert.deepEqual(objection?.action.at, { run_outside: ['act:docker ps @context=default'] });
  assert.equal(await stage.tool.asks?.({ command: 'docker ps' }, stage.context), undefined);
});

test('without a wall nothing of this is asked', async () => {
  const stage = wallStage({ inside: [NO_HOST], answers: ['Yes, this once'] });
  const { wall: _, ...terminal } = stage.context.terminal;
  const context = { ...stage.context, terminal };
  for (const input of [{ command: 'ssh web1.example.org uptime' }, { command: 'sudo true' }, { command: 'docker ps', outside: 'x' }]) {
    assert.equal(await stage.tool.asks?.(input, context), undefined);
    assert.deepEqual((await stage.tool.run(input, context)).notes, []);
  }
  assert.deepEqual(stage.asked, []);
  assert.ok(stage.did.every((line) => line.startsWith('inside: ')));
});

test('what the first run changed and was put back is not forgotten with its result', async () => {
  const change = (path: string) => ({ path, what: 'git hook', change: 'created', preview: '', apply: async () => {} }) as const;
  const asked: string[] = [];
  const stage = wallStage({
    inside: [{ ...NO_HOST, held: [change('/home/me/shop/.git/hooks/a')] }],
    outside: () => ran('up\n', 0, { held: [change('/home/me/shop/.git/hooks/b')] }),
  });
  const approve = async ({ summary }: ApprovalRequest): Promise<ApprovalVerdict> => (asked.push(summary), { allow: true, by: 'the owner' });
  await stage.tool.run({ command: 'ssh web1.example.org uptime' }, { ...stage.context, approve });
  assert.ok(
    ['hooks/a', 'hooks/b'].every((name) => asked.some((text) => text.includes(name))),
    asked.join('\n'),
  );
});

test('a file that the question named is kept after the run outside; another one is asked about', async () => {
  const applied: string[] = [];
  const change = (path: string) =>
    ({ path, what: 'git hook', change: 'created', preview: '', apply: async () => void applied.push(path) }) as const;
  const hooks = '/home/me/shop/.git/hooks';
  const stage = wallStage({
    inside: [ran('/bin/bash: line 1: .git/hooks/a: Read-only file system\n', 1)],
    outside: () => ran('', 0, { held: [change(`${hooks}/a`), change(`${hooks}/b`)] }),
  });
  const asked: ApprovalRequest[] = [];
  const approve = async (action: ApprovalRequest): Promise<ApprovalVerdict> =>
    asked.push(action) === 1 ? { allow: true, by: 'the owner' } : { allow: false, by: 'the owner', reason: 'no' };
  const host = { ...hostFacts, canWrite: () => true };
  const { terminal } = stage.context;
  const { result } = await runAtWall(
    {
      tool: 'terminal',
      command: 'make hooks',
      cwd: CWD,
      inside: () => terminal.run('make hooks', RUN),
      outside: () => (terminal.wall ?? assert.fail()).runOutside('make hooks', RUN),
    },
    { ...stage.context, approve },
    { wall: terminal.wall ?? assert.fail(), judgeOutside: () => ({ type: 'ask', reason: '', key: 'run_outside' }), host },
  );
  assert.match(asked[0]?.reason ?? '', /could not write to \/home\/me\/shop\/\.git\/hooks\/a /);
  assert.deepEqual([applied, result.held?.map(({ path }) => path)], [[`${hooks}/a`], [`${hooks}/b`]]);
});
const RUN = { signal: new AbortController().signal, timeoutMs: 1_000, maxOutput: 1_000 } as const;

const PRUNED = ran('hermes: This push was not sent.\n', 1, {
  blocked: [{ type: 'push', remote: '/srv/git/app.git', ref: 'refs/heads/anna/wip', loss: 'deletes' }],
});

test('a push that would lose something, whoever started it, is offered to run outside, once', async () => {
  const stage = wallStage({ inside: [PRUNED], outside: () => ran('synced\n'), answers: ['Yes, this once'] });
  assert.equal(
    await stage.call({ command: 'make sync' }),
    `synced
[This first failed in the sandbox, where it could not delete branch anna/wip at /srv/git/app.git. It then ran again outside the sandbox, allowed by the user; this is the result of that run.]`,
  );
  assert.match(
    questionText(stage.asked[0] ?? assert.fail()),
    /Run this command outside the sandbox\?\n│ make sync\nAsked because .*delete branch anna\/wip/,
  );
});

test('a line with such a push, or that publishes, is asked about once and run outside as a whole; any other is tried inside', async () => {
  const place = { kind: 'docker', workspace: CWD } as const;
  const judge = createCommandJudge({ 'approvals.deny': [] }, place);
  const rows: Readonly<Record<string, readonly string[]>> = {
    'git push --force origin main': ['outside'],
    'cd api && git -C . push origin :old': ['outside'],
    'npm publish --access public': ['outside'],
    'npm publish --dry-run': ['inside'],
    'git push origin main': ['inside'],
    'git commit -qam work && git push --force origin main': ['outside'],
    'npm version patch && npm publish': ['outside'],
    'git reset --hard HEAD~1 && git push origin main': ['inside'],
    'git commit -qam "then git push --force origin main"': ['inside'],
    'git push --force origin $(cat name)': ['outside'],
  };
  for (const [command, ways] of Object.entries(rows)) {
    const stage = wallStage({ inside: [ran('ok\n')], answers: Array.from({ length: 4 }, () => 'Yes, this once'), tool: { judge } });
    await stage.call({ command });
    assert.deepEqual(
      stage.did,
      ways.map((way) => `${way}: ${command}`),
    );
    assert.ok(stage.asked.length <= 1, command);
  }
});
