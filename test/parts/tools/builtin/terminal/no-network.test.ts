import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { localTerminal } from '../../../../../src/parts/terminals/local/local.ts';
import { NO_NETWORK } from '../../../../../src/parts/tools/builtin/terminal/no-network.ts';
import { createProcessTable } from '../../../../../src/parts/tools/builtin/terminal/processes.ts';
import { terminalTool } from '../../../../../src/parts/tools/builtin/terminal/terminal.ts';
import { contextIn, tempFolder } from '../../setup.ts';

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
const told = async (command: string, network?: boolean): Promise<readonly string[]> => {
  const place = { ...(network !== undefined && { place: { where: 'in a box', cwd, network } }) };
  return (await tool.run({ command }, contextIn({ ...terminal, ...place }))).notes ?? [];
};

const FAILING = [
  "echo 'curl: (6) Could not resolve host: example.org'; exit 6",
  "echo 'fatal: unable to access https://example.org/x.git'; exit 128",
  "echo 'getaddrinfo EAI_AGAIN registry.npmjs.org'; exit 1",
  'git push --quiet nowhere main',
];
test('a failing command in a place without network says so', async () => {
  for (const command of FAILING) assert.deepEqual(await told(command, false), [NO_NETWORK], command);
});

test('a command that works, one that fails for another reason, and a place with a network say nothing of it', async () => {
  for (const command of ["echo 'Could not resolve host'", "echo '3 tests failed'; exit 1"])
    assert.deepEqual(await told(command, false), [], command);
  for (const network of [true, undefined]) assert.deepEqual(await told(FAILING[0] ?? '', network), []);
});
