import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../src/app/open-host.ts';
import { hooksList } from '../../src/commands/hooks.ts';
import { openHookService } from '../../src/app/services/hooks.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { Host } from '../../src/contracts/host.ts';
import type { HookService } from '../../src/contracts/services/hooks.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';
import { command, folder, never, results, talk, tell, withoutMarks } from './host-scene.ts';

interface ShellHome extends AsyncDisposable {
  readonly root: string;
  readonly host: Host;
  readonly notices: readonly string[];
  readonly service: HookService;
  write(file: string, script: string): void;
  told(file?: string): string;
}

/** A home with this under `hooks`, and scripts beside it. */
async function openShellHome(hooks: object, scripts: Readonly<Record<string, string>>, more: object = {}): Promise<ShellHome> {
  const root = mkdtempSync(join(folder, 'shell-'));
  const write = (file: string, script: string): void => {
    writeFileSync(join(root, file), script);
    chmodSync(join(root, file), 0o755);
  };
  for (const [file, script] of Object.entries(scripts)) write(file, script);
  // JSON is YAML.
  writeFileSync(join(root, 'config.yaml'), JSON.stringify({ hooks, ...more }));
  const env = { HERMES_HOME: root, OPENAI_API_KEY: 'sk-for-nobody-0123456789' };
  const host = await openHost({ env, home: resolveHome(env) });
  const notices: string[] = [];
  const reading = (async () => {
    for await (const { text } of host.notices(never)) notices.push(text);
  })();
  const registered = snapshotRegistries(createRegistries());
  return {
    root,
    host,
    notices,
    service: await openHookService({ processEnv: env, notice: () => {}, registered }, host.store),
    write,
    told: (file = 'told') => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''),
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      await reading;
    },
  };
}

/** What the model was told of one command. */
async function runLine({ host }: ShellHome, line = 'echo hello'): Promise<string> {
  await using session = await host.openSession(talk(command(line)));
  return withoutMarks(results(await tell(session, 'go')).join());
}

const GUARD = '#!/bin/sh\ncat >> "$HERMES_HOME/told"\nenv > "$HERMES_HOME/env"\necho "not today" >&2\nexit 2\n';

test('a command decides about calls once its owner trusts it, as it is; a change needs trust again', async () => {
  await using home = await openShellHome({ pre_tool_call: [{ matcher: 'terminal|patch', command: './guard.sh' }] }, { 'guard.sh': GUARD });
  const { service } = home;
  assert.match(await runLine(home), /hello/, 'not trusted, not run');
  assert.equal(home.told(), '');
  const { files } = await service.trust('pre_tool_call/1');
  assert.deepEqual(files, [join(home.root, 'guard.sh')]);
  assert.equal(await runLine(home), 'Not run: blocked by shell hook ./guard.sh: not today');
  const { extra, session_id: session, ...payload } = JSON.parse(home.told()) as Readonly<Record<string, unknown>>;
  assert.ok(typeof session === 'string' && typeof extra === 'object');
  assert.deepEqual(payload, {
    hook_event_name: 'pre_tool_call',
    tool_name: 'terminal',
    tool_input: { command: 'echo hello' },
    cwd: folder,
  });
  const variables = home
    .told('env')
    .split('\n')
    .map((line) => line.split('=')[0]);
  assert.deepEqual(
    ['HERMES_HOME', 'HERMES_HOOK_EVENT', 'PATH', 'OPENAI_API_KEY'].map((name) => variables.includes(name)),
    [true, true, true, false],
  );
  home.write('guard.sh', `${GUARD}# another\n`);
  assert.match(await runLine(home), /hello/, 'changed, not run');
  assert.equal((await service.list())[0]?.state, 'changed');
  await service.trust('pre_tool_call/1');
  assert.match(await runLine(home), /not today/);
  assert.equal(await service.revoke('pre_tool_call/1'), true);
  assert.match(await runLine(home), /hello/, 'revoked, not run');
  const mend = 'Read it, then type: hermes hooks trust pre_tool_call/1';
  assert.deepEqual(
    home.notices.filter((text) => text.startsWith('shell hook')),
    [
      `shell hook pre_tool_call/1 does not run: you have not trusted it (./guard.sh). ${mend}`,
      `shell hook pre_tool_call/1 does not run: its script changed since you trusted it (./guard.sh). ${mend}`,
    ],
  );
});

test('fail_closed: what cannot decide says no, also while it is not trusted, and when its entry is broken; without it, it has no opinion', async () => {
  const broken = '#!/bin/sh\necho broken >&2\nexit 1\n';
  const open = { command: './open.sh' };
  const closed = { command: './closed.sh', fail_closed: true };
  const scripts = { 'open.sh': broken, 'closed.sh': broken };
  {
    await using home = await openShellHome({ pre_tool_call: [open] }, scripts);
    await home.service.trust('pre_tool_call/1');
    assert.match(await runLine(home), /hello/);
    assert.match(await runLine(home), /hello/);
    assert.deepEqual(
      home.notices.filter((text) => text.startsWith('shell hook')),
      ['shell hook pre_tool_call/1 failed, and counts as no opinion (fail_closed is off): it ended with 1: broken'],
    );
  }
  {
    await using home = await openShellHome({ pre_tool_call: [closed] }, scripts);
    assert.match(await runLine(home), /Not run: blocked by shell hook \.\/closed\.sh: it failed \(it is not trusted as it is now\)/);
    await home.service.trust('pre_tool_call/1');
    assert.match(await runLine(home), /Not run: .* it failed \(it ended with 1: broken\)/);
  }
  await using home = await openShellHome({ pre_tool_call: [{ ...closed, matcher: '(' }] }, scripts);
  assert.match(await runLine(home), /Not run: blocked by shell hook pre_tool_call\/1: it failed \(its matcher is not a list/);
});

test('the list says which hooks block when they fail', async () => {
  const hook = { command: './hook.sh', fail_closed: true };
  const hooks = { pre_tool_call: [hook, { command: './hook.sh' }, { ...hook, matcher: '(' }], turn_outcome: [hook] };
  await using home = await openShellHome(hooks, { 'hook.sh': GUARD });
  const rows = await home.service.list();
  assert.deepEqual(
    rows.map(({ name, failClosed }) => [name, failClosed]),
    [
      ['pre_tool_call/1', true],
      ['pre_tool_call/2', undefined],
      ['pre_tool_call/3', true],
      ['turn_outcome/1', undefined],
    ],
  );
  const [first = '', second = ''] = (hooksList.describe?.(rows) ?? '').split('\n');
  assert.match(first, /^pre_tool_call\/1 {2}\.\/hook\.sh {2}blocks when it fails {2}not trusted;/);
  assert.doesNotMatch(second, /blocks/);
});

test('hooks_auto_accept trusts what is seen for the first time; what changed or was revoked waits for its owner', async () => {
  await using home = await openShellHome(
    { pre_tool_call: [{ command: './guard.sh' }] },
    { 'guard.sh': GUARD },
    { hooks_auto_accept: true },
  );
  assert.match(await runLine(home), /not today/);
  home.write('guard.sh', '#!/bin/sh\nexit 2\n');
  assert.match(await runLine(home), /hello/);
  await home.service.trust('pre_tool_call/1');
  await home.service.revoke('pre_tool_call/1');
  assert.match(await runLine(home), /hello/);
  assert.equal((await home.service.list())[0]?.state, 'untrusted');
});

test('a command adds words beside a message, gives output other words, changes arguments, and hears how a turn ended', async () => {
  const say = (answer: object): string => `#!/bin/sh\ncat > /dev/null\nprintf '%s' '${JSON.stringify(answer)}'\n`;
  const hooks = {
    pre_llm_call: [{ command: './weather.sh' }],
    pre_tool_call: [{ command: './change.sh' }],
    transform_terminal_output: [{ command: './shorten.sh' }],
    turn_outcome: [{ command: './note.sh' }],
  };
  const scripts = {
    'weather.sh': say({ hookSpecificOutput: { additionalContext: 'It rains.' } }),
    'change.sh': say({ action: 'modify', args: { command: 'echo changed' } }),
    'shorten.sh': '#!/bin/sh\ngrep -o \'"output":"changed[^"]*"\' > "$HERMES_HOME/output"\nprintf \'{"text": "short"}\'\n',
    'note.sh': '#!/bin/sh\ncat >> "$HERMES_HOME/told"\n',
  };
  await using home = await openShellHome(hooks, scripts, { hooks_auto_accept: true });
  const provider = scriptedProvider(command('echo hello'));
  {
    await using session = await home.host.openSession({ provider: scriptedRoute(provider), mcp: false, cwd: folder, allowAll: 'test' });
    const said = results(await Array.fromAsync(session.send(await session.message('go'), never))).join();
    assert.match(said, /^<outside key="\w+" source="shell hook \.\/shorten\.sh">\nshort\n<\/outside \w+>$/);
  }
  const beside = provider.requests[0]?.messages.flatMap(({ wireOnly = [] }) => wireOnly.map(({ text, trust }) => [text, trust]));
  assert.deepEqual(beside, [['[Added to this message, written by others: shell hook ./weather.sh]\nIt rains.', 'foreign']]);
  await home.host[Symbol.asyncDispose]();
  assert.equal(home.told('output').trim(), '"output":"changed\\n"');
  const { hook_event_name: event, extra } = JSON.parse(home.told()) as Readonly<Record<string, unknown>>;
  const { outcome, exit_reason: reason, steps } = extra as Readonly<Record<string, unknown>>;
  assert.deepEqual([event, outcome, reason, steps], ['turn_outcome', 'answered', 'answered', 2]);
});

test('a command that takes too long is ended, with everything it started', async () => {
  const slow = '#!/bin/sh\nsleep 600 &\nwait\n';
  await using home = await openShellHome(
    { pre_tool_call: [{ command: './slow.sh', timeout: 0.2, fail_closed: true }] },
    { 'slow.sh': slow },
    { hooks_auto_accept: true },
  );
  assert.match(await runLine(home), /it failed \(it took longer than 0\.2 s and was ended\)/);
});

test('the doctor says what keeps each hook from running, and what to type', async () => {
  await using home = await openShellHome(
    {
      pre_tool_call: [
        { command: './guard.sh' },
        { command: './gone.sh' },
        { command: 'no-such-program-here x' },
        { command: './plain.txt' },
      ],
      turn_outcom: [],
      outbound: [{ url: 'https://example.org/x', events: ['turn_outcome'], secret_env: 'HERMES_HOOK_SECRET' }],
    },
    { 'guard.sh': GUARD, 'plain.txt': 'x' },
  );
  chmodSync(join(home.root, 'plain.txt'), 0o644);
  const correct = (name: string): string => `Correct the command of hooks.${name} in config.yaml; paths begin in ${home.root}.`;
  assert.deepEqual(await home.service.examine(), {
    ok: false,
    count: 6,
    findings: [
      {
        kind: 'shell',
        name: 'pre_tool_call/1',
        problem: 'you have not trusted it, so it does not run',
        fix: 'Read the script (./guard.sh), then type: hermes hooks trust pre_tool_call/1',
      },
      { kind: 'shell', name: 'pre_tool_call/2', problem: `there is no file ${home.root}/gone.sh`, fix: correct('pre_tool_call/2') },
      {
        kind: 'shell',
        name: 'pre_tool_call/3',
        problem: 'no-such-program-here is not installed',
        fix: 'Install no-such-program-here, or correct the command of hooks.pre_tool_call/3 in config.yaml: no-such-program-here x',
      },
      {
        kind: 'shell',
        name: 'pre_tool_call/4',
        problem: `${home.root}/plain.txt is not executable`,
        fix: `Type: chmod +x ${home.root}/plain.txt`,
      },
      {
        kind: 'shell',
        name: 'turn_outcom',
        problem: 'there is no hook turn_outcom; did you mean turn_outcome? docs/hooks.md lists them',
        fix: 'Correct hooks.turn_outcom in config.yaml.',
      },
      {
        kind: 'outbound',
        name: 'outbound/1',
        problem: 'HERMES_HOOK_SECRET is not set, and nothing is sent unsigned',
        fix: 'Set HERMES_HOOK_SECRET in .env to a long random text.',
      },
    ],
  });
  await home.service.trust('pre_tool_call/1');
  const { ok, answer, output } = await home.service.test('pre_tool_call/1', undefined, never);
  assert.deepEqual([ok, output], [true, 'not today']);
  assert.match(answer ?? '', /block/);
  await assert.rejects(home.service.trust('pre_tool_call/2'), /hook pre_tool_call\/2 cannot run: there is no file .*gone\.sh\. Correct/);
});
