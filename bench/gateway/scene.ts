import { join } from 'node:path';
import { loadConfig } from '../../src/app/config/config.ts';
import { openHomeGateway } from '../../src/app/gateway/open.ts';
import { openHost } from '../../src/app/open-host.ts';
import { createApprovalService } from '../../src/app/services/approvals.ts';
import { snapshotRegistries } from '../../src/app/tools/registries.ts';
import type { Env } from '../../src/base/env.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { GatewayStore } from '../../src/contracts/gateway-store.ts';
import type { Host } from '../../src/contracts/host.ts';
import type { Provider } from '../../src/contracts/provider.ts';
import { readAccounts } from '../../src/faces/gateway/accounts/accounts.ts';
import { openBlobs } from '../../src/parts/store/blobs.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';
import { openFakePlatform } from './fake-platform.ts';

/** A whole gateway over a real store, with a service and a model that take no time. */
export interface GatewayBench extends AsyncDisposable {
  /** Says something in a chat and waits for the receipt of its answer: the commit that says it was sent. */
  ask(chat: number, text?: string): Promise<void>;
}

export async function openGatewayBench(root: string): Promise<GatewayBench> {
  const env = { HERMES_HOME: root, ...BENCH_ENV };
  const host = await openHost({ env, home: resolveHome(env) });
  const { ask, [Symbol.asyncDispose]: close } = await openGatewayOn(host, env);
  return {
    ask,
    [Symbol.asyncDispose]: async () => {
      await close();
      await host[Symbol.asyncDispose]();
    },
  };
}

export const BENCH_ENV = { TELEGRAM_BOT_TOKEN: '1:bench', TELEGRAM_ALLOW_ALL_USERS: 'true' } as const;

/** The same on a host that is open, which others may use as well. */
export async function openGatewayOn(host: Host, env: Env & { readonly HERMES_HOME: string }): Promise<GatewayBench> {
  const root = env.HERMES_HOME;
  const asked = new Map<string, () => void>();
  const platform = openFakePlatform();
  const { settings } = await loadConfig(resolveHome(env).config, env, () => {});
  const gateway = await openHomeGateway({
    host: withReceipts(host, (chatId) => asked.get(chatId)?.()),
    settings,
    env,
    root,
    accounts: readAccounts(settings, env, [platform.kind]).accounts,
    openAdapter: async () => ({ adapter: platform.adapter, failed: new Promise(() => {}), terminate: async () => {} }),
    approvals: await createApprovalService(
      { processEnv: env, notice: () => {}, registered: snapshotRegistries(host.registries) },
      async () => host.store,
    ),
    blobs: openBlobs(join(root, 'blobs')),
    owner: 'bench',
    log: (words) => console.error(words),
    session: { provider: scriptedRoute(promptModel()), mcp: false },
  });
  return {
    ask: (chat, text = `How are you, number ${chat}? ${'Tell me about the weather. '.repeat(5)}`) =>
      new Promise((resolve) => {
        asked.set(String(chat), resolve);
        platform.say(chat, text);
      }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** Answers at once and keeps nothing of what it was asked. */
export function promptModel(): Provider {
  const answer = () => scriptedProvider(() => ({ text: `I am **fine**. ${'The weather is as it was yesterday. '.repeat(10)}` }));
  return { encode: (request) => answer().encode(request), stream: (request, options) => answer().stream(request, options) };
}

/** Tells the chat of every delivery that was sent, after the commit that says so. */
function withReceipts(host: Host, onReceipt: (chatId: string) => void): Host {
  const { gateway } = host.store;
  const chats = new Map<string, string>();
  const take: GatewayStore['take'] = async (kind, options) => {
    const rows = await gateway.take(kind, options);
    for (const { taken, row } of rows) if ('target' in row) chats.set(taken.id, row.target.chatId);
    return rows;
  };
  const endPart: GatewayStore['endPart'] = async (taken, ...given) => {
    await gateway.endPart(taken, ...given);
    const chatId = chats.get(taken.id) ?? '';
    chats.delete(taken.id);
    onReceipt(chatId);
  };
  return Object.create(host, { store: { value: { ...host.store, gateway: { ...gateway, take, endPart } } } }) as Host;
}
