import type { AnyCommand } from '../../../contracts/command.ts';
import { listSlashNames } from '../../../commands/registry.ts';

/**
 * Commands that guests may use, each with the reason. All others are for owners: a command that is added, by us or by
 * somebody else, is the owner's until it stands here or in the settings.
 */
const GUEST_COMMANDS: Readonly<Record<string, string>> = {
  help: 'tells what can be typed',
  whoami: 'tells the person who they are here',
  version: 'tells nothing of the owner',
  status: 'tells of this chat’s own session',
  context: 'tells of this chat’s own session',
  new: 'leaves this chat’s own session; it stays stored',
  stop: 'ends only the turn of this chat, and nobody should have to watch it go wrong',
  steer: 'is a message',
  queue: 'is a message',
  btw: 'is a question, answered without tools',
};

/** Whether a guest may use a command. What is the owner's alone stays so, whatever the settings add. */
export function isGuestCommand(
  command: Pick<AnyCommand, 'name' | 'aliases' | 'slash' | 'ownerOnly'>,
  added: readonly string[] = [],
): boolean {
  if (command.ownerOnly === true) return false;
  return Object.hasOwn(GUEST_COMMANDS, command.name) || listSlashNames(command).some((name) => added.includes(name));
}

/** What a guest reads who typed another. */
export const describeRefusedCommand = (name: string): string =>
  `/${name} is for the owner of this agent. /help lists what you can use here.`;
