import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { SendResultLine, SendTarget } from '../contracts/services/sends.ts';

/** For scripts. `ok: false` when it will not arrive. */
export const send = defineCommand({
  category: 'conversation',
  where: ['shell'],
  whileBusy: 'run',
  ownerOnly: true,
  name: 'send',
  summary: 'Send a message to a chat, through the gateway',
  arguments: {
    target: { kind: 'text', description: 'platform, platform:chat, platform:chat:thread or platform:#name' },
    text: { kind: 'text', prose: true, description: 'the message; - reads it from stdin' },
  },
  options: { list: { kind: 'flag', description: 'list the chats that are known, in place of sending' } },
  json: 'as JSON; with --list one JSON array',
  examples: ['hermes send telegram "The backup is done."', 'df -h | hermes send telegram:#servers -', 'hermes send --list'],
  needs: ['sends'],
  run: async ({ target, text, list }, { sends }, { readPiped, signal }): Promise<readonly SendTarget[] | SendResultLine> => {
    if (list === true) return sends.list();
    if (target === undefined || text === undefined)
      throw new UsageError('name a chat and give the text, as in: hermes send telegram "Done." To see the chats: hermes send --list');
    const words = text === '-' ? (readPiped?.() ?? '') : text;
    if (words.trim() === '') throw new UsageError('the message is empty. Give the text, or - and pipe it in.');
    return sends.send(target, words, signal);
  },
  describe: (result) => ('ok' in result ? describeSend(result) : result.map(describeTarget).join('\n') || NO_CHATS),
});

const NO_CHATS =
  'No chat is known yet. Chats appear here once somebody has written to the agent in them, and home channels once they are set.';
const describeTarget = ({ target, name, type, home }: SendTarget): string =>
  toVisibleLine([target, name, type, home ? 'home channel' : undefined].flatMap((part) => part ?? []).join('  '));

function describeSend({ state, target, running, why = '' }: SendResultLine): string {
  if (state === 'sent') return toVisibleLine(`Sent to ${target}.`);
  if (state === 'failed') return toVisibleLine(`Not sent to ${target}: ${why}`);
  return toVisibleLine(
    running
      ? `On its way to ${target}: the gateway sends it as soon as it can.`
      : `Kept for ${target}, for a day: no gateway runs. Start it with hermes gateway start, and it goes out.`,
  );
}
