import type { Socket } from 'node:net';
import { toWordSet } from '../../../base/word-tables.ts';

/**
 * A module proxy fetches from whatever host a module's name begins with: `GET /evil.example/SECRET/@v/list` reaches evil.example.
 * So Go is told to speak with it in plain words, which go on encrypted from here once the module's host is known or agreed to.
 */
export const GO_PROXY = 'http://proxy.golang.org,direct';
const RELAY = 'proxy.golang.org';
const CHECKSUMS = 'sum.golang.org';
/** Hosts of modules that many share. The Go team's own redirect names lead to these. */
const SHARED_HOSTS = toWordSet(
  'github.com gitlab.com bitbucket.org codeberg.org golang.org google.golang.org cloud.google.com gopkg.in go.uber.org k8s.io sigs.k8s.io go.etcd.io go.opentelemetry.io gonum.org rsc.io modernc.org honnef.co',
);

const UNTIDY = /^[^?]*(?:\/\/|\/\.{1,2}(?:[/?]|$)|%|\\)/;

export interface RelayedRequest {
  readonly host: string;
  readonly path: string;
  /** Whom the proxy would ask; absent for what it knows by itself. */
  readonly module?: string;
}

/** What a plain request to the module proxy is meant for; the database of checksums is asked by way of it. */
export function findRelayedRequest(host: string, path: string): RelayedRequest | undefined {
  // A server that tidies a path up would read another module in it.
  if (host !== RELAY || UNTIDY.test(path)) return undefined;
  const [, rest] = /^\/sumdb\/sum\.golang\.org(\/.*)$/.exec(path) ?? [];
  const isOwn = rest !== undefined && !rest.startsWith('/lookup/');
  const [, first] = /^\/(?:cached-only\/|lookup\/)?([^/@?]+)/.exec(rest ?? path) ?? [];
  const module = isOwn ? undefined : first?.toLowerCase();
  return {
    host: rest === undefined ? RELAY : CHECKSUMS,
    path: rest ?? path,
    ...(module !== undefined && !SHARED_HOSTS.has(module) && { module }),
  };
}

/** The same connection, encrypted for the host. */
export function encrypt(socket: Socket, host: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const secured = process.getBuiltinModule('node:tls').connect({ socket, servername: host, ALPNProtocols: ['http/1.1'] });
  secured.once('error', reject).once('secureConnect', () => resolve(secured));
  return promise;
}
