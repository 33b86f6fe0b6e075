import type { JudgeCommand } from '../../../contracts/safety.ts';
import { ToolRefusal, type ToolContext } from '../../../contracts/tool.ts';

export interface Asked {
  readonly tool: string;
  readonly command: string;
  readonly cwd: string;
  /** What is asked about, where it is more than the command: what it is told to. */
  readonly summary?: string;
}

/** Refused commands end here whatever the owner allowed; those that need consent are asked for. */
export async function consent({ tool, command, cwd, summary = command }: Asked, context: ToolContext, judge: JudgeCommand): Promise<void> {
  const { terminal } = context;
  const judged = () => judge(command, { cwd, home: terminal.files.home, carried: terminal.carried?.() });
  const verdict = judged();
  if (verdict.type === 'fine') return;
  if (verdict.type === 'refuse') throw new ToolRefusal(`Not run, and nobody can allow it: ${verdict.reason}.`);
  const { type: _, ...why } = verdict;
  const answer = await context.approve({ tool, summary, cwd, ...why });
  if (!answer.allow) throw new ToolRefusal(`Not run: ${verdict.reason}, and ${answer.reason}`);
  if (verdict.read === undefined) return;
  const now = judged();
  if (now.type !== 'ask' || now.key !== verdict.key || JSON.stringify(now.read) !== JSON.stringify(verdict.read))
    throw new ToolRefusal(
      'Not run: a file it would run changed while consent was asked for. Look at it, and ask again with the file as it is to stay.',
    );
}
