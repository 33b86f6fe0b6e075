import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ApprovalRequest, ApprovalVerdict } from '../../../../../../src/contracts/consent.ts';
import type { Terminal } from '../../../../../../src/contracts/terminal.ts';
import { collectDefaults } from '../../../../../../src/contracts/settings.ts';
import { openRoutes } from '../../../../../../src/parts/safety/urls/routes.ts';
import { urlSettings } from '../../../../../../src/parts/safety/urls/settings.ts';
import { openGuardedNetwork } from '../../../../../../src/parts/terminals/network/network.ts';
import type { SandboxOptions } from '../../../../../../src/parts/terminals/sandbox/survey.ts';
import { sandboxTerminal } from '../../../../../../src/parts/terminals/sandbox/sandbox.ts';
import { executeCodeTool } from '../../../../../../src/parts/tools/builtin/execute-code/tool.ts';
import { createProcessTable } from '../../../../../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool, type TerminalInput } from '../../../../../../src/parts/tools/builtin/terminal/terminal.ts';
import { noBubblewrap, noSandbox, tiers } from '../../../../terminals/sandbox-stage.ts';
import { contextIn, words } from '../../../setup.ts';
import { retryUntil } from '../../../../../../src/testing/conformance/terminal-commands.ts';
import { lacks } from '../../../../../programs.ts';

/** A project and other folders in the home, which the attended sandbox shows and does not let be written to. */
async function openHomeSandbox(options: SandboxOptions = {}) {
  const root = mkdtempSync(join(homedir(), 'hermes-at-wall-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, notes] = [join(root, 'shop'), join(root, 'notes')];
  for (const folder of [cwd, notes]) mkdirSync(folder);
  const terminal = await sandboxTerminal({ wall: 'attended', ...options }).open({
    cwd,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  after(() => terminal[Symbol.asyncDispose]());
  return { terminal, cwd, notes };
}

function toolIn(terminal: Terminal, verdict: ApprovalVerdict) {
  const asked: ApprovalRequest[] = [];
  const tool = terminalTool({
    processes: createProcessTable(),
    judge: () => ({ type: 'fine' }),
    judgeOutside: () => ({ type: 'ask', reason: '', key: 'run_outside' }),
    timeoutSeconds: 20,
    maxTimeoutSeconds: 20,
    maxOutput: 10_000,
  });
  const context = contextIn(terminal, { approve: async (action) => (asked.push(action), verdict) });
  const call = async (input: TerminalInput): Promise<string> => {
    const output = await tool.run(input, context);
    return [words(output), ...(output.notes ?? [])].join('\n');
  };
  return { asked, call };
}
const YES = { allow: true, by: 'the owner' } as const;
const NO = { allow: false, by: 'the owner', reason: 'the user said no.' } as const;

test('a folder that the real sandbox lets nobody write to is opened after a yes', { skip: noSandbox }, async () => {
  const { terminal, notes } = await openHomeSandbox();
  const { asked, call } = toolIn(terminal, YES);
  assert.match(
    await call({ command: `echo hello > ${notes}/a.txt && cat ${notes}/a.txt` }),
    /^hello\n\[This first failed in the sandbox, where it could not write to .*notes\. It ran again/,
  );
  assert.deepEqual(
    asked.map(({ key, at }) => [key, at]),
    [['wall_path', { wall_path: [notes] }]],
  );
  assert.equal(readFileSync(join(notes, 'a.txt'), 'utf8'), 'hello\n');
  assert.equal(await call({ command: `echo more >> ${notes}/a.txt` }), '[exit code 0, no output]');
  assert.equal(asked.length, 1);
});

test('a folder named from where the command stands is opened, and the line starts again where it began', { skip: noSandbox }, async () => {
  const { terminal, cwd, notes } = await openHomeSandbox();
  const { asked, call } = toolIn(terminal, YES);
  mkdirSync(join(cwd, 'sub'));
  assert.match(await call({ command: 'cd sub && echo hello > ../../notes/a.txt' }), /could not write to .*notes\. It ran again/);
  assert.equal(readFileSync(join(notes, 'a.txt'), 'utf8'), 'hello\n');
  assert.deepEqual([asked.map(({ key }) => key), terminal.cwd], [['wall_path'], join(cwd, 'sub')]);
});

test('a folder outside is removed outside, after one question', { skip: noSandbox }, async () => {
  const { terminal, notes } = await openHomeSandbox();
  const { asked, call } = toolIn(terminal, YES);
  writeFileSync(join(notes, 'a.txt'), '');
  assert.match(await call({ command: 'rm -rf ../notes' }), /It then ran again outside the sandbox/);
  assert.deepEqual([asked.map(({ key }) => key), existsSync(notes)], [['run_outside'], false]);
});

test(
  'while something runs in the background, the command is offered to run outside, and no folder is opened late',
  // By the floor it is opened at once: each command has rules of its own.
  { skip: noBubblewrap },
  async () => {
    const { terminal, notes } = await openHomeSandbox();
    const { asked, call } = toolIn(terminal, YES);
    const server = await terminal.start('sleep 60', { maxOutput: 1_000 });
    assert.match(await call({ command: `touch ${notes}/a.txt` }), /It then ran again outside the sandbox, allowed by the user/);
    assert.deepEqual(
      asked.map(({ key }) => key),
      ['run_outside'],
    );
    assert.ok(existsSync(join(notes, 'a.txt')));
    const { wall = assert.fail() } = terminal;
    await assert.rejects(wall.grant({ type: 'write', path: notes }), /something still runs in the sandbox/);
    await server.kill();
    assert.match((await terminal.run(`touch ${notes}/b.txt`, RUN)).output, /Read-only file system/);
    await wall.grant({ type: 'write', path: notes });
    assert.equal((await terminal.run(`touch ${notes}/b.txt`, RUN)).exitCode, 0);
  },
);
const RUN = { signal: new AbortController().signal, timeoutMs: 20_000, maxOutput: 1_000 } as const;

test('a no leaves the real sandbox as it is', { skip: noSandbox }, async () => {
  const { terminal, notes } = await openHomeSandbox();
  const { asked, call } = toolIn(terminal, NO);
  assert.match(
    await call({ command: `touch ${notes}/b.txt` }),
    /\[The sandbox stopped this: it could not write to .*notes\. Running it again will not help\. It did not run outside: the user said no\.\]$/,
  );
  assert.equal(asked.length, 1);
  assert.equal(existsSync(join(notes, 'b.txt')), false);
});

test(
  'a yes runs a command outside the real sandbox, with nothing of what commands inside left in their shell',
  { skip: noSandbox },
  async () => {
    const { terminal, cwd } = await openHomeSandbox();
    const { asked, call } = toolIn(terminal, YES);
    writeFileSync(join(cwd, 'id'), '#!/bin/sh\necho planted\n', { mode: 0o755 });
    assert.equal(await call({ command: `export PATH="${cwd}:$PATH" WHO=me; greet() { echo function; }; id` }), 'planted');
    assert.equal(
      await call({ command: 'id -u; pwd', outside: 'to see who runs it' }),
      `${process.getuid?.()}\n${cwd}\n[This ran outside the sandbox, allowed by the user.]`,
    );
    assert.match(
      asked[0]?.reason ?? '',
      /^the agent asks to run it outside the sandbox: "to see who runs it"\. Variables that were set in the sandbox are not set outside: WHO$/,
    );
    for (const command of ['greet', 'echo "$WHO"'])
      await assert.rejects(
        call({ command, outside: 'x' }),
        /Not run outside the sandbox: it uses (?:greet|\$WHO), which earlier commands set in the sandbox and which does not exist outside\./,
      );
    assert.equal(asked.length, 1);
  },
);

test('a background start that ends at once at the wall says so', { skip: noSandbox }, async () => {
  const { terminal, notes } = await openHomeSandbox();
  const { asked, call } = toolIn(terminal, YES);
  assert.match(
    await call({ command: `touch ${notes}/c.txt`, background: true }),
    /^Started in the background: .*\n\[The sandbox stopped this: it could not write to .*notes\. Running it again will not help\. To ask the user to run it outside the sandbox, start it again with outside and a reason\.\]$/,
  );
  assert.deepEqual(asked, []);
});

test('a script that fails at the wall says so, and asks nobody', { skip: noSandbox ?? lacks('python3') }, async () => {
  const { terminal, notes } = await openHomeSandbox();
  const tool = executeCodeTool({
    tools: [],
    judge: () => ({ type: 'fine' }),
    settings: { 'code_execution.timeout': 20, 'code_execution.max_tool_calls': 5 },
  });
  const output = await tool.run({ code: `open('${notes}/d.txt', 'w')` }, contextIn(terminal));
  assert.deepEqual(output.notes, [
    `[The sandbox stopped this: it could not write to ${notes}. Running it again will not help. If it matters, do this step with terminal, where the user can be asked.]`,
  ]);
});

test('a port of this machine is opened in the real sandbox after a yes', { skip: noSandbox ?? lacks('curl') }, async () => {
  const shop = createServer((_request, response) => response.end('the shop is open\n')).listen(0, '127.0.0.1');
  await new Promise((done) => shop.once('listening', done));
  after(() => shop.close());
  const address = shop.address();
  const port = typeof address === 'object' && address !== null ? address.port : assert.fail();
  const { terminal } = await openHomeSandbox({
    openNetwork: openGuardedNetwork({
      routes: openRoutes({ settings: collectDefaults(urlSettings), home: '/nowhere' }),
      allowed: [],
      denied: [],
      listedOnly: false,
      home: homedir(),
      env: {},
      notice: () => {},
    }),
  });
  const { asked, call } = toolIn(terminal, YES);
  assert.match(
    await call({ command: `curl -sS http://127.0.0.1:${port}/` }),
    /^the shop is open\n\[This first failed in the sandbox, where it could not connect to port \d+ of this machine\. It ran again/,
  );
  assert.deepEqual(
    asked.map(({ key, at }) => [key, at]),
    [['wall_port', { wall_port: [`host:localhost:${port}`] }]],
  );
});

const openNetwork = () =>
  openGuardedNetwork({
    routes: openRoutes({ settings: collectDefaults(urlSettings), home: '/nowhere' }),
    allowed: [],
    denied: [],
    listedOnly: false,
    home: homedir(),
    env: {},
    notice: () => {},
  });

/** Nothing in these lines or in what they print tells of a port. */
const SILENT = [
  '(exec 3<>/dev/tcp/127.0.0.1/$(cat port); cat <&3) 2>/dev/null',
  '(exec 3<>/dev/tcp/127.0.0.1/$(cat port); cat <&3) 2>/dev/null | cat',
  'curl -sf "http://127.0.0.1:$(cat port)/"',
  'curl -s "http://127.0.0.1:$(cat port)/" | cat',
  'wget -q -O- "http://127.0.0.1:$(cat port)/"',
];
for (const tools of tiers)
  test(
    `${tools.tier}: a port that was refused is asked about by what the wall saw, not by words`,
    { skip: tools.tier === 'bubblewrap' && lacks('perl') },
    async () => {
      const shop = createServer((_request, response) => response.end('open\n')).listen(0, '127.0.0.1');
      // Speaks first, for those that send nothing.
      const greeter = createTcpServer((socket) => void socket.end('open\n')).listen(0, '127.0.0.1');
      await Promise.all([shop, greeter].map((server) => new Promise((done) => server.once('listening', done))));
      for (const server of [shop, greeter]) after(() => server.close());
      for (const [index, command] of SILENT.entries()) {
        const program = command.split(' ')[0] ?? '';
        if (/^[a-z]/.test(program) && lacks(program) !== undefined) continue;
        const { terminal, cwd } = await openHomeSandbox({ tools, openNetwork: openNetwork() });
        const address = (index < 2 ? greeter : shop).address();
        const port = typeof address === 'object' && address !== null ? address.port : assert.fail();
        writeFileSync(join(cwd, 'port'), String(port));
        const { asked, call } = toolIn(terminal, YES);
        assert.match(await call({ command }), /^open\n\[This first failed in the sandbox, where it could not connect to port \d+/, command);
        assert.deepEqual(
          asked.map(({ key, at }) => [key, at]),
          [['wall_port', { wall_port: [`host:localhost:${port}`] }]],
          command,
        );
        await terminal[Symbol.asyncDispose]();
      }
    },
  );

for (const tools of tiers)
  test(
    `${tools.tier}: a command that did its work without the port is not asked about, and a background process answers for itself`,
    { skip: tools.tier === 'bubblewrap' && lacks('perl') },
    async () => {
      const shop = createServer((_request, response) => response.end('open\n')).listen(0, '127.0.0.1');
      await new Promise((done) => shop.once('listening', done));
      after(() => shop.close());
      const address = shop.address();
      const port = typeof address === 'object' && address !== null ? address.port : assert.fail();
      const { terminal, cwd } = await openHomeSandbox({ tools, openNetwork: openNetwork() });
      writeFileSync(join(cwd, 'port'), String(port));
      const { asked, call } = toolIn(terminal, YES);
      const probe = '(exec 3<>/dev/tcp/127.0.0.1/$(cat port)) 2>/dev/null';
      assert.match(
        await call({ command: `sh -c 'bash -c "${probe}" || cat port'` }),
        new RegExp(`^${port}\\n\\[Blocked meanwhile: it could not connect to port ${port} of this machine\\.\\]$`),
      );
      const poll = await terminal.start(`bash -c '${probe}'; echo once; while :; do sleep 0.05; ${probe}; done`, { maxOutput: 1_000 });
      await retryUntil('it has tried', async () => poll.output().includes('once'));
      await retryUntil('nothing is left to be told', async () => (await call({ command: 'false' })) === '[exit code 1]');
      assert.deepEqual(asked, []);
      await poll.kill();
    },
  );
