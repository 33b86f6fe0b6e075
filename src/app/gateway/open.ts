import { isUtf8 } from 'node:buffer';
import { systemClock } from '../../base/clock.ts';
import type { Env } from '../../base/env.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { Blobs } from '../../contracts/blobs.ts';
import type { AccountRef } from '../../contracts/gateway-store.ts';
import type { Host, SessionOptions } from '../../contracts/host.ts';
import type { ApprovalService } from '../../contracts/services/owner.ts';
import { offerStranger, readStrangersCode } from '../../faces/gateway/access/strangers.ts';
import { openAccountBook, type AccountBook } from '../../faces/gateway/accounts/account-book.ts';
import type { GatewayAccount } from '../../faces/gateway/accounts/account.ts';
import { readTimeZone } from '../../faces/gateway/accounts/time-zone.ts';
import { startBootTurn } from '../../faces/gateway/chats/boot.ts';
import { selectResetPolicy } from '../../faces/gateway/chats/reset.ts';
import { selectSessionOptions } from '../../faces/gateway/chats/session-options.ts';
import { tellMoved } from '../../faces/gateway/chats/tell-moved.ts';
import { createChatSession, findSeenReceived } from '../../faces/gateway/chats/workspace.ts';
import { isGuestCommand } from '../../faces/gateway/commands/guest-commands.ts';
import type { WriteLog } from '../../faces/gateway/contract.ts';
import type { AdapterHandle } from '../../faces/gateway/link/contract.ts';
import { findOwner } from '../../faces/gateway/questions/find-owner.ts';
import type { ReceivedLimits } from '../../faces/gateway/receive/prune-received.ts';
import { createMessageReader, type MessageReaderDeps } from '../../faces/gateway/receive/read-message.ts';
import type { AppliedAccounts, Gateway, GatewayOptions } from '../../faces/gateway/runner/contract.ts';
import { openGateway } from '../../faces/gateway/runner/gateway.ts';
import { decideDispatch } from '../../parts/hooks/decide-dispatch.ts';
import { openHooks } from '../../parts/hooks/hooks.ts';
import { loadModels } from '../../parts/providers/models.ts';
import { isWalledHere } from '../../parts/terminals/sandbox/known.ts';
import { openTranscription } from '../../parts/stt/transcribe.ts';
import { attachText } from '../../parts/tools/attached-text.ts';
import { detectBinaryKind, SNIFFED } from '../../parts/tools/builtin/files/sniff.ts';
import type { Settings } from '../config/config.ts';
import { createSkillReader } from './task-skills.ts';

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

const DAY_MS = 86_400_000;
/** How long hooks that run get to end when a gateway closes. */
const HOOKS_CLOSE_MS = 1_000;

/** What of a home can be set anew while its gateway runs. */
export type HomeSettings = Pick<HomeGatewayDeps, 'settings' | 'env' | 'accounts'>;
export interface HomeGateway extends Gateway {
  /** The settings were read again: what can be changed without a new start holds from now on. */
  reload(next: HomeSettings): Promise<AppliedAccounts>;
}
/** The settings of a home are looked up each time: they may have been read again since. */
interface LiveHome extends Omit<HomeGatewayDeps, 'accounts'> {
  settings: Settings;
  env: Env;
  readonly accounts: AccountBook;
}

/** Joins the parts to a gateway and starts it, with the hooks and the start-up turn of its home. */
export async function openHomeGateway(deps: HomeGatewayDeps): Promise<HomeGateway> {
  const { host, root, log } = deps;
  const hooks = openHooks({ root, store: host.store, log });
  const onClosed = async (): Promise<void> => {
    await waitAtMost(hooks.idle(), HOOKS_CLOSE_MS);
    await hooks[Symbol.asyncDispose]();
  };
  const parts: LiveHome = { ...deps, accounts: await openAccountBook(deps.accounts, host.store.gateway) };
  const gateway = await openGateway({ onClosed, ...gatewayOptions(parts, hooks.emit) });
  const accounts = parts.accounts.all();
  hooks.emit('gateway:startup', { platforms: listPlatforms(accounts) });
  await startBootTurn({ host, root, accounts, gateway, log }).catch((error: unknown) => log(`BOOT.md failed: ${toErrorMessage(error)}`));
  const reload = (next: HomeSettings): Promise<AppliedAccounts> => {
    Object.assign(parts, { settings: next.settings, env: next.env });
    return gateway.replaceAccounts(next.accounts);
  };
  return Object.assign(gateway, { reload });
}

function gatewayOptions(parts: LiveHome, emit: GatewayOptions['emit']): GatewayOptions {
  const { host, root, accounts, openAdapter, approvals, blobs, owner, log } = parts;
  const store = host.store.gateway;
  const findConfig = accounts.find;
  const ownerNear = (from: AccountRef) => findOwner(from, { store, accounts: accounts.all() });
  return {
    host,
    root,
    emit,
    accounts,
    openAdapter,
    approvals,
    blobs,
    owner,
    clock: systemClock,
    log,
    commands: {},
    isForGuests: (command, { target }) => isGuestCommand(command, findConfig(target)?.guestCommands),
    redeem: (account, event) => readStrangersCode(store, account, event),
    answerStranger: (account, row) => offerStranger(store, account, row),
    findOwner: ({ target }) => ownerNear(target),
    onMoved: (from, to) => {
      const { env, settings } = parts;
      return tellMoved(from, to, { store, accounts, platforms: settings.platforms, env, root, findOwner: ownerNear, log });
    },
    decideDispatch: (message) => decideDispatch(message, host.hooks.current()),
    newSession: async ({ ref }, _event, routeKey) => createChatSession(root, ref, routeKey),
    readMessage: createMessageReader(describeHome(parts)),
    resets: {
      policyOf: ({ target, chat }) => selectResetPolicy(parts.settings, target.platform, chat.type),
      get timeZone() {
        return readTimeZone(parts.settings).zone;
      },
    },
    receivedLimits: () => describeReceivedLimits(parts.settings),
    sessionOptions: async (session, route) => ({
      ...parts.session,
      ...selectSessionOptions(session, route, { findConfig, isWalled: await isWalledHere(parts.settings['terminal.backend'], root) }),
    }),
    ...parts.overrides,
  };
}

const describeReceivedLimits = (settings: Settings): ReceivedLimits => ({
  maxAgeMs: settings['gateway.received_days'] * DAY_MS,
  maxBytes: settings['gateway.received_mb'] * 1_000_000,
});

/** What every message of this home is read with. */
function describeHome(parts: LiveHome): MessageReaderDeps {
  const { root, settings, env } = parts;
  const transcribe = openTranscription(settings, env);
  const terminal = { backend: settings['terminal.backend'], isMounted: settings['terminal.docker_mount_cwd_to_workspace'] };
  return {
    root,
    get facts() {
      const accounts = parts.accounts.all();
      return {
        platforms: listPlatforms(accounts),
        machines: accounts.flatMap(({ platform, kind }) => (kind.traits.isMachine === true ? [platform] : [])),
        homeChannels: accounts.flatMap(({ platform, homeChannel }) => (homeChannel === undefined ? [] : [{ platform, ...homeChannel }])),
        redactPii: parts.settings['privacy.redact_pii'],
      };
    },
    get limits() {
      return { maxFiles: parts.settings['gateway.max_files'], maxBytes: parts.settings['gateway.max_file_mb'] * 1_048_576 };
    },
    seenAs: (workspace) => findSeenReceived(workspace, terminal),
    attachText: async (name, bytes) =>
      isUtf8(bytes) && detectBinaryKind(bytes.subarray(0, SNIFFED)) === undefined ? attachWords(name, bytes.toString('utf8')) : undefined,
    attachWords,
    seesImages: ({ provider, model }) => loadModels().card(provider, model)?.images !== false,
    clock: systemClock,
    readSkills: createSkillReader({ root, settings, env, log: parts.log }),
    ...(transcribe !== undefined && { transcribe }),
  };
}

/** All of it: what comes in a chat was cut to size before. */
const attachWords: MessageReaderDeps['attachWords'] = (name, text) => attachText({ name, text }, '', { keep: async (result) => result });

const listPlatforms = (accounts: readonly GatewayAccount[]): readonly string[] => [...new Set(accounts.map(({ platform }) => platform))];
