import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { buildProgram } from '../../src/faces/cli/program.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, MAIN, tempHome, toServer } from './hermes.ts';
import { noPty, onTerminal } from './on-terminal.ts';

type Command = ReturnType<typeof buildProgram>;
const program = buildProgram(createBuiltinRegistry(), 'test', async () => {});
const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];
const helpOf = (command: Command): string => {
  let said = '';
  command.configureOutput({ writeOut: (words) => void (said += words) });
  command.outputHelp();
  return said;
};

test('every command has an example in its help, and every example is one of its own', () => {
  assert.ok(withAllBelow(program).length > createBuiltinRegistry().at('shell').length);
  for (const command of withAllBelow(program)) {
    const examples = helpOf(command).split('\nExamples:\n')[1]?.trimEnd().split('\n') ?? [];
    assert.ok(examples.length > 0 && examples.every((line) => line.includes('hermes')), command.name());
  }
});

test('every option and command describes itself', () => {
  const silent = (command: Command): string[] => [
    ...(command.description() === '' ? [command.name()] : []),
    ...command.options.filter((option) => option.description === '').map((option) => option.flags),
    ...command.commands.flatMap(silent),
  ];
  assert.deepEqual(silent(program), []);
});

test('--help of a command and `help` before it say the same, with an example, on stdout', async () => {
  const home = tempHome();
  for (const words of [[], ['chat'], ['config', 'set']]) {
    const [flag, verb] = await Promise.all([hermes([...words, '--help'], { home }), hermes(['help', ...words], { home })]);
    assert.deepEqual([flag.code, verb.code, flag.err], [0, 0, '']);
    assert.equal(flag.out, verb.out);
    assert.match(flag.out, /Examples:\n {2}hermes/);
  }
});

const MISTAKES: readonly (readonly [line: string, words: RegExp])[] = [
  ['chatt', /unknown command 'chatt'\n\(Did you mean chat\?\)/],
  ['explain', /unknown command 'explain'\nTo ask the agent something: hermes chat -q "…"/],
  ['chatt --help', /Did you mean chat\?/],
  ['help chatt', /Did you mean chat\?/],
  ['sessions lisst', /Did you mean list\?/],
  ['chat --jsno -q hi', /unknown option '--jsno'\n\(Did you mean --json\?\)/],
  ['--versionn', /Did you mean --version\?/],
  ['sessions list --limit many', /whole number/],
  ['sessions list --limit -1', /whole number|unknown option/],
  ['chat --max-turns 1.5 -q hi', /whole number/],
  ['chat --api-mode smtp -q hi', /chat_completions, anthropic_messages, responses/],
  ['chat -q', /argument missing/],
  ['chat hello there', /hermes chat -q "hello there"/],
  ['chat', /needs a message/],
  ['chat --resume x --continue', /cannot be used with/],
  ['config set agent.max_turns', /the new value is missing: .*--secret/],
  ['sessions search a --jsno', /Did you mean --json\?/],
  ['chat -q hi -t nonsense --base-url http://127.0.0.1:9 -m m', /no toolset nonsense/],
  ['tools list -t termnal', /did you mean terminal\?/],
  ['chat -q hi --provider opnrouter', /did you mean openrouter\?/],
  ['chat -q hi --base-url nowhere -m m', /not an http\(s\) address/],
  ['', /needs a terminal/],
];
test('a mistaken command line is told on stderr with what was meant, exit code 2', async () => {
  const home = tempHome();
  for (const [line, words] of MISTAKES) {
    const { code, out, err } = await hermes(line.split(' ').filter(Boolean), { home });
    assert.deepEqual([code, out], [2, ''], `hermes ${line}: ${err}`);
    assert.match(err, words, `hermes ${line}`);
  }
});

test('stdout has the answer and nothing else, stderr the rest; --json has events only', async () => {
  await using server = await startWireServer({ answer: () => ({ text: 'The answer.' }) });
  server.script({ calls: [{ name: 'terminal', arguments: { command: 'echo noise; echo more >&2; exit 3' } }] });
  const plain = await hermes(['chat', '-q', 'hi', ...toServer(server.url)], { home: tempHome() });
  assert.deepEqual([plain.code, plain.out, plain.err], [0, 'The answer.\n', '']);
  const json = await hermes(['chat', '-q', 'hi', '--json', ...toServer(server.url)], { home: tempHome() });
  const lines = json.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(lines[0]?.['type'], 'session');
  assert.deepEqual(lines.at(-1), { type: 'outcome', outcome: 'answered', exit_reason: 'answered', text: 'The answer.' });
});

test('a failed turn leaves stdout empty and says why on stderr, exit code 1', async () => {
  await using server = await startWireServer({ replies: [{ fault: { type: 'unauthorized' } }] });
  const { code, out, err } = await hermes(['chat', '-q', 'hi', ...toServer(server.url)], { home: tempHome() });
  assert.deepEqual([code, out], [1, '']);
  assert.ok(err.length > 20, err);
});

test('a reader that goes away early does not crash any command', async () => {
  await using server = await startWireServer({
    answer: () => ({ text: Array.from({ length: 60_000 }, (_, index) => `${index} `).join('') }),
  });
  const home = tempHome();
  const commands = [
    `chat -q hi ${toServer(server.url).join(' ')}`,
    `chat -q hi --json ${toServer(server.url).join(' ')}`,
    'config schema',
    'help',
    'sessions list',
  ];
  for (const command of commands) {
    const line = `"${process.execPath}" "${MAIN}" ${command} | head -c1 >/dev/null; exit \${PIPESTATUS[0]}`;
    const shell = spawn('/bin/bash', ['-c', line], {
      env: { PATH: process.env['PATH'], HOME: home, HERMES_HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    shell.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    const [code] = await once(shell, 'close');
    assert.deepEqual([code, err], [0, ''], command);
  }
});

for (const apiMode of ['chat_completions', 'anthropic_messages', 'responses']) {
  test(`${apiMode}: the first request with the default toolset is within 16,384 bytes`, async (context) => {
    await using server = await startWireServer({ answer: () => ({ text: 'hello' }) });
    const ran = await hermes(['chat', '-q', 'hi', ...toServer(server.url, apiMode)], { home: tempHome() });
    assert.equal(ran.code, 0, ran.err);
    const bytes = Buffer.byteLength(server.requests[0]?.text ?? '');
    context.diagnostic(`${bytes} bytes`);
    assert.ok(bytes > 200 && bytes <= 16_384, `${bytes} bytes`);
  });
}

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly words: string;
  readonly cure?: string;
}
const findings = (out: string) => new Map((JSON.parse(out) as Finding[]).map((finding) => [finding.name, finding]));

test('doctor on a fresh home: says what is missing and how to get it, exit code 1', async () => {
  const { code, out } = await hermes(['doctor', '--json'], { home: tempHome() });
  const found = findings(out);
  assert.equal(code, 1);
  assert.deepEqual(
    [...found.keys()].filter((name) => name !== 'local servers'),
    [
      'node',
      'home',
      'file modes',
      'settings',
      'store',
      'keys',
      'secrets',
      'command environment',
      'route',
      'tools',
      'terminal',
      'first request',
      'prompt files',
      'node-pty',
      'ripgrep',
    ],
  );
  assert.deepEqual(
    [...found.values()].filter(({ ok }) => !ok).map(({ name }) => name),
    ['route'],
  );
  assert.match(found.get('route')?.cure ?? '', /hermes setup/);
});

test('doctor with a model that answers: exit code 0; the host hears no request and no key', async () => {
  let heard = 0;
  const server = createServer((socket) => void socket.on('data', (chunk) => (heard += chunk.length)).on('error', () => {}));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), `model:\n  default: m\n  base_url: http://127.0.0.1:${port}/v1\n`);
  const key = 'sk-0123456789abcdef0123';
  const ran = await hermes(['doctor'], { home, env: { OPENAI_API_KEY: key } });
  server.close();
  assert.deepEqual([ran.code, ran.err], [0, ''], ran.out);
  assert.match(ran.out, /✓ keys +OPENAI_API_KEY is set/);
  assert.match(ran.out, /✓ route +custom m at .*with OPENAI_API_KEY; chosen by model.base_url \(settings file\)/);
  assert.match(ran.out, /✓ host +127\.0\.0\.1:\d+ answers in \d+ ms/);
  assert.ok(!ran.out.includes(key) && !ran.out.includes('\u001b'), 'no key and no colours');
  assert.equal(heard, 0, 'bytes that the host heard');
});

test('local says what it means where it is set, and doctor marks it', async () => {
  const home = tempHome();
  const set = await hermes(['config', 'set', 'terminal.backend', 'local'], { home });
  assert.deepEqual([set.code, set.err], [0, 'hermes: commands now run on this machine with all of your rights, without a sandbox.\n']);
  const { out, err } = await hermes(['doctor'], { home });
  assert.match(out, /! terminal +commands run on this machine with all of your rights, without a\s+sandbox \(terminal\.backend: local\)/);
  assert.equal(err, '');
});

test('doctor names a host that does not answer, a broken file and a store that is none', async () => {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), 'model:\n  default: m\n  base_url: http://127.0.0.1:9/v1\nagent: 1\n');
  writeFileSync(join(home, 'sessions.db'), 'this is not a database, whatever its name says. '.repeat(100));
  const { code, out } = await hermes(['doctor', '--json'], { home });
  const found = findings(out);
  assert.equal(code, 1);
  assert.deepEqual(
    [...found.values()].filter(({ ok }) => !ok).map(({ name }) => name),
    ['settings', 'store', 'host'],
  );
  assert.match(found.get('settings')?.words ?? '', /config.yaml:4: agent is a section/);
  assert.match(`${found.get('store')?.words} ${found.get('store')?.cure ?? ''}`, /sessions repair/);
  assert.match(found.get('host')?.words ?? '', /127\.0\.0\.1:9 does not answer/);
});

test('tools list shows tools with their toolsets; --json is one array; -t narrows', async () => {
  const home = tempHome();
  const all = await hermes(['tools', 'list', '--json'], { home });
  const rows = JSON.parse(all.out) as {
    readonly name: string;
    readonly toolsets: readonly string[];
    readonly available: boolean;
    readonly reason?: string;
    readonly effects: string;
    readonly replay: string;
  }[];
  const terminal = rows.find(({ name }) => name === 'terminal');
  assert.deepEqual([terminal?.available, terminal?.effects, terminal?.replay], [true, 'write', 'never']);
  assert.ok(terminal?.toolsets.includes('hermes-cli'));
  assert.ok(
    rows.every(({ available, reason }) => available || (reason ?? '') !== ''),
    'every absence has a reason',
  );
  const some = await hermes(['tools', 'list', '-t', 'terminal'], { home });
  assert.match(some.out, /✓ terminal +\w.*\.\n/);
  assert.ok(!some.out.includes('write_file'));
});

test('a text of several words opens the terminal UI with it, also behind -p; a mistyped command does not', { skip: noPty }, async () => {
  const home = tempHome();
  await using server = await startWireServer({ replies: [{ text: 'first answer' }, { text: 'second answer' }] });
  const options = toServer(server.url);
  for (const [words, answer] of [
    [['fix this now'], /first answer/],
    [['-p', 'fix this now'], /second answer/],
  ] as const) {
    const { code, shown } = await onTerminal([...words, ...options], home, [[answer, '\x04']]);
    assert.equal(code, 0, shown);
  }
  for (const { body } of server.requests) assert.match(JSON.stringify(body), /"fix this now"/);
  const mistyped = await hermes(['sesions'], { home });
  assert.deepEqual([mistyped.code, /Did you mean sessions\?/.test(mistyped.err)], [2, true], mistyped.err);
  const piped = await hermes(["it's two words"], { home });
  assert.match(piped.err, /there is no terminal here\. To print the answer: hermes chat -q 'it'\\''s two words'/);
});
