import type { JudgeCommand } from '../../../../contracts/safety.ts';
import { isSameApprovalRequest, type RequiredConsent } from '../../../../contracts/consent.ts';
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
  const answer = await context.approve(objection.action);
  if (!answer.allow) throw new ToolRefusal(objection.refusal(answer.reason));
  if (objection.action.read === undefined) return;
  const now = findCommandObjection(asked, context, judge);
  if (now === undefined || !isSameApprovalRequest(now.action, objection.action))
    throw new ToolRefusal(
      'Not run: a file it would run changed while consent was asked for. Look at it, and ask again with the file as it is to stay.',
    );
}
