import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { PairingEntry } from '../contracts/services/pairing.ts';
import { findSession, SESSION_REF } from './find-session.ts';

/** Whoever lets people in speaks for the owner, so none of this is for an agent or a guest. */
const FACTS = { category: 'safety', where: ['shell', 'terminal', 'chat'], whileBusy: 'run', ownerOnly: true, needs: ['pairing'] } as const;
const PLATFORM = { kind: 'text', required: true, description: 'the platform, such as telegram' } as const;

export const pairingList = defineCommand({
  ...FACTS,
  slash: ['pairing', 'pairing list'],
  name: 'pairing list',
  summary: 'List people who may talk to the agent in chats, and those who ask for it',
  json: 'one JSON array',
  examples: ['hermes pairing list', "hermes pairing list --json | jq -r '.[].user_id'"],
  run: (_values, { pairing }) => pairing.list(),
  describe: (rows) => rows.map(describeRow).join('\n') || 'Nobody is paired, and nobody asks for it.',
});

function describeRow({ state, platform, userId, name, id, expiresInMs = 0 }: PairingEntry): string {
  const who = [userId, name === undefined ? undefined : `“${name}”`].flatMap((part) => part ?? []).join(' ');
  const minutes = `${Math.max(1, Math.round(expiresInMs / 60_000))} min left`;
  const rest = { paired: '', pending: `, ${minutes}; request ${id ?? ''}`, invited: `a code nobody has used yet, ${minutes}` }[state];
  return toVisibleLine(`${state}  ${platform}  ${who}${rest}`);
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
    const result = await pairing.approve(platform.toLowerCase(), code);
    if (result.type === 'approved') return result.person;
    if (result.type === 'locked')
      throw new UsageError(
        `too many wrong codes were given for ${toVisibleLine(platform)}, so no code is taken for ${describeWait(result.waitMs)}. The id of a request works all the same; hermes pairing list shows it.`,
      );
    throw new UsageError(
      `no pending request on ${toVisibleLine(platform)} has this code: it may be mistyped, used or older than an hour. hermes pairing list shows the requests there are.`,
    );
  },
  describe: ({ platform, userId, name }) =>
    toVisibleLine(`${name === undefined ? userId : `${userId} “${name}”`} can talk to the agent on ${platform} now.`),
});

export const pairingRevoke = defineCommand({
  ...FACTS,
  name: 'pairing revoke',
  summary: 'Take back the permission of a paired person',
  arguments: { platform: PLATFORM, user: { kind: 'text', required: true, description: 'the user id, as hermes pairing list shows it' } },
  json: 'as JSON',
  examples: ['hermes pairing revoke telegram 123456789'],
  run: async ({ platform, user }, { pairing }) => {
    if (!(await pairing.revoke(platform.toLowerCase(), user)))
      throw new UsageError(
        `${toVisibleLine(user)} is not paired on ${toVisibleLine(platform)}. hermes pairing list shows who is; people on a list of allowed users are removed there.`,
      );
    return { platform: platform.toLowerCase(), userId: user };
  },
  describe: ({ platform, userId }) => toVisibleLine(`${userId} can no longer talk to the agent on ${platform}.`),
});

/** The other way round: the owner hands out a code. In a chat it is one for that platform. */
export const pairingInvite = defineCommand({
  ...FACTS,
  slash: ['pair'],
  name: 'pairing invite',
  summary: 'Make a pairing code for somebody to send to the agent',
  arguments: { platform: { kind: 'text', description: 'the platform; in a chat its own when left out' } },
  options: { session: { kind: 'text', description: SESSION_REF.description, session: '' } },
  json: 'as JSON',
  examples: ['hermes pairing invite telegram'],
  needs: ['pairing', 'store'],
  run: async ({ platform: named, session: ref }, { pairing, store }, { place }) => {
    const platform = named?.toLowerCase() ?? (place === 'chat' && ref !== undefined ? (await findSession(ref, store)).platform : undefined);
    if (platform === undefined) throw new UsageError('name the platform the person uses, as in: hermes pairing invite telegram');
    const result = await pairing.invite(platform);
    if (result.type !== 'offered') throw new UsageError(`${INVITE_REFUSALS[result.type]} Try again in ${describeWait(result.waitMs)}.`);
    return { platform, code: result.code };
  },
  describe: ({ platform, code }) =>
    `Pairing code: ${code}. Give it to the person; they send it to the agent in a private message on ${toVisibleLine(platform)} within an hour.`,
});
const INVITE_REFUSALS = {
  too_soon: 'a code was made a moment ago.',
  too_many: 'there are already as many unused codes as there can be; hermes pairing list shows them.',
  locked: 'too many wrong codes were given, so pairing is locked.',
} as const;

const describeWait = (ms: number): string => `${Math.max(1, Math.ceil(ms / 60_000))} min`;
