import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CommandVerdict } from '../../../../../src/contracts/safety.ts';
import type { ApprovalRequest } from '../../../../../src/contracts/consent.ts';
import { ToolRefusal } from '../../../../../src/contracts/tool.ts';
import { askConsent } from '../../../../../src/parts/tools/builtin/command-line/consent.ts';
import { createProcessTable } from '../../../../../src/parts/tools/builtin/terminal/processes.ts';
import { processTool } from '../../../../../src/parts/tools/builtin/terminal/process.ts';
import { localTerminal } from '../../../../../src/parts/terminals/local/local.ts';
import { answer, contextIn, tempFolder } from '../../setup.ts';

const terminal = await localTerminal.open({ cwd: tempFolder(), env: { PATH: process.env['PATH'] ?? '' } });
after(() => terminal[Symbol.asyncDispose]());

/** Somebody who says yes to everything, and what he was asked. */
function yes() {
  const asked: ApprovalRequest[] = [];
  const approve = async (action: ApprovalRequest) => (asked.push(action), { allow: true as const, by: 'test' });
  return { asked, context: { ...contextIn(terminal), approve } };
}
const asking = (hash: string, more: object = {}): CommandVerdict => ({
  type: 'ask',
  reason: 'it runs as another user',
  key: 'privilege',
  at: { privilege: ['/srv'] },
  read: [{ path: '/w/x.sh', hash }],
  ...more,
});
const ACT = { tool: 'terminal', command: 'bash x.sh', cwd: '/w' };

test('what is asked holds all the verdict says', async () => {
  const { asked, context } = yes();
  await askConsent(ACT, context, () => asking('a'));
  const { type: _, ...why } = asking('a') as Extract<CommandVerdict, { type: 'ask' | 'refuse' }>;
  assert.deepEqual(asked, [{ tool: 'terminal', summary: 'bash x.sh', cwd: '/w', ...why }]);
});

for (const [name, later] of [
  ['other contents', asking('b')],
  ['other dangers', asking('a', { key: 'privilege+secret_read' })],
  ['nothing to ask about', { type: 'fine' }],
] as const)
  test(`a yes is no yes when the file behind it has ${name} by then`, async () => {
    const verdicts: CommandVerdict[] = [asking('a'), later];
    await assert.rejects(
      askConsent(ACT, yes().context, () => verdicts.shift() ?? { type: 'fine' }),
      (error) => error instanceof ToolRefusal && /changed while consent was asked for/.test(error.message),
    );
  });

test('what a process is told is asked about with the process and its command, and holds in no place', async () => {
  const { asked, context } = yes();
  const processes = createProcessTable();
  const tool = processTool({ processes, judge: () => asking('a'), timeoutSeconds: 10, maxTimeoutSeconds: 20 });
  const id = await processes.add('s1', await terminal.start('cat; true', { maxOutput: 1_000 }));
  assert.match(await answer(tool, { action: 'submit', session_id: id, data: 'sudo ls' }, context), /^Sent 8 characters/);
  await answer(tool, { action: 'close', session_id: id }, context);
  assert.deepEqual(
    asked.map(({ summary, at }) => [summary, at]),
    [[`tell ${id} (cat; true): sudo ls\n`, undefined]],
  );
});
