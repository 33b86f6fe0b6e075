import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { localTerminal } from '../../../../../src/parts/terminals/local/local.ts';
import { NO_NETWORK } from '../../../../../src/parts/tools/builtin/terminal/no-network.ts';
import { createProcessTable } from '../../../../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool } from '../../../../../src/parts/tools/builtin/terminal/terminal.ts';
import { answer, contextIn, tempFolder } from '../../setup.ts';

const cwd = tempFolder();
const terminal = await localTerminal.open({ cwd, env: { PATH: process.env['PATH'] ?? '' } });
after(() => terminal[Symbol.asyncDispose]());
const tool = terminalTool({
  processes: createProcessTable(),
  judge: () => ({ type: 'fine' }),
  timeoutSeconds: 5,
  maxTimeoutSeconds: 10,
  maxOutput: 10_000,
});
const told = (command: string, network?: boolean) =>
  answer(tool, { command }, contextIn({ ...terminal, ...(network !== undefined && { place: { where: 'a box', cwd, network } }) }));

const FAILING = [
  "echo 'curl: (6) Could not resolve host: example.org'; exit 6",
  "echo 'fatal: unable to access https://example.org/x.git'; exit 128",
  "echo 'getaddrinfo EAI_AGAIN registry.npmjs.org'; exit 1",
  'git push --quiet nowhere main',
];
test('a failing command in a place without network says so', async () => {
  for (const command of FAILING) assert.ok((await told(command, false)).endsWith(`\n${NO_NETWORK}`), command);
});

test('a command that works, one that fails for another reason, and a place with a network say nothing of it', async () => {
  for (const command of ["echo 'Could not resolve host'", "echo '3 tests failed'; exit 1"])
    assert.ok(!(await told(command, false)).includes(NO_NETWORK), command);
  for (const network of [true, undefined]) assert.ok(!(await told(FAILING[0] ?? '', network)).includes(NO_NETWORK));
});
