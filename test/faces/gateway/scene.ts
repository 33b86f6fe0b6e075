import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHomeGateway } from '../../../src/app/gateway/open.ts';
import { loadConfig } from '../../../src/app/config/config.ts';
import { openHost } from '../../../src/app/open-host.ts';
import { createApprovalService } from '../../../src/app/services/approvals.ts';
import { snapshotRegistries } from '../../../src/app/tools/registries.ts';
import { resolveHome } from '../../../src/base/home.ts';
import type { GatewayStore } from '../../../src/contracts/gateway-store.ts';
import type { Host, SessionOptions } from '../../../src/contracts/host.ts';
import type { AdapterOptions, PlatformKind } from '../../../src/contracts/platform-adapter.ts';
import type { GatewayAccount } from '../../../src/faces/gateway/accounts/account.ts';
import { readAccounts } from '../../../src/faces/gateway/accounts/accounts.ts';
import type { Gateway, GatewayOptions } from '../../../src/faces/gateway/runner/contract.ts';
import { openBlobs } from '../../../src/parts/store/blobs.ts';
import { telegram } from '../../../src/platforms/telegram/index.ts';
import { scriptedProvider, type Script } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';
import { openInProcess } from './in-process.ts';
import { telegramStage, type TelegramStage } from '../../testing/platforms/telegram/stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-gateway-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A gateway of a home, a Telegram server with people behind it, and a scripted model. */
export interface GatewayScene extends AsyncDisposable {
  readonly stage: TelegramStage;
  readonly root: string;
  readonly log: readonly string[];
  host(): Host;
  gateway(): Gateway;
  /** Closes the gateway as a stop does, and starts it again; `meanwhile` happens in between. */
  restart(meanwhile?: () => void): Promise<void>;
  /** What our bot has said in the private chat, in order. */
  said(): readonly string[];
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
}
/** Less than a test may take, so that one that waits in vain says what it saw. */
const MAX_WAIT_MS = 60_000;

export interface GatewaySceneOptions {
  readonly script: Script;
  /** Lines of `config.yaml`; those set in by four blanks are Telegram's. */
  readonly config?: string | ((stage: TelegramStage) => string);
  readonly session?: Partial<SessionOptions>;
  readonly overrides?: Partial<GatewayOptions>;
  /** Who may speak; the person of the private chat when left out. */
  readonly allowed?: (id: number) => string;
  /** Files of the home before the gateway starts, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the gateway gets in place of its store; for one that breaks in the middle. */
  readonly breakStore?: (store: GatewayStore) => Partial<GatewayStore>;
  /** Telegram without the limits it sets on calls, for a story of many short answers. */
  readonly isUnlimited?: true;
  /** Platforms besides Telegram, and what their adapters are offered. */
  readonly more?: readonly PlatformKind[];
  readonly offers?: (host: Host, account: GatewayAccount, root: string) => Omit<AdapterOptions, 'settings' | 'log'>;
  /** Variables besides. */
  readonly env?: (stage: TelegramStage) => Readonly<Record<string, string>>;
}

function withBrokenStore(host: Host, breakStore: (store: GatewayStore) => Partial<GatewayStore>): Host {
  const gateway: GatewayStore = { ...host.store.gateway, ...breakStore(host.store.gateway) };
  const store = new Proxy(host.store, {
    get: (target, name, receiver): unknown => (name === 'gateway' ? gateway : Reflect.get(target, name, receiver)),
  });
  return { ...host, store };
}

const UNLIMITED = { ...telegram, traits: { ...telegram.traits, rates: [] } };

export async function openScene(options: GatewaySceneOptions): Promise<GatewayScene> {
  const stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const root = mkdtempSync(join(folder, 'home-'));
  writeFileSync(
    join(root, 'config.yaml'),
    `platforms:\n  telegram:\n    extra:\n      base_url: ${server.baseUrl}\n${typeof options.config === 'function' ? options.config(stage) : (options.config ?? '')}`,
  );
  for (const [path, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const env = {
    ...options.env?.(stage),
    HERMES_HOME: root,
    TELEGRAM_BOT_TOKEN: bot.token,
    TELEGRAM_ALLOWED_USERS: options.allowed?.(ann.id) ?? String(ann.id),
  };
  const provider = scriptedRoute(scriptedProvider(options.script));
  const log: string[] = [];
  let running = await start();
  async function start(): Promise<{ readonly host: Host; readonly gateway: Gateway }> {
    const home = resolveHome(env);
    const opened = await openHost({ env, home });
    const host = options.breakStore === undefined ? opened : withBrokenStore(opened, options.breakStore);
    const { settings } = await loadConfig(home.config, env, () => {});
    const gateway = await openHomeGateway({
      host,
      root,
      settings,
      env,
      accounts: readAccounts(settings, env, [options.isUnlimited === true ? UNLIMITED : telegram, ...(options.more ?? [])]).accounts.filter(
        ({ enabled }) => enabled,
      ),
      openAdapter: (account) =>
        openInProcess(account.kind, account.settings, (words) => log.push(words), options.offers?.(host, account, root)),
      approvals: await createApprovalService(
        { processEnv: env, notice: () => {}, registered: snapshotRegistries(host.registries) },
        async () => host.store,
      ),
      blobs: openBlobs(join(root, 'blobs')),
      owner: 'test',
      log: (words) => log.push(words),
      session: { provider, mcp: false, ...options.session },
      ...(options.overrides !== undefined && { overrides: options.overrides }),
    });
    return { host, gateway };
  }
  const stop = async (): Promise<void> => {
    await running.gateway[Symbol.asyncDispose]();
    await running.host[Symbol.asyncDispose]();
  };
  const said = (): readonly string[] => server.log.visible(dm).flatMap(({ from, text }) => (from === bot.id ? [text] : []));
  return {
    stage,
    root,
    log,
    host: () => running.host,
    gateway: () => running.gateway,
    restart: async (meanwhile) => {
      await stop();
      meanwhile?.();
      running = await start();
    },
    said,
    until: async (isSo) => {
      for (const since = Date.now(); !(await isSo()); await sleep(10))
        if (Date.now() - since > MAX_WAIT_MS) throw new Error(`It never came to be. The bot said: ${JSON.stringify(said())}`);
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await stage[Symbol.asyncDispose]();
    },
  };
}
