import { resolveById } from '../base/by-id.ts';
import { UsageError } from '../base/errors.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { ApprovalLine, ApprovalService } from '../contracts/services/owner.ts';

const FACTS = { category: 'safety', where: ['shell'], whileBusy: 'run', needs: ['approvals'] } as const;
const ID = { kind: 'text', required: true, description: 'the id of a question, or its first characters' } as const;

export const approvalsList = defineCommand({
  ...FACTS,
  name: 'approvals list',
  summary: 'List pending questions',
  options: { all: { kind: 'flag', description: 'include answered questions' } },
  json: 'one JSON array',
  examples: ['hermes approvals list', "hermes approvals list --json | jq -r '.[].summary'"],
  run: async ({ all }, { approvals }) => approvals.list().filter(({ state }) => all === true || state === 'open'),
});

export const approvalsShow = defineCommand({
  ...FACTS,
  name: 'approvals show',
  summary: 'Show a question and why it was asked',
  arguments: { id: ID },
  json: 'as JSON',
  examples: ['hermes approvals show 3f2a'],
  run: async ({ id }, { approvals }) => oneOf(id, approvals.list(), 'question'),
});

/** What was answered; `told` when the session will hear of it. */
export interface DecidedApproval {
  readonly question: ApprovalLine;
  readonly told: boolean;
}

export const approvalsAllow = defineCommand({
  ...FACTS,
  name: 'approvals allow',
  summary: 'Allow it once and tell its session',
  arguments: { id: ID },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes approvals allow 3f2a'],
  run: ({ id }, { approvals }) => decide(id, 'allowed', approvals),
});

export const approvalsDeny = defineCommand({
  ...FACTS,
  name: 'approvals deny',
  summary: 'Deny it permanently',
  arguments: { id: ID },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes approvals deny 3f2a'],
  run: ({ id }, { approvals }) => decide(id, 'denied', approvals),
});

/** The answer stands before the session hears of it: what hears of it may act at once. */
async function decide(id: string, state: 'allowed' | 'denied', approvals: ApprovalService): Promise<DecidedApproval> {
  const open = approvals.list().filter((row) => row.state === 'open');
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
