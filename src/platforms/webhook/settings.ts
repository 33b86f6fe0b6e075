import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import type { AccountSettings, PlatformVariable } from '../../contracts/platform-adapter.ts';
import { readEntry, type WebhookEntries, type WebhookRoute, type WebhookTarget } from './entries.ts';

/** What the settings of the webhook come to. */
export interface WebhookAccountSettings extends WebhookEntries {
  readonly host: string;
  readonly port: number;
  /** Where senders reach it, when something stands in front of it. */
  readonly publicUrl?: URL;
  /** Deliveries a route takes in a minute. */
  readonly perMinute: number;
  readonly maxBytes: number;
  /** How often it calls itself, to know that it is heard. */
  readonly probeMs: number;
  /** The secret of routes that have none of their own. */
  readonly secret: string;
}

export const WEBHOOK_PORT = 8644;
const PER_MINUTE = 30;
/** Nobody may call for days; what is silent for 90 s counts as broken. */
const PROBE_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
/** The listener answers what is larger by itself; a body is held in memory. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface SettingsReading {
  readonly settings: WebhookAccountSettings;
  /** What is wrong, in words for the owner. */
  readonly problems: readonly string[];
}

export function readSettings({ secrets, extra }: AccountSettings): SettingsReading {
  const problems: string[] = [];
  const whole = (key: string, usual: number, most: number): number => {
    const value = extra[key] ?? usual;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
    problems.push(`platforms.webhook.extra.${key} must be a whole number from 0 to ${most}.`);
    return usual;
  };
  const publicUrl = readPublicUrl(extra['public_url'], problems);
  const secret = secrets['secret'] ?? '';
  const settings = {
    host: typeof extra['host'] === 'string' && extra['host'] !== '' ? extra['host'] : '127.0.0.1',
    port: whole('port', WEBHOOK_PORT, 65_535),
    ...(publicUrl !== undefined && { publicUrl }),
    perMinute: whole('rate_limit', PER_MINUTE, 100_000),
    maxBytes: whole('max_body_bytes', MAX_BYTES, MOST_BYTES),
    probeMs: whole('probe_ms', PROBE_MS, 60_000),
    secret,
    routes: readRoutes(extra, secret, problems),
    targets: readTargets(extra, problems),
  };
  return { settings, problems };
}

/** Why these settings cannot work: a route that anybody could call is not opened, and neither is any other. */
export const checkSettings = (settings: AccountSettings): string | undefined => readSettings(settings).problems[0];

function readPublicUrl(value: Json | undefined, problems: string[]): URL | undefined {
  const url = typeof value === 'string' && value !== '' ? URL.parse(value) : undefined;
  if (url !== null && (url === undefined || /^https?:$/.test(url.protocol))) return url;
  problems.push('platforms.webhook.extra.public_url is not an http address. Write it in full, as in https://hooks.example.org.');
  return undefined;
}

const tableAt = (extra: JsonObject, key: string): readonly (readonly [string, JsonObject])[] => {
  const table = extra[key];
  return Object.entries(isObject(table) ? table : {}).map(([name, entry]) => [name, isObject(entry) ? entry : {}]);
};

function readRoutes(extra: JsonObject, secret: string, problems: string[]): ReadonlyMap<string, WebhookRoute> {
  const routes = new Map<string, WebhookRoute>();
  for (const [name, table] of tableAt(extra, 'routes')) {
    const read = readEntry(name, table, secret);
    if (read.type === 'route') routes.set(name, read.route);
    else problems.push(read.type === 'target' ? `platforms.webhook.extra.routes.${name} has a url: move it to targets.` : read.why);
  }
  return routes;
}

function readTargets(extra: JsonObject, problems: string[]): ReadonlyMap<string, WebhookTarget> {
  const targets = new Map<string, WebhookTarget>();
  for (const [name, table] of tableAt(extra, 'targets')) {
    const read = readEntry(name, { url: '', ...table }, '');
    if (read.type === 'target') targets.set(name, read.target);
    else if (read.type === 'problem') problems.push(read.why);
  }
  return targets;
}

export const WEBHOOK_VARIABLES: Readonly<Record<string, PlatformVariable>> = {
  WEBHOOK_ENABLED: { to: 'enabled', kind: 'flag', describe: 'Whether the gateway takes webhooks' },
  WEBHOOK_HOST: { to: 'extra.host', kind: 'text', describe: 'Address to listen on for webhooks (127.0.0.1: only this computer)' },
  WEBHOOK_PORT: { to: 'extra.port', kind: 'number', describe: `Port to listen on for webhooks (${WEBHOOK_PORT})` },
  WEBHOOK_PUBLIC_URL: {
    to: 'extra.public_url',
    kind: 'text',
    describe: 'Address at which senders reach the webhooks, such as https://hooks.example.org',
  },
  WEBHOOK_SECRET: { to: 'secret', kind: 'text', secret: true, describe: 'Secret of webhook routes that have none of their own' },
};
