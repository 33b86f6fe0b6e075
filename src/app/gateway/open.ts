import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { Env } from '../../base/env.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { sha256 } from '../../base/sha256.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import type { AccountRef, Route } from '../../contracts/gateway-store.ts';
import type { Host, SessionOptions } from '../../contracts/host.ts';
import type { ApprovalService } from '../../contracts/services/owner.ts';
import type { Session } from '../../contracts/session-store.ts';
import { hasLocalFiles } from '../../contracts/terminal.ts';
import { isOwnersChat, selectToolsets } from '../../faces/gateway/access.ts';
import type { GatewayAccount } from '../../faces/gateway/accounts.ts';
import { isSameAccount, type WriteLog } from '../../faces/gateway/contract.ts';
import { openGateway, type Gateway, type GatewayOptions } from '../../faces/gateway/gateway.ts';
import { isGuestCommand } from '../../faces/gateway/guest-commands.ts';
import type { AdapterHandle } from '../../faces/gateway/link/contract.ts';
import { openTranscription } from '../../parts/stt/transcribe.ts';
import type { Settings } from '../config/config.ts';
import { createMessageReader, type MessageReaderDeps } from './read-message.ts';
import { openHooks } from '../../parts/hooks/hooks.ts';
import { BOOT_OPTIONS, BOOT_SOURCE, startBootTurn } from '../../faces/gateway/boot.ts';
import { offerStranger, redeemStrangersCode } from '../../faces/gateway/strangers.ts';

/** What a gateway of a home stands on. */
export interface HomeGatewayDeps {
  readonly host: Host;
  /** The profile's folder. */
  readonly root: string;
  readonly settings: Settings;
  readonly env: Env;
  readonly accounts: readonly GatewayAccount[];
  readonly openAdapter: (account: GatewayAccount) => Promise<AdapterHandle>;
  readonly approvals: ApprovalService;
  readonly blobs: Blobs;
  /** Who works here: this process and nobody else. */
  readonly owner: string;
  readonly log: WriteLog;
  /** What every session of a chat has besides; a model of a test's own. */
  readonly session?: Partial<SessionOptions>;
  readonly overrides?: Partial<GatewayOptions>;
}

/** How long hooks that run get to end when a gateway closes. */
const HOOKS_CLOSE_MS = 1_000;

/** Joins the parts to a gateway and starts it, with the hooks and the start-up turn of its home. */
export async function openHomeGateway(deps: HomeGatewayDeps): Promise<Gateway> {
  const { host, root, accounts, log } = deps;
  const hooks = openHooks({ root, store: host.store, log });
  const onClosed = async (): Promise<void> => {
    await waitAtMost(hooks.idle(), HOOKS_CLOSE_MS);
    await hooks[Symbol.asyncDispose]();
  };
  const gateway = await openGateway({ onClosed, ...gatewayOptions(deps, hooks.emit) });
  hooks.emit('gateway:startup', { platforms: [...new Set(accounts.map(({ platform }) => platform))] });
  await startBootTurn({ host, root, accounts, gateway, log }).catch((error: unknown) => log(`BOOT.md failed: ${toErrorMessage(error)}`));
  return gateway;
}

function gatewayOptions(deps: HomeGatewayDeps, emit: GatewayOptions['emit']): GatewayOptions {
  return {
    host: deps.host,
    root: deps.root,
    emit,
    accounts: deps.accounts,
    openAdapter: deps.openAdapter,
    approvals: deps.approvals,
    blobs: deps.blobs,
    owner: deps.owner,
    clock: systemClock,
    log: deps.log,
    commands: {},
    isForGuests: (command, { target }) => isGuestCommand(command, findConfig(deps, target)?.guestCommands),
    redeem: (account, event) => redeemStrangersCode(deps.host.store.gateway, account, event),
    answerStranger: (account, row) => offerStranger(deps.host.store.gateway, account, row),
    findOwner: (address) => findOwner(deps, address.target.platform),
    newSession: async ({ ref }, _event, routeKey) => ({
      source: 'gateway',
      platform: ref.platform,
      cwd: makeWorkspace(deps.root, ref.platform, routeKey),
      // Both are known with its first prompt.
      model: '',
      provider: '',
    }),
    readMessage: createMessageReader(describeHome(deps)),
    sessionOptions: async (session, route) => ({
      ...deps.session,
      ...(session.source === BOOT_SOURCE ? { platform: session.platform, ...BOOT_OPTIONS } : chatOptions(deps, session, route)),
    }),
    ...deps.overrides,
  };
}

/** What every message of this home is read with. */
function describeHome({ root, accounts, settings, env }: HomeGatewayDeps): MessageReaderDeps {
  const transcribe = openTranscription(settings, env);
  return {
    root,
    facts: {
      connected: [...new Set(accounts.map(({ platform }) => platform))],
      homeChannels: accounts.flatMap(({ platform, homeChannel }) => (homeChannel === undefined ? [] : [{ platform, ...homeChannel }])),
      redactPii: settings['privacy.redact_pii'],
    },
    limits: { maxFiles: settings['gateway.max_files'], maxBytes: settings['gateway.max_file_mb'] * 1_000_000 },
    seenAs: (folder) => findSeenFolder(folder, settings),
    clock: systemClock,
    ...(transcribe !== undefined && { transcribe }),
  };
}

function findSeenFolder(folder: string, settings: Settings): string | undefined {
  const backend = settings['terminal.backend'];
  if (hasLocalFiles(backend)) return folder;
  const isMounted = (backend === 'docker' || backend === 'singularity') && settings['terminal.docker_mount_cwd_to_workspace'];
  return isMounted ? '/workspace' : undefined;
}

/** Each chat has a folder of its own: what one leaves there no other sees. */
function makeWorkspace(root: string, platform: string, routeKey: string): string {
  const folder = join(root, 'workspaces', `${platform}-${sha256(routeKey).slice(0, 16)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

const findConfig = ({ accounts }: Pick<HomeGatewayDeps, 'accounts'>, ref: AccountRef): GatewayAccount | undefined =>
  accounts.find((account) => isSameAccount(account, ref));

function chatOptions(deps: HomeGatewayDeps, session: Session, route: Route | undefined): Partial<SessionOptions> {
  const account = route && findConfig(deps, route.target);
  const role = route?.facts['owner'] === true ? 'owner' : 'guest';
  const person = route?.facts['person'];
  const toolsets = account && route && selectToolsets(account.tools, route.chat, { id: typeof person === 'string' ? person : '' }, role);
  return {
    platform: session.platform,
    // What is the owner's stands only where the owner alone reads it.
    ...(!(route !== undefined && isOwnersChat(route.chat, role)) && { memory: false }),
    ...(toolsets !== undefined && { toolsets: limitUnwalledGuests(toolsets, deps) }),
  };
}

/** Without a wall guests have no commands and files, unless the owner named toolsets for them. */
const limitUnwalledGuests = (toolsets: readonly string[], { settings }: HomeGatewayDeps): readonly string[] =>
  settings['terminal.backend'] === 'local' && toolsets.includes('hermes-guest') ? ['web', 'vision', 'clarify'] : toolsets;

/** The chat of somebody who is an owner now and wrote before: on the platform it is asked from, else on any other. */
async function findOwner(deps: HomeGatewayDeps, platform: string) {
  const routes = (await deps.host.store.gateway.routes({})).filter(({ facts, chat, target }) => {
    const owners = findConfig(deps, target)?.access.owners ?? [];
    return chat.type === 'private' && owners.some((id) => id === facts['person']);
  });
  const own = routes.find(({ target }) => target.platform === platform) ?? routes[0];
  return own && { routeKey: own.key, target: own.target, senderId: '', role: 'owner' as const };
}
