import { toErrorMessage } from '../../../../base/errors.ts';
import { describeTaint, listTaintSources } from '../../../../contracts/message.ts';
import type { HeldChange } from '../../../../contracts/wall.ts';
import type { ToolContext } from '../../../../contracts/tool.ts';

/** Asks the owner about files that a command changed and that were put back, and tells the model what came of it. */
export async function settleHeldChanges(
  held: readonly HeldChange[] | undefined,
  command: string,
  context: ToolContext,
): Promise<readonly string[]> {
  if (held === undefined || held.length === 0) return [];
  const { taint } = context;
  const answer = await context.approve({
    tool: 'terminal',
    summary: [`changed by: ${command}`, ...held.map((change, at) => describe(change, at < MAX_SHOWN))].join('\n\n'),
    reason: [
      held.length === 1
        ? 'the command changed a file that other programs run automatically. The file was put back; a yes keeps the change'
        : 'the command changed files that other programs run automatically. They were put back; a yes keeps the changes',
      // Nobody else has asked whether it is their idea.
      ...(taint.length === 0
        ? []
        : [`This session has read ${describeTaint(taint)} (${listTaintSources(taint)}), and the text it read may have asked for this`]),
    ].join('. '),
    key: taint.length === 0 ? 'held_change' : 'held_change+foreign_words',
    // A yes to one setting or hook of git is none to the next: it is held to what is shown.
    ...(!held.some(({ what }) => what.startsWith('git ')) && { at: { held_change: held.map(({ path }) => path) } }),
    cwd: context.terminal.cwd,
  });
  const files = held.map(({ path, what, change }) => `- ${path} (${what}, ${change})`).join('\n');
  if (!answer.allow)
    return [
      `Other programs run or follow these files automatically, so they change only with the user's consent. They were put back as they were before the command:\n${files}\n` +
        `Why they were not kept: ${answer.reason.replace(/\.$/, '')}. Everything else the command did is in place. Do not try another way; if the change is needed, say so and let the user decide.`,
    ];
  const failed = await applyAll(held);
  return [
    `The user agreed to keep these changes:\n${files}`,
    ...failed.map(({ path, why }) => `${path} could not be changed after all: ${why}.`),
  ];
}

async function applyAll(held: readonly HeldChange[]): Promise<readonly { readonly path: string; readonly why: string }[]> {
  const failed = [];
  for (const change of held)
    try {
      await change.apply();
    } catch (error) {
      failed.push({ path: change.path, why: toErrorMessage(error) });
    }
  return failed;
}

/** Files whose change is shown; of the rest there are the names. */
const MAX_SHOWN = 20;
const describe = ({ path, what, change, preview }: HeldChange, isShown: boolean): string =>
  `${what} ${path} (${change})${isShown ? `\n${preview}` : ''}`;
