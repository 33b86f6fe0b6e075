import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../../base/errors.ts';
import type { Host, SessionOptions } from '../../../contracts/host.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import { listNamed } from '../access/access.ts';
import type { GatewayAccount } from '../accounts/account.ts';
import type { ReplyAddress, WriteLog } from '../contract.ts';
import type { Conversations } from './conversations.ts';
import { findWorkspaces } from './workspace.ts';
import { writeAddress } from '../addresses/reply-address.ts';
import { findTargetRoute } from '../addresses/find-routes.ts';
import { buildSessionKey } from '../addresses/session-key.ts';

/** Who opened such a session. */
export const BOOT_SOURCE = 'hook';

/** A checklist, not a conversation: nothing of the project, nothing of what is remembered. */
export const BOOT_OPTIONS: Partial<SessionOptions> = {
  contextFiles: false,
  memory: false,
  maxSteps: 20,
  toolsets: ['terminal', 'file', 'web', 'browser', 'vision', 'todo', 'skills', 'code_execution', 'delegation', 'messaging'],
};

export interface BootDeps {
  readonly host: Host;
  /** The profile's folder. */
  readonly root: string;
  readonly accounts: readonly GatewayAccount[];
  readonly gateway: Pick<Conversations, 'wake'>;
  readonly log: WriteLog;
}

/**
 * Has the agent work through `BOOT.md`, once for each start of the gateway. A turn that an earlier start left unfinished is gone
 * on with in place of another one.
 */
export async function startBootTurn({ host, root, accounts, gateway, log }: BootDeps): Promise<void> {
  const words = readBootFile(root);
  if (words === '') return;
  const { store } = host;
  if ((await store.pending()).some(({ session }) => session.source === BOOT_SOURCE)) return;
  const cwd = join(findWorkspaces(root), 'boot');
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const home = await findHomeAddress(accounts, host);
  const platform = home?.target.platform ?? BOOT_SOURCE;
  const { id: sessionId } = await store.create({ source: BOOT_SOURCE, platform, cwd, model: '', provider: '', title: 'BOOT.md' });
  if (home === undefined) log(`BOOT.md is being worked through. No home channel is set, so its result stays in session ${sessionId}.`);
  await store.post({
    sessionId,
    content: [createTextBlock(toPrompt(words), 'owner')],
    mode: 'queue',
    origin: 'hook',
    key: 'boot',
    ...(home !== undefined && { replyTo: writeAddress(home) }),
  });
  gateway.wake(sessionId);
}

/** The checklist of a profile; empty when there is none. */
export function readBootFile(root: string): string {
  try {
    return readFileSync(join(root, 'BOOT.md'), 'utf8').trim();
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

const toPrompt = (words: string): string =>
  [
    'The gateway has just started. Work through this start-up checklist of your owner.',
    'Nobody is waiting in a chat: ask no questions. To tell somebody something on the way, use send_message.',
    'Your last message goes to the home channel. When there is nothing to report, answer with [SILENT] alone.',
    '',
    words,
  ].join('\n');

/** The first home channel there is. */
async function findHomeAddress(accounts: readonly GatewayAccount[], { store }: Host): Promise<ReplyAddress | undefined> {
  for (const { platform, account, homeChannel, access } of accounts) {
    if (homeChannel === undefined) continue;
    const { name: _name, ...place } = homeChannel;
    const target = { platform, account, ...place };
    const known = await findTargetRoute(store.gateway, target);
    const routeKey =
      known?.key ?? buildSessionKey(target, { ...place, type: listNamed(access).includes(place.chatId) ? 'private' : 'group' });
    return { routeKey, target, senderId: '', role: 'owner', unasked: true };
  }
  return undefined;
}
