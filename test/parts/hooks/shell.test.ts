import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { readOutbound } from '../../../src/parts/hooks/outbound/read-outbound.ts';
import { readMatcher } from '../../../src/parts/hooks/shell/matcher.ts';
import { readShellAnswer, type ShellAnswer } from '../../../src/parts/hooks/shell/read-answer.ts';
import { readShellHooks } from '../../../src/parts/hooks/shell/read-shell-hooks.ts';
import { toShellPayload } from '../../../src/parts/hooks/shell/run-shell-hook.ts';

test('a matcher names tools, with * for anything; it is no regular expression', () => {
  const rows: readonly (readonly [matcher: string, tool: string, isMeant: boolean])[] = [
    ['', 'terminal', true],
    ['*', 'terminal', true],
    ['.*', 'terminal', true],
    ['terminal', 'terminal', true],
    ['terminal', 'terminal2', false],
    ['terminal|write_file', 'write_file', true],
    ['terminal | patch', 'patch', true],
    ['browser_*', 'browser_click', true],
    ['browser_*', 'the_browser_click', false],
    ['mcp__.*__write', 'mcp__files__write', true],
    ['mcp__*__write', 'mcp__files__read', false],
    ['*a*b*', 'xaxb', true],
    ['ab*ba', 'aba', false],
  ];
  for (const [matcher, tool, isMeant] of rows) {
    const read = readMatcher(matcher);
    assert.equal(read.ok && read.matches(tool), isMeant, `${matcher} for ${tool}`);
  }
  for (const matcher of ['(a+)+$', 'a{2}', '^terminal', '|', 'x'.repeat(201)]) assert.equal(readMatcher(matcher).ok, false, matcher);
  const many = readMatcher(`${'*a'.repeat(99)}*`);
  assert.equal(many.ok && many.matches('a'.repeat(98)), false, 'and none takes long');
});

const answer = (stdout: string | object, code = 0, stderr = ''): ShellAnswer =>
  readShellAnswer({ code, stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout), stderr });
const blocks = (message: string): ShellAnswer => ({ decision: { action: 'block', message } });
const special = (output: object) => answer({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } });

test('an answer is ours or that of Claude Code; what skips consent there is no opinion here, and what cannot be understood is a no', () => {
  assert.deepEqual(
    [
      answer(''),
      answer('', 2, 'not on a Friday\n'),
      answer({ action: 'block', message: 'no' }),
      answer({ action: 'approve', message: 'ask first', ruleKey: 'deploy' }),
      answer({ action: 'modify', args: { command: 'ls' } }),
      answer({ context: 'It rains.' }),
      answer({ text: 'shorter' }),
      answer('plain words'),
    ],
    [
      {},
      blocks('not on a Friday'),
      blocks('no'),
      { decision: { action: 'approve', message: 'ask first', ruleKey: 'deploy' } },
      { decision: { action: 'modify', args: { command: 'ls' } } },
      { context: 'It rains.' },
      { text: 'shorter' },
      { context: 'plain words' },
    ],
  );
  assert.deepEqual(
    [
      answer({ decision: 'block', reason: 'policy' }),
      answer({ decision: 'approve' }),
      special({ permissionDecision: 'deny', permissionDecisionReason: 'policy' }),
      special({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
      special({ permissionDecision: 'allow' }),
      special({ permissionDecision: 'allow', updatedInput: { command: 'ls' } }),
      special({ additionalContext: 'It rains.' }),
      answer({ continue: false, stopReason: 'enough' }),
    ],
    [
      blocks('policy'),
      {},
      blocks('policy'),
      { decision: { action: 'approve', message: 'sure?' } },
      {},
      { decision: { action: 'modify', args: { command: 'ls' } } },
      { context: 'It rains.' },
      blocks('enough'),
    ],
  );
  for (const odd of [
    { action: 'aprove' },
    { action: 'modify', args: 'x' },
    { decision: 'maybe' },
    { hookSpecificOutput: { permissionDecision: 'yes' } },
  ])
    assert.equal(answer(odd).decision?.action, 'block', JSON.stringify(odd));
  assert.throws(() => answer('{"action": "bl'), /printed JSON that cannot be read/);
  assert.throws(() => answer('', 1, 'no such file'), /it ended with 1: no such file/);
});

test('the settings are read entry by entry: what is wrong with one is said, and the others count', () => {
  const [fine, ...rest] = readShellHooks({
    pre_tool_call: [
      { command: '~/bin/audit "two words" --fast', matcher: 'terminal', timeout: 5, fail_closed: true },
      { command: "echo 'open", fail_closed: true },
      { command: 'audit', timeout: 301 },
      { command: 'audit', matcher: '(a+)+' },
      { commnad: 'audit' },
      'audit',
    ],
    turn_outcome: [{ command: 'tell', matcher: 'terminal' }],
    frobnicate: [{ command: 'tell' }],
    pre_tol_call: [{ command: 'tell' }],
    on_stream_delta: [{ command: 'tell' }],
    delivery: { command: 'tell' },
    outbound: [],
  });
  assert.ok(fine?.ok === true);
  const { name, argv, timeoutMs, failClosed } = fine.hook;
  assert.deepEqual(
    [name, argv, timeoutMs, failClosed],
    ['pre_tool_call/1', [`${homedir()}/bin/audit`, 'two words', '--fast'], 5_000, true],
  );
  assert.deepEqual(
    rest.map((reading) => (reading.ok ? 'ok' : [reading.name, reading.why, reading.blocks])),
    [
      ['pre_tool_call/2', 'a quote in its command is never closed', 'pre_tool_call'],
      ['pre_tool_call/3', 'its timeout must be a number of seconds, at most 300', undefined],
      [
        'pre_tool_call/4',
        'its matcher is not a list of tool names: write terminal|write_file, and * for anything, as in browser_*',
        undefined,
      ],
      ['pre_tool_call/5', 'it has keys that nobody reads: commnad. There are command, matcher, timeout, fail_closed', undefined],
      ['pre_tool_call/6', 'it is not a table of command, matcher, timeout, fail_closed', undefined],
      ['turn_outcome/1', 'turn_outcome is about no tool, so it takes no matcher. Remove the matcher', undefined],
      ['frobnicate', 'there is no hook frobnicate. docs/hooks.md lists them', undefined],
      ['pre_tol_call', 'there is no hook pre_tol_call; did you mean pre_tool_call? docs/hooks.md lists them', undefined],
      ['on_stream_delta', 'it would start a process for every piece of text; use on_stream_end', undefined],
      ['delivery', 'it is not a list; write - command: PROGRAM below it', undefined],
    ],
  );
});

test('addresses are read entry by entry, too', () => {
  const fine = { url: 'https://example.org/x', events: ['turn_outcome'], secret_env: 'HOOK_SECRET' };
  const read = readOutbound({
    outbound: [
      fine,
      { ...fine, url: 'ftp://example.org' },
      { ...fine, secret_env: 'not a name' },
      { ...fine, events: ['pre_tool_call'] },
      { ...fine, events: [] },
      { ...fine, secret: 'x' },
    ],
  });
  assert.deepEqual(
    read.map((reading) => (reading.ok ? reading.hook.events : reading.why)),
    [
      ['turn_outcome'],
      'its url must be an address that begins with https:// or http://',
      'its secret_env must be the name of a variable in .env, such as HERMES_HOOK_SECRET, and never the secret itself',
      'pre_tool_call waits for an answer, and an address can only be told; use a command for it',
      'its events must be a list, such as [turn_outcome]',
      'it has keys that nobody reads: secret. There are url, events, secret_env',
    ],
  );
});

test('a command reads the keys that hooks of Claude Code know, and all else under extra', () => {
  const call = { tool: 'terminal', args: { command: 'ls', someKey: 1 }, sessionId: 's', turnId: 't', callId: 'c' };
  assert.deepEqual(toShellPayload('pre_tool_call', call, '/work'), {
    hook_event_name: 'pre_tool_call',
    tool_name: 'terminal',
    tool_input: { command: 'ls', someKey: 1 },
    session_id: 's',
    cwd: '/work',
    extra: { turn_id: 't', call_id: 'c' },
  });
  assert.deepEqual(toShellPayload('pre_command', { command: 'model', args: 'x', place: 'chat', by: 'owner' }, '/work'), {
    hook_event_name: 'pre_command',
    tool_name: null,
    tool_input: null,
    session_id: null,
    cwd: '/work',
    extra: { command: 'model', args: 'x', place: 'chat', by: 'owner' },
  });
});
