import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { CommandFollowUp, CommandHelp } from '../../../contracts/command.ts';
import { joinNonForeignText } from '../../../contracts/message.ts';

/** What an editor does by its own means: it opens, resumes and leaves sessions. */
const OF_THE_EDITOR: ReadonlySet<string> = new Set(['new', 'resume', 'quit', 'stop']);

export const toAvailableCommands = (commands: readonly CommandHelp[]): AvailableCommand[] =>
  commands
    // A name of two words cannot be chosen from a menu; it can be typed all the same.
    .filter(({ name }) => !OF_THE_EDITOR.has(name) && !name.includes(' '))
    .map(({ name, line, summary }) => {
      const hint = line.slice(`/${name}`.length).trim();
      return { name, description: summary, ...(hint !== '' && { input: { hint } }) };
    });

/** What a command asks of its face and only the editor can do, in words. */
export function describeFollowUp(step: CommandFollowUp | undefined): string {
  if (step?.type === 'open') return `Open session ${step.session.id} from the session list of your editor.`;
  if (step?.type === 'new') return 'Start a new session in your editor.';
  if (step?.type === 'edit') return `Your message was:\n\n${joinNonForeignText(step.message)}`;
  return '';
}
