import type { AddressKind } from './ranges.ts';

interface HostNameRow extends AddressKind {
  /** A name, or `*.` and what it ends in. */
  readonly name: string;
}

/** Names that mean something inside a machine or a network, whatever a resolver says of them. */
const ROWS: readonly HostNameRow[] = [
  { name: 'metadata', what: 'the metadata service of a cloud', metadata: true },
  { name: 'instance-data', what: 'the metadata service of a cloud', metadata: true },
  { name: 'metadata.google.internal', what: 'the metadata service of a cloud', metadata: true },
  { name: 'metadata.goog', what: 'the metadata service of a cloud', metadata: true },
  { name: '*.metadata.goog', what: 'the metadata service of a cloud', metadata: true },
  { name: 'instance-data.ec2.internal', what: 'the metadata service of a cloud', metadata: true },
  { name: 'metadata.azure.internal', what: 'the metadata service of a cloud', metadata: true },
  { name: 'metadata.tencentyun.com', what: 'the metadata service of a cloud', metadata: true },
  { name: 'localhost', what: 'this machine' },
  { name: '*.localhost', what: 'this machine' },
  { name: '*.localdomain', what: 'this machine' },
  { name: 'ip6-localhost', what: 'this machine' },
  { name: 'ip6-loopback', what: 'this machine' },
  { name: 'host.docker.internal', what: 'this machine' },
  { name: '*.local', what: 'a name of the local network', near: true },
  { name: '*.internal', what: 'a name of the local network', near: true },
  { name: '*.intranet', what: 'a name of the local network', near: true },
  { name: '*.lan', what: 'a name of the local network', near: true },
  { name: '*.home', what: 'a name of the local network', near: true },
  { name: '*.corp', what: 'a name of the local network', near: true },
  { name: '*.private', what: 'a name of the local network', near: true },
  { name: '*.home.arpa', what: 'a name of the local network', near: true },
];
const WITHOUT_DOTS: AddressKind = { what: 'a name of the local network', near: true };

/** Why a name is not a public one, by itself. Lower-case, without the dot at its end. */
export function findLocalNameKind(host: string): AddressKind | undefined {
  const found = ROWS.find(({ name }) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name));
  return found ?? (host.includes('.') || host.includes(':') ? undefined : WITHOUT_DOTS);
}
