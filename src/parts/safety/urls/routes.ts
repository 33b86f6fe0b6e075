import { connect as connectTcp, type Socket } from 'node:net';
import { OutboundRefusal, type OutboundRoutes, type OutboundTarget } from '../../../contracts/reach.ts';
import { parseIpAddress, isSameAddress } from './address.ts';
import { isBlockedBy } from './lists.ts';
import { findLocalNameKind } from './names.ts';
import type { Env } from '../../../base/env.ts';
import { findProxy } from '../../../base/proxy-env.ts';
import { firstThatOpens, openTunnel } from './proxy.ts';
import { findNonPublicKind, type AddressKind } from './ranges.ts';
import type { Rules } from './judge.ts';
import { openRuleBook, type ReachOptions } from './reach.ts';
import { awaitOrAbort, resolveWithSystem } from './resolve.ts';

export interface RoutesOptions extends ReachOptions {
  /** What makes a host of the local network one that may be reached. */
  readonly advice?: string;
  /** Opens a connection to an address that was judged; for tests. */
  readonly dial?: (address: string, port: number, signal: AbortSignal) => Promise<Socket>;
}

/** Ways out under the owner's rules: blocked sites, private networks, metadata, and the proxy of this machine. */
export function openRoutes(options: RoutesOptions): OutboundRoutes {
  const rulesNow = openRuleBook(options);
  const { advice = 'Add it to terminal.allowed_hosts to allow it.' } = options;
  const env = options.env ?? {};
  return {
    findObjection: (target) => byName(target, rulesNow(), advice),
    connect: async (target, signal) => {
      const rules = rulesNow();
      const objection = byName(target, rules, advice);
      if (objection !== undefined) throw new OutboundRefusal(objection);
      const proxy = proxyFor(target, env);
      const found = await lookUp(target, options, signal);
      if (found === undefined) {
        // A network whose names only its proxy knows: the owner set that proxy, and it looks the name up.
        if (proxy !== undefined) return openTunnel(proxy, target.host, target.port, signal);
        throw new Error('its name could not be looked up');
      }
      const wrong = found.flatMap(
        (address) => againstKind(`${target.host} leads to ${address},`, kindOf(address, rules), { target, rules, advice }) ?? [],
      );
      if (wrong[0] !== undefined) throw new OutboundRefusal(wrong[0]);
      const dial =
        proxy === undefined ? (options.dial ?? dialDirectly) : (address: string) => openTunnel(proxy, address, target.port, signal);
      return firstThatOpens(found, (address) => dial(address, target.port, signal));
    },
  };
}

function byName(target: OutboundTarget, rules: Rules, advice: string): string | undefined {
  const { host } = target;
  if (rules.blocked.some((pattern) => isBlockedBy(pattern, host))) return `the owner's list of blocked sites names ${host}.`;
  const kind = parseIpAddress(host) === undefined ? findLocalNameKind(host) : kindOf(host, rules);
  return againstKind(`${host} is`, kind, { target, rules, advice });
}

const kindOf = (address: string, rules: Rules): AddressKind | undefined =>
  rules.open.some((each) => isSameAddress(each, address)) ? undefined : findNonPublicKind(address);

interface KindQuestion {
  readonly target: OutboundTarget;
  readonly rules: Rules;
  readonly advice: string;
}
/** Metadata and this machine's own services are nobody's to reach this way: a port of this machine is granted by its number. */
function againstKind(found: string, kind: AddressKind | undefined, { target, rules, advice }: KindQuestion): string | undefined {
  if (kind === undefined || (kind.near === true && (target.named || rules.allowPrivate))) return undefined;
  return `${found} ${kind.what}.${kind.near === true ? ` ${advice}` : ''}`;
}

async function lookUp({ host }: OutboundTarget, { resolve = resolveWithSystem }: RoutesOptions, signal: AbortSignal) {
  if (parseIpAddress(host) !== undefined) return [host];
  try {
    const found = await awaitOrAbort(resolve(host, signal), signal);
    return found.length === 0 ? undefined : found;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

const proxyFor = ({ host, port }: OutboundTarget, env: Env): URL | undefined => {
  const url = URL.parse(`${port === 80 ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}/`);
  return url === null ? undefined : findProxy(url, env)?.url;
};

/** The signal is for the way there: once it stands, a connection is ended by whoever has it. */
function dialDirectly(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectTcp({ host: address, port, noDelay: true, allowHalfOpen: true });
  const stop = () => socket.destroy(new Error(`${address} did not answer in time`));
  signal.addEventListener('abort', stop, { once: true });
  socket.once('error', reject);
  socket.once('connect', () => {
    socket.off('error', reject);
    signal.removeEventListener('abort', stop);
    resolve(socket);
  });
  return promise;
}
