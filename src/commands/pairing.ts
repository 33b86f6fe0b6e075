import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import type { AccountRef } from '../contracts/gateway-store.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { PairingEntry } from '../contracts/services/pairing.ts';

/** Whoever lets people in speaks for the owner, so none of this is for an agent or a guest. */
const FACTS = { category: 'safety', where: ['shell', 'terminal', 'chat'], whileBusy: 'run', ownerOnly: true, needs: ['pairing'] } as const;
const PLATFORM = {
  kind: 'text',
  required: true,
  description: 'the platform, such as telegram, or telegram:NAME for another account than main',
} as const;

/** `telegram`, or `telegram:work` where there are several accounts. */
function readAccount(words: string): AccountRef {
  const [platform = '', account = '', ...more] = words.split(':');
  if (platform === '' || more.length > 0)
    throw new UsageError(`${toVisibleLine(words)} is no platform: write telegram, or telegram:NAME for another account than main.`);
  return { platform: platform.toLowerCase(), account: account === '' ? 'main' : account };
}
/** Codes and ids of people are for the owner alone. */
function refuseWhereOthersRead(name: string, { othersRead = false }: Pick<CommandContext, 'othersRead'>): void {
  if (othersRead) throw new UsageError(`others can read this chat, and ${name} shows what is only for you. Send it to me in private.`);
}
const nameAccount = ({ platform, account }: AccountRef): string => toVisibleLine(account === 'main' ? platform : `${platform}:${account}`);

export const pairingList = defineCommand({
  ...FACTS,
  slash: ['pairing', 'pairing list'],
  name: 'pairing list',
  summary: 'List people who may talk to the agent in chats, and those who ask for it',
  json: 'one JSON array',
  examples: ['hermes pairing list', "hermes pairing list --json | jq -r '.[].user_id'"],
  run: (_values, { pairing }, context) => {
    refuseWhereOthersRead('/pairing', context);
    return pairing.list();
  },
  describe: (rows) => rows.map(describeRow).join('\n') || 'Nobody is paired, and nobody is waiting for your approval.',
});

function describeRow({ state, userId, name, id, expiresInMs = 0, ...account }: PairingEntry): string {
  const who = [userId, name === undefined ? undefined : `“${name}”`].flatMap((part) => part ?? []).join(' ');
  const minutes = `${Math.max(1, Math.round(expiresInMs / 60_000))} min left`;
  const rest = { paired: '', pending: `, ${minutes}; request ${id ?? ''}`, invited: `a code nobody has used yet, ${minutes}` }[state];
  return toVisibleLine(`${state}  ${nameAccount(account)}  ${who}${rest}`);
}

export const pairingApprove = defineCommand({
  ...FACTS,
  name: 'pairing approve',
  summary: 'Let a person talk to the agent who got a pairing code',
  arguments: {
    platform: PLATFORM,
    code: { kind: 'text', required: true, description: 'the code the person told you, or the id of the request' },
  },
  json: 'as JSON',
  examples: ['hermes pairing approve telegram ABCD2345'],
  run: async ({ platform, code }, { pairing }) => {
    const result = await pairing.approve(readAccount(platform), code);
    if (result.type === 'approved') return { ...result.person, hasOwner: result.hasOwner };
    if (result.type === 'locked')
      throw new UsageError(
        `too many wrong codes were given for ${toVisibleLine(platform)}, so no code is taken for ${describeWait(result.waitMs)}. The id of a request works all the same; hermes pairing list shows it.`,
      );
    throw new UsageError(
      `no pending request on ${toVisibleLine(platform)} has this code: it may be mistyped, used or older than an hour. hermes pairing list shows the requests there are.`,
    );
  },
  describe: ({ userId, name, hasOwner, ...account }) =>
    [
      `${name === undefined ? userId : `${userId} “${name}”`} can talk to the agent on ${nameAccount(account)} now.`,
      ...(hasOwner ? [] : [`No owner is named there yet. If this is you: ${describeSetOwner(account, userId)}`]),
    ]
      .map(toVisibleLine)
      .join('\n'),
});
/** Setup knows the main account alone. */
const describeSetOwner = ({ platform, account }: AccountRef, userId: string): string =>
  account === 'main'
    ? `hermes gateway setup --platform ${platform} --owner ${userId}`
    : `set platforms.${platform}.accounts.${account}.owners to ${userId} with hermes config edit`;

export const pairingRevoke = defineCommand({
  ...FACTS,
  name: 'pairing revoke',
  summary: 'Take back the permission of a paired person',
  arguments: { platform: PLATFORM, user: { kind: 'text', required: true, description: 'the user id, as hermes pairing list shows it' } },
  json: 'as JSON',
  examples: ['hermes pairing revoke telegram 123456789'],
  run: async ({ platform, user }, { pairing }) => {
    const account = readAccount(platform);
    if (!(await pairing.revoke({ ...account, userId: user })))
      throw new UsageError(
        `${toVisibleLine(user)} is not paired on ${toVisibleLine(platform)}. hermes pairing list shows who is; people on a list of allowed users are removed there.`,
      );
    return { ...account, userId: user };
  },
  describe: ({ userId, ...account }) => toVisibleLine(`${userId} can no longer talk to the agent on ${nameAccount(account)}.`),
});

/** The other way round: the owner hands out a code. In a chat it is one for the account it was asked for. */
export const pairingInvite = defineCommand({
  ...FACTS,
  slash: ['pair'],
  name: 'pairing invite',
  summary: 'Make a pairing code for somebody to send to the agent',
  arguments: { platform: { kind: 'text', description: `${PLATFORM.description}; in a chat its own when left out` } },
  json: 'as JSON',
  examples: ['hermes pairing invite telegram'],
  run: async ({ platform: named }, { pairing }, context) => {
    refuseWhereOthersRead('/pair', context);
    const { chat } = context;
    const own = chat && { platform: chat.platform, account: chat.account };
    const account = named === undefined ? own : readAccount(named);
    if (account === undefined) throw new UsageError('name the platform the person uses, as in: hermes pairing invite telegram');
    const result = await pairing.invite(account);
    if (result.type !== 'offered') throw new UsageError(`${INVITE_REFUSALS[result.type]} Try again in ${describeWait(result.waitMs)}.`);
    return { ...account, code: result.code };
  },
  describe: ({ code, ...account }) =>
    `Pairing code: ${code}. Give it to the person; they send it to the agent in a private message on ${nameAccount(account)} within an hour.`,
});
const INVITE_REFUSALS = {
  too_soon: 'a code was made a moment ago.',
  too_many: 'there are already as many unused codes as there can be; hermes pairing list shows them.',
  locked: 'too many wrong codes were given, so pairing is locked.',
} as const;

const describeWait = (ms: number): string => `${Math.max(1, Math.ceil(ms / 60_000))} min`;
