import { randomBytes } from 'node:crypto';
import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { randomHex } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { toVisibleLine } from '../../base/visible.ts';
import type { ServiceOpeners, ServiceOptions } from '../../contracts/services/services.ts';
import type { AddedWebhook, NewWebhook, WebhookLine, WebhookService } from '../../contracts/services/webhooks.ts';
import { readAccounts } from '../../faces/gateway/accounts/accounts.ts';
import { findGateway } from '../../faces/gateway/process/claims.ts';
import { readReport } from '../../faces/gateway/process/state-file.ts';
import { findTarget } from '../../faces/gateway/send/sends.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { readEntry, type EntryReading } from '../../platforms/webhook/entries.ts';
import { readSettings } from '../../platforms/webhook/settings.ts';
import { changeSubscriptions, followEntries } from '../../platforms/webhook/subscriptions.ts';
import { tryRoute, tryTarget, type TryRouteOptions } from '../../platforms/webhook/try-out.ts';
import { loadConfig } from '../config/config.ts';
import { createPost } from '../gateway/adapter-offers.ts';
import { loadSharedSecrets } from '../host/redaction.ts';
import { PLATFORMS } from '../gateway/platforms.ts';

type WebhookDeps = Pick<ServiceOpeners, 'store' | 'configuration'>;

export async function createWebhookService(options: ServiceOptions, deps: WebhookDeps): Promise<WebhookService> {
  const here = await openWebhooks(options);
  const { root, settings, env, notice, entries } = here;
  return {
    list: async () => [...entries().routes.keys(), ...entries().targets.keys()].map((name) => describe(name, here)),
    add: (wanted) => addWebhook(wanted, here, deps),
    remove: async (name) => {
      mustBeThere(name, here);
      if (isStatic(name, here))
        throw new UsageError(`${name} is in the settings, below platforms.webhook. Remove it there: hermes config edit`);
      const { direction } = describe(name, here);
      await changeSubscriptions(root, ({ [name]: _gone, ...rest }) => rest);
      return { name, direction };
    },
    test: async (name, event, signal) => {
      mustBeThere(name, here);
      const { direction, url } = describe(name, here);
      const [route, target] = [entries().routes.get(name), entries().targets.get(name)];
      const clock = { now: Date.now, signal };
      const listener = { gateway: lookAtGateway(root), url: toNearUrl(name, here) };
      if (route !== undefined) return { ...(await tryRoute(route, event, { ...listener, ...clock })), name, direction, url };
      if (target === undefined) throw new Error(`${name} is neither a route nor a target`);
      const post = createPost({ settings, root, env, log: notice });
      return { ...(await tryTarget(target, `test${randomHex(10)}`, { post, ...clock })), name, direction, url };
    },
  };
}

type WebhookHome = Awaited<ReturnType<typeof openWebhooks>>;

async function openWebhooks({ processEnv, notice, registered }: ServiceOptions) {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const learnSecrets = (): void => void loadSharedSecrets(processEnv, home).names();
  const { settings } = await loadConfig(home.config, env, notice, registered);
  const kinds = await Promise.all(Object.values(PLATFORMS).map((load) => load()));
  const { accounts } = readAccounts(settings, env, kinds);
  const account = accounts.find(({ platform }) => platform === 'webhook');
  const { settings: own } = readSettings(account?.settings ?? { secrets: {}, extra: {} });
  return { root: home.root, env, notice, settings, accounts, account, own, entries: followEntries(own, home.root, notice), learnSecrets };
}

const isStatic = (name: string, { own }: WebhookHome): boolean => own.routes.has(name) || own.targets.has(name);
const isThere = (name: string, { entries }: WebhookHome): boolean => entries().routes.has(name) || entries().targets.has(name);
function mustBeThere(name: string, here: WebhookHome): void {
  if (!isThere(name, here)) throw new UsageError(`no webhook is called ${toVisibleLine(name)}. hermes webhook list shows them.`);
}

/** An entry as it may be shown: never its secret. */
function describe(name: string, here: WebhookHome): WebhookLine {
  const { routes, targets } = here.entries();
  const from = isStatic(name, here) ? ('settings' as const) : ('command' as const);
  const target = targets.get(name);
  const { scheme, events = [], deliver, isDirect, description } = { ...routes.get(name), ...target };
  const told = description === undefined ? {} : { description };
  if (target !== undefined) return { name, direction: 'out', url: target.url, from, ...told };
  const facts = { events, deliver: deliver ?? 'log', deliverOnly: isDirect === true };
  return { name, direction: 'in', url: toPublicUrl(name, here), from, ...(scheme !== undefined && { scheme }), ...facts, ...told };
}

const toPublicUrl = (name: string, here: WebhookHome): string =>
  here.own.publicUrl === undefined ? toNearUrl(name, here) : new URL(`/webhooks/${name}`, here.own.publicUrl).href;
/** At this machine, whatever stands in front of it. */
function toNearUrl(name: string, { own: { host, port } }: WebhookHome): string {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${near}:${port}/webhooks/${name}`;
}

async function addWebhook(wanted: NewWebhook, here: WebhookHome, deps: WebhookDeps): Promise<AddedWebhook> {
  const { name, secret = createSecret(wanted) } = wanted;
  if (isThere(name, here))
    throw new UsageError(`there is a webhook called ${name} already. Take another name, or remove it first: hermes webhook remove ${name}`);
  const entry = toEntry(wanted, secret);
  await mustWork(readEntry(name, entry, ''), here, deps);
  const counts = await switchOn(here, deps);
  // Nothing that is known as a secret gets out of this process: this one is not known yet, and is told once.
  here.learnSecrets();
  await changeSubscriptions(here.root, (entries) => ({ ...entries, [name]: entry }));
  return { ...describe(name, here), ...(wanted.secret === undefined && { secret }), counts };
}

/** As Standard Webhooks has them; a service with a form for secrets may not take the signs of base64. */
const createSecret = ({ scheme, url }: NewWebhook): string =>
  url !== undefined || scheme === undefined || scheme === 'auto' || scheme === 'standard'
    ? `whsec_${randomBytes(32).toString('base64')}`
    : randomBytes(32).toString('hex');

const toEntry = ({ name: _name, deliverOnly, url, ...wanted }: NewWebhook, secret: string): JsonObject => ({
  ...(url !== undefined && { url }),
  ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  ...(deliverOnly === true && { deliver_only: true }),
  secret,
});

async function mustWork(read: EntryReading, { root, accounts }: WebhookHome, { store }: WebhookDeps): Promise<void> {
  if (read.type === 'problem') throw new UsageError(read.why);
  const deliver = read.type === 'route' ? read.route.deliver : undefined;
  if (deliver === undefined) return;
  const found = await findTarget(deliver, { store: await store(), accounts: accounts.filter(({ enabled }) => enabled), root });
  if (!found.ok) throw new UsageError(`results cannot be delivered to ${toVisibleLine(deliver)}: ${found.why}`);
}

/** The first webhook switches the platform on; what the owner switched off stays off. */
async function switchOn({ root, account }: WebhookHome, { configuration }: WebhookDeps): Promise<AddedWebhook['counts']> {
  if (account?.enabled === false) return 'never_while_off';
  if (account === undefined) await (await configuration()).change({ 'platforms.webhook.enabled': 'true' });
  return COUNTS[lookAtGateway(root)];
}
const COUNTS = { none: 'after_start', closed: 'after_restart', open: 'now' } as const;

/** A gateway opens the platforms that were on when it started, so one that runs need not have opened webhooks. */
function lookAtGateway(root: string): TryRouteOptions['gateway'] {
  const running = findGateway(root);
  if (running === undefined) return 'none';
  return readReport(root, running.pid)?.accounts.some(({ platform }) => platform === 'webhook') === true ? 'open' : 'closed';
}
