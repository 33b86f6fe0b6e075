import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { createCronDeps } from '../../../src/app/cron/open.ts';
import { loadConfig } from '../../../src/app/config/config.ts';
import { openHost, type AppHost } from '../../../src/app/host/host.ts';
import { openToolJobs } from '../../../src/app/invocation.ts';
import { snapshotRegistries } from '../../../src/app/tools/registries.ts';
import { resolveHome } from '../../../src/base/home.ts';
import type { SessionOptions } from '../../../src/contracts/host.ts';
import type { Job, JobDefinition, JobStore } from '../../../src/contracts/job-store.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import type { CronDeps } from '../../../src/faces/cron/contract.ts';
import { readAccounts } from '../../../src/faces/gateway/accounts/accounts.ts';
import { telegram } from '../../../src/platforms/telegram/index.ts';
import { admitOne } from '../../../src/testing/conformance/gateway-store-samples.ts';
import { scriptedProvider, type Script } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-cron-'));
after(() => rmSync(folder, { recursive: true, force: true }));
export const never = new AbortController().signal;

/** The jobs of a home, with a scripted model. */
export interface CronScene extends AsyncDisposable {
  readonly root: string;
  readonly deps: CronDeps;
  readonly host: AppHost;
  readonly jobs: JobStore;
  readonly log: readonly string[];
  readonly requests: readonly ModelRequest[];
  readonly session: Partial<SessionOptions>;
  /** A job that is due now, unless it says when. */
  add(definition: Partial<JobDefinition>, nextAt?: number): Promise<Job>;
  /** The owner has written in the private chat 7. */
  meetOwner(): Promise<unknown>;
  /** What is to go out: the chat and the words. */
  planned(): Promise<readonly (readonly [string, string])[]>;
}
export interface CronSceneOptions {
  readonly script: Script;
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The home of another scene, as a second process has it. */
  readonly root?: string;
}

const HOUR = 3_600_000;

export async function openCronScene({ script, config = '', files = {}, env: more = {}, ...given }: CronSceneOptions): Promise<CronScene> {
  const root = given.root ?? mkdtempSync(join(folder, 'home-'));
  if (given.root === undefined) writeFileSync(join(root, 'config.yaml'), config);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const env = { HERMES_HOME: root, PATH: process.env['PATH'] ?? '', TELEGRAM_BOT_TOKEN: '1:abc', TELEGRAM_ALLOWED_USERS: '7', ...more };
  const home = resolveHome(env);
  const host = await openHost({ env, home, openJobs: openToolJobs });
  const { settings } = await loadConfig(home.config, env, () => {});
  const log: string[] = [];
  const provider = scriptedProvider(script);
  const session = { provider: scriptedRoute(provider), mcp: false };
  const accounts = readAccounts(settings, env, [telegram]).accounts.filter(({ enabled }) => enabled);
  const { jobs } = host.store;
  return {
    root,
    host,
    jobs,
    log,
    requests: provider.requests,
    session,
    deps: createCronDeps({
      host,
      root,
      settings,
      env,
      registered: snapshotRegistries(host.registries),
      accounts: () => accounts,
      log: (words) => log.push(words),
      session,
    }),
    add: async (definition, nextAt = Date.now()) =>
      jobs.add({
        definition: {
          name: 'Report',
          schedule: { kind: 'every', ms: HOUR, from: nextAt - HOUR },
          said: 'every 1h',
          prompt: 'Report.',
          deliver: ['origin'],
          ...definition,
        },
        nextAt,
      }),
    meetOwner: () => admitOne(host.store.gateway, '7', 'hello', { facts: { owner: true } }),
    planned: async () =>
      (await host.store.gateway.deliveries({})).map(({ target, content }) => [
        target.chatId,
        content.type === 'text' ? content.markdown : content.type,
      ]),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

export const ORIGIN = { platform: 'telegram', account: 'main', chatId: '7' } as const;
export const wordsOf = ({ messages }: ModelRequest): string =>
  messages.flatMap(({ message }) => message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))).join('\n');
