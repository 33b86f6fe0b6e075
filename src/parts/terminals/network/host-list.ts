import { isWebPort } from '../../../contracts/wall.ts';

/** Who may be talked to without asking anybody, and who not at all. Plain data and a look-up; nothing is resolved here. */
export interface HostRules {
  /** Package registries everybody knows. */
  readonly registries: readonly string[];
  /** Registries in the owner's own configuration, at the start of the session. */
  readonly ownRegistries: readonly string[];
  /** Remotes of the project at the start of the session. */
  readonly remotes: readonly string[];
  /** `terminal.allowed_hosts` and `terminal.denied_hosts`. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}
export interface HostInquiry {
  /** Lower-case, without brackets and without a dot at its end. */
  readonly host: string;
  readonly port: number;
  /** The method where it can be seen; an encrypted connection shows none. */
  readonly method?: string;
}
export type HostStanding =
  | {
      readonly type: 'allowed';
      /** The owner named this very host. */
      readonly named: boolean;
      /** Only as a remote of the project: anybody may have a repository there. */
      readonly isRemote?: true;
    }
  | { readonly type: 'denied' }
  | { readonly type: 'unknown' };

/** Ways to ask that change nothing at a registry. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'CONNECT']);

/** How a host stands by the lists. A denied host is denied whatever else names it. */
export function findHostStanding(rules: HostRules, inquiry: HostInquiry): HostStanding {
  const names = (entries: readonly string[]) => entries.some((entry) => isNamedBy(entry, inquiry));
  if (rules.denied.some((entry) => isDeniedBy(entry, inquiry))) return { type: 'denied' };
  const named = rules.allowed.find((entry) => isNamedBy(entry, inquiry));
  if (named !== undefined) return { type: 'allowed', named: !named.startsWith('*.') };
  if (names(rules.remotes)) return { type: 'allowed', named: true, isRemote: true };
  const reads = READING.has(inquiry.method?.toUpperCase() ?? 'CONNECT');
  if (reads && names(rules.ownRegistries)) return { type: 'allowed', named: true };
  return reads && names(rules.registries) ? { type: 'allowed', named: false } : { type: 'unknown' };
}

/** `example.org` (ports of the web), `example.org:8443`, `*.example.org`. */
function isNamedBy(entry: string, { host, port }: HostInquiry): boolean {
  const { name, port: only } = parseHostEntry(entry);
  return (only === undefined ? isWebPort(port) : only === port) && fits(name, host);
}

/** Denying a name denies everything below it and all of its ports, unless one is named. */
function isDeniedBy(entry: string, { host, port }: HostInquiry): boolean {
  const { name, port: only } = parseHostEntry(entry);
  return (only === undefined || only === port) && (fits(name, host) || host.endsWith(`.${name}`));
}

const fits = (name: string, host: string): boolean => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name);

/** Whether a line of the owner's list names a host with or without a port, as a remote has it; `example.org` means its usual ones. */
export function fitsHostEntry(line: string, host: string): boolean {
  const [entry, { name, port }] = [toHostEntry(line), parseHostEntry(toHostEntry(host) ?? host)];
  return entry !== undefined && isNamedBy(entry, { host: name, port: port ?? HTTPS });
}
const HTTPS = 443;

function parseHostEntry(entry: string): { readonly name: string; readonly port?: number } {
  const [, name = entry, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  return port === undefined ? { name: bare } : { name: bare, port: Number(port) };
}

/** A line of the owner's list as it is compared: without scheme, path and capitals. `undefined` for what names no host. */
export function toHostEntry(line: string): string | undefined {
  const text = line.trim().toLowerCase();
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//, '').replace(/[/?#].*$/, '');
  const star = bare.startsWith('*.') ? '*.' : '';
  const url = URL.parse(`x://${bare.slice(star.length)}`);
  // The rules of names hold for the web's schemes only; ports of those would be dropped as usual ones.
  const host = url === null ? undefined : URL.parse(`http://${url.hostname}`)?.hostname.replace(/\.$/, '');
  if (url === null || host === undefined || host === '' || host.includes('*')) return undefined;
  return `${star}${host}${url.port === '' ? '' : `:${url.port}`}`;
}
