import { UsageError } from '../../../base/errors.ts';
import { toVisibleLine } from '../../../base/visible.ts';
import type { ChatTarget } from '../../../contracts/gateway-store.ts';
import { isReadByOwnerAlone } from '../access/read-by-owner.ts';
import type { TypedCommand, GatewayCommand } from '../commands/typed-command.ts';
import { describeAccount, isSameAccount, nameAccount } from '../contract.ts';
import type { Gateway } from '../runner/contract.ts';
import { describeRefusedCommand, isGuestCommand } from '../commands/guest-commands.ts';

export interface OperationCommandDeps {
  /** Absent while it opens. */
  readonly gateway: () => Pick<Gateway, 'accounts' | 'setPaused' | 'listCommands'> | undefined;
  /** Commands that guests may use there besides. */
  readonly guestCommands: (target: ChatTarget) => readonly string[];
  /** Has the gateway end and start again, and the chat told when it is back; or throws why that cannot be. */
  readonly restart: (from: ChatTarget) => Promise<void>;
  /** Keeps a chat as the one for what belongs to no chat. Gives what wins over it, if anything does. */
  readonly setHome: (target: ChatTarget, name: string | undefined) => Promise<string | undefined>;
}

/** The commands that only a running gateway has. */
export function createOperationCommands(deps: OperationCommandDeps): Readonly<Record<string, GatewayCommand>> {
  return {
    restart: forOwner('restart', {
      summary: 'Restart the gateway; running turns get time to finish',
      run: async (_args, { address }) => {
        await deps.restart(address.target);
        return 'Restarting. I’ll tell you when I’m back.';
      },
    }),
    platform: forOwner('platform', {
      summary: 'List the platforms of the gateway, or pause and resume one: /platform pause telegram',
      run: (args, typed) => runPlatform(args, typed, deps),
    }),
    sethome: forOwner('sethome', {
      summary: 'Send results here that belong to no particular chat, such as those of scheduled work',
      run: async (_args, { address: { target }, route }) => {
        const winner = await deps.setHome(target, route?.chat.name);
        const words = `This chat is the home channel of ${target.platform} now.`;
        return winner === undefined ? words : `${words} But ${winner} is set and wins over it from the next start on: remove it from .env.`;
      },
    }),
    whoami: { summary: 'Show who you are to the agent here', run: async (_args, typed) => describePerson(typed) },
    commands: {
      summary: 'List the commands you can use here',
      run: async (_args, { address: { role, target } }) => {
        const rows = (await deps.gateway()?.listCommands()) ?? [];
        const mine = role === 'owner' ? rows : rows.filter(({ name }) => isForGuest(name, deps.guestCommands(target)));
        return mine.map(({ name, summary }) => `/${name}: ${summary}`).join('\n');
      },
    },
  };
}

const isForGuest = (name: string, added: readonly string[]): boolean => name === 'commands' || isGuestCommand({ name }, added);

const forOwner = (name: string, command: GatewayCommand): GatewayCommand => ({
  ...command,
  run: async (args, typed) => {
    if (typed.address.role !== 'owner') throw new UsageError(describeRefusedCommand(name));
    return command.run(args, typed);
  },
});

async function runPlatform(args: string, { address }: TypedCommand, { gateway: find }: OperationCommandDeps): Promise<string> {
  const [verb = 'list', name] = args.split(/\s+/).filter((word) => word !== '');
  const gateway = find();
  if (gateway === undefined) throw new UsageError('the gateway is still starting. Send it again in a moment.');
  const isPrivate = isReadByOwnerAlone(address);
  if (verb === 'list' && !isPrivate)
    throw new UsageError('/platform list shows how this agent is set up, and others can read this chat. Send it to me in private.');
  if (verb === 'list') return gateway.accounts.map(describeRow).join('\n');
  if ((verb !== 'pause' && verb !== 'resume') || name === undefined)
    throw new UsageError('use /platform list, /platform pause NAME or /platform resume NAME.');
  const found = gateway.accounts.find(({ ref }) => [describeAccount(ref), `${ref.platform}:${ref.account}`].includes(name.toLowerCase()));
  if (found === undefined)
    throw new UsageError(
      `there is no ${toVisibleLine(name)}.${isPrivate ? ` There are: ${gateway.accounts.map(({ ref }) => nameAccount(ref)).join(', ')}` : ''}`,
    );
  if (verb === 'pause' && isSameAccount(found.ref, address.target))
    throw new UsageError(
      'you write from this platform, and could not resume it here. Use hermes gateway stop in a terminal, or another platform.',
    );
  await gateway.setPaused(found.ref, verb === 'pause');
  return verb === 'pause'
    ? `${nameAccount(found.ref)} is paused until /platform resume ${nameAccount(found.ref)}, or the next start.`
    : `${nameAccount(found.ref)} is connecting.`;
}

function describeRow({ ref, state, isPaused }: Gateway['accounts'][number]): string {
  const why = 'why' in state && state.why !== undefined && !isPaused ? `: ${state.why}` : '';
  return toVisibleLine(`${nameAccount(ref)}: ${isPaused ? 'paused' : state.type}${why}`);
}

/** Where others read along, it says what the owner needs to know to let somebody do more, and nothing of how the agent is set up. */
function describePerson({ address, session }: TypedCommand): string {
  const { senderId, role, target, routeKey } = address;
  if (!isReadByOwnerAlone(address))
    return [
      role === 'owner' ? 'You are the owner.' : 'You are a guest: only the owner can use every command.',
      toVisibleLine(`User id: ${senderId} on ${target.platform}`),
      toVisibleLine(`Chat id: ${target.chatId}`),
    ].join('\n');
  return [
    'You are the owner.',
    `User id: ${toVisibleLine(senderId)} on ${describeAccount(target)}`,
    `Chat: ${toVisibleLine(routeKey)}`,
    ...(session === undefined ? [] : [`Session: ${session.id}`]),
  ].join('\n');
}
