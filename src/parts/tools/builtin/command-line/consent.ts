import type { JudgeCommand } from '../../../../contracts/safety.ts';
import { isSameApprovalRequest, type ApprovalVerdict, type RequiredConsent } from '../../../../contracts/consent.ts';
import { ToolRefusal, type AskContext, type ToolContext } from '../../../../contracts/tool.ts';

export interface CommandConsentRequest {
  readonly tool: string;
  readonly command: string;
  readonly cwd: string;
  /** What is asked about, where it is more than the command: what it is told to. */
  readonly summary?: string;
}

/** What stands against a command, as it is judged now. Refused commands end here whatever the owner allowed. */
export function findCommandObjection(
  { tool, command, cwd, summary = command }: CommandConsentRequest,
  { terminal }: Pick<AskContext, 'terminal'>,
  judge: JudgeCommand,
): RequiredConsent | undefined {
  const verdict = judge(command, { cwd, home: terminal.files.home, carried: terminal.carried?.() });
  if (verdict.type === 'fine') return undefined;
  if (verdict.type === 'refuse') throw new ToolRefusal(`Not run, and nobody can allow it: ${verdict.reason}.`);
  const { type: _, ...why } = verdict;
  return { action: { tool, summary, cwd, ...why }, refusal: (reason) => `Not run: ${verdict.reason}, and ${reason}` };
}

/** Refused commands end here whatever the owner allowed; those that need consent are asked for. */
export async function askConsent(asked: CommandConsentRequest, context: ToolContext, judge: JudgeCommand): Promise<void> {
  const objection = findCommandObjection(asked, context, judge);
  if (objection === undefined) return;
  const verdict = await askObjection(() => findCommandObjection(asked, context, judge), context, objection);
  if (!verdict.allow) throw new ToolRefusal(objection.refusal(verdict.reason));
}

/** Asks about what stands against a command. A yes to files that have changed by then is none. */
export async function askObjection(
  find: () => RequiredConsent | undefined,
  { approve }: Pick<ToolContext, 'approve'>,
  objection = find(),
): Promise<ApprovalVerdict> {
  if (objection === undefined) return { allow: true, by: 'nobody: there is nothing to ask about' };
  const verdict = await approve(objection.action);
  if (!verdict.allow || objection.action.read === undefined) return verdict;
  const now = find();
  if (now === undefined || !isSameApprovalRequest(now.action, objection.action))
    throw new ToolRefusal(
      'Not run: a file it would run changed while consent was asked for. Look at it, and ask again with the file as it is to stay.',
    );
  return verdict;
}
