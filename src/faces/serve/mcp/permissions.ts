import { UsageError } from '../../../base/errors.ts';
import { decideApproval } from '../../../commands/approvals.ts';
import type { ApprovalLine } from '../../../contracts/services/owner.ts';
import type { ServeDeps, ConversationTool } from './contract.ts';
import { defineConversationTool } from './define-tool.ts';
import { isVisible } from './sessions.ts';

/** Tools for what a session asked and nobody has answered: the same questions that `hermes approvals` shows. */
export const createPermissionTools = (deps: ServeDeps, resume: (sessionId: string) => void): readonly ConversationTool[] => [
  defineConversationTool({
    name: 'permissions_list_open',
    description: 'Lists what conversations have asked permission for and nobody has answered.',
    readOnly: true,
    parameters: {},
    run: async () => ({ data: { permissions: (await listOpen(deps)).map(toRow), may_allow: deps.rules.mayAllow } }),
  }),
  defineConversationTool({
    name: 'permissions_respond',
    description: deps.rules.mayAllow
      ? 'Answers a question for permission: allows it once, or denies it permanently. Only answer what a person has decided.'
      : 'Denies a question for permission permanently. The owner of this server has kept the right to allow.',
    readOnly: false,
    parameters: {
      permission_id: { kind: 'text', required: true, description: 'the id of a question from permissions_list_open' },
      decision: { kind: 'choice', choices: ['allow', 'deny'], required: true, description: 'allow once, or deny' },
    },
    run: async ({ permission_id: id, decision }) => ({ data: await respond(id, decision, deps, resume) }),
  }),
];

async function respond(id: string, decision: 'allow' | 'deny', deps: ServeDeps, resume: (sessionId: string) => void) {
  if (decision === 'allow' && !deps.rules.mayAllow)
    throw new UsageError(
      `only the owner can allow this: hermes approvals allow ${id}. To let clients of this server allow, the owner starts it with --allow-approvals.`,
    );
  const known = (await listOpen(deps)).find((line) => line.id === id);
  if (known === undefined) throw new UsageError(`there is no open question ${id}. permissions_list_open shows those there are.`);
  const { question, told } = await decideApproval(known.id, decision === 'allow' ? 'allowed' : 'denied', deps.approvals);
  if (decision === 'allow' && question.sessionId !== undefined) resume(question.sessionId);
  return { permission_id: question.id, state: question.state, told };
}

async function listOpen({ approvals, host, rules }: ServeDeps): Promise<readonly ApprovalLine[]> {
  const open = (await approvals.list()).filter(({ state }) => state === 'open');
  if (rules.sources === undefined) return open;
  const seen = await Promise.all(
    open.map(async (line) => (await host.store.find(line.sessionId ?? '')).some((session) => isVisible(session, { rules }))),
  );
  return open.filter((_, index) => seen[index] === true);
}

const toRow = ({ id, at, tool, summary, reason, cwd, files, sessionId }: ApprovalLine): object => ({
  permission_id: id,
  asked_at: new Date(at).toISOString(),
  conversation_id: sessionId ?? null,
  tool,
  summary,
  reason,
  ...(cwd !== undefined && { cwd }),
  ...(files !== undefined && { files }),
});
