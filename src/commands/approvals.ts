import { resolveById } from '../base/by-id.ts';
import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { ApprovalLine, ApprovalService } from '../contracts/services/owner.ts';

const FACTS = { category: 'safety', where: ['shell'], whileBusy: 'run', needs: ['approvals'] } as const;
const ID = { kind: 'text', required: true, description: 'the id of a question, or its first characters' } as const;

const describeQuestion = ({ id, state, tool, summary }: ApprovalLine): string => toVisibleLine(`${id}  ${state}  ${tool}: ${summary}`);

export const approvalsList = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  slash: ['approvals', 'approvals list'],
  name: 'approvals list',
  summary: 'List pending questions',
  options: { all: { kind: 'flag', description: 'include answered questions' } },
  json: 'one JSON array',
  examples: ['hermes approvals list', "hermes approvals list --json | jq -r '.[].summary'"],
  run: async ({ all }, { approvals }) => (await approvals.list()).filter(({ state }) => all === true || state === 'open'),
  describe: (rows) => rows.map(describeQuestion).join('\n') || 'No pending questions.',
});

export const approvalsShow = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'approvals show',
  summary: 'Show a question and why it was asked',
  arguments: { id: ID },
  json: 'as JSON',
  examples: ['hermes approvals show 3f2a'],
  run: async ({ id }, { approvals }) => oneOf(id, await approvals.list(), 'question'),
  describe: (row) => [describeQuestion(row), `Asked because ${row.reason}`].map(toVisibleLine).join('\n'),
});

/** What was answered; `told` when the session will hear of it. */
export interface DecidedApproval {
  readonly question: ApprovalLine;
  readonly told: boolean;
}

export const approvalsAllow = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  name: 'approvals allow',
  summary: 'Allow it once and tell its session',
  arguments: { id: ID },
  json: 'as JSON',
  ownerOnly: true,
  needsTerminal: true,
  examples: ['hermes approvals allow 3f2a'],
  run: ({ id }, { approvals }) => decideApproval(id, 'allowed', approvals),
  describe: ({ question }) => `Allowed, once: ${toVisibleLine(question.summary)}`,
});

export const approvalsDeny = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  name: 'approvals deny',
  summary: 'Deny it permanently',
  arguments: { id: ID },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes approvals deny 3f2a'],
  run: ({ id }, { approvals }) => decideApproval(id, 'denied', approvals),
  describe: ({ question }) => `Denied: ${toVisibleLine(question.summary)}`,
});

/** Who decides about risky commands in sessions that begin from now on. */
export const approvalsMode = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'approvals mode',
  summary: 'Show or choose who decides about risky commands: you, a model that asks you when in doubt, or nobody',
  arguments: { mode: { kind: 'text', description: 'manual, smart or off' } },
  json: 'as JSON',
  ownerOnly: ({ mode }) => (mode === undefined ? undefined : 'approvals mode'),
  examples: ['hermes approvals mode', 'hermes approvals mode smart'],
  needs: ['configuration'],
  run: async ({ mode }, { configuration }) => {
    if (mode !== undefined) await configuration.set(MODE, mode);
    const { settings } = await configuration.standing();
    return { mode: String(settings.find(({ key }) => key === MODE)?.value), changed: mode !== undefined };
  },
  describe: ({ mode, changed }) => `Risky commands: ${mode}${changed ? ', from the next start of hermes on' : ''}.`,
});
const MODE = 'approvals.mode';

/** The answer stands before the session hears of it: what hears of it may act at once. */
export async function decideApproval(id: string, state: 'allowed' | 'denied', approvals: ApprovalService): Promise<DecidedApproval> {
  const open = (await approvals.list()).filter((row) => row.state === 'open');
  const asked = oneOf(id, open, 'open question');
  const question = await approvals.decide(asked.id, state);
  if (question === undefined) throw new UsageError(`${asked.id} was answered meanwhile; hermes approvals list --all shows how.`);
  const { sessionId, summary } = question;
  if (sessionId === undefined || state === 'denied') return { question, told: false };
  const text = `I now allow, once, what you asked for before:\n${summary}\nDo it exactly so if it still makes sense.`;
  return { question, told: await approvals.leave({ sessionId, text, questionId: asked.id }) };
}

const oneOf = (id: string, rows: readonly ApprovalLine[], what: string): ApprovalLine =>
  resolveById(id, rows, (row) => [row.id], { what, shownBy: 'hermes approvals list' });
