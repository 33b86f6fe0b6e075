import { lazy } from '../../../base/lazy.ts';
import { parseIpAddress, toEmbeddedIpv4, parseNetwork, type IpAddress } from './address.ts';

/** What an address is when it is not a public one. `metadata` stays out of reach whatever the owner allows: it gives out keys of the machine. */
export interface AddressKind {
  readonly what: string;
  readonly metadata?: true;
  /** A network of the owner's, other machines in it: somebody who names a host of it may mean it. */
  readonly near?: true;
}
interface RangeRow extends AddressKind {
  readonly cidr: string;
}

/** Addresses that are nobody's on the public network, first match wins. After the IANA special-purpose registries. */
const ROWS: readonly RangeRow[] = [
  { cidr: '169.254.169.254/32', what: 'the metadata service of a cloud', metadata: true },
  { cidr: '169.254.170.2/32', what: 'the metadata service of a cloud', metadata: true },
  { cidr: '169.254.170.23/32', what: 'the metadata service of a cloud', metadata: true },
  { cidr: '100.100.100.200/32', what: 'the metadata service of a cloud', metadata: true },
  { cidr: '192.0.0.192/32', what: 'the metadata service of a cloud', metadata: true },
  { cidr: '168.63.129.16/32', what: 'the metadata service of a cloud', metadata: true },
  { cidr: 'fd00:ec2::254/128', what: 'the metadata service of a cloud', metadata: true },
  { cidr: 'fd00:ec2::23/128', what: 'the metadata service of a cloud', metadata: true },
  { cidr: 'fd20:ce::254/128', what: 'the metadata service of a cloud', metadata: true },
  { cidr: '0.0.0.0/8', what: 'this machine (unspecified)' },
  { cidr: '10.0.0.0/8', what: 'a private network', near: true },
  { cidr: '100.64.0.0/10', what: 'a carrier network (CGNAT)', near: true },
  { cidr: '127.0.0.0/8', what: 'this machine (loopback)' },
  { cidr: '169.254.0.0/16', what: 'a link-local address' },
  { cidr: '172.16.0.0/12', what: 'a private network', near: true },
  { cidr: '192.0.0.0/24', what: 'a reserved address' },
  { cidr: '192.0.2.0/24', what: 'a documentation address' },
  { cidr: '192.88.99.0/24', what: 'a 6to4 relay' },
  { cidr: '192.168.0.0/16', what: 'a private network', near: true },
  { cidr: '198.18.0.0/15', what: 'a benchmarking network' },
  { cidr: '198.51.100.0/24', what: 'a documentation address' },
  { cidr: '203.0.113.0/24', what: 'a documentation address' },
  { cidr: '224.0.0.0/4', what: 'a multicast address' },
  { cidr: '255.255.255.255/32', what: 'the broadcast address' },
  { cidr: '240.0.0.0/4', what: 'a reserved address' },
  { cidr: '::/128', what: 'this machine (unspecified)' },
  { cidr: '::1/128', what: 'this machine (loopback)' },
  { cidr: 'fc00::/7', what: 'a private network', near: true },
  { cidr: 'fe80::/10', what: 'a link-local address' },
  { cidr: 'fec0::/10', what: 'a private network', near: true },
  { cidr: 'ff00::/8', what: 'a multicast address' },
  { cidr: '2001::/23', what: 'a tunnelled or reserved address' },
  { cidr: '2001:db8::/32', what: 'a documentation address' },
  { cidr: '2002::/16', what: 'a tunnelled address (6to4)' },
  { cidr: '3fff::/20', what: 'a documentation address' },
];
/** Forms that carry an IPv4 address: what counts is the one inside. */
const CARRIERS = ['::ffff:0:0/96', '64:ff9b::/96'];
/** Of IPv6 only this is given out to the public. */
const GLOBAL = '2000::/3';

const table = lazy(() => ({
  rows: ROWS.map((row) => ({ row, covers: parseNetwork(row.cidr) })),
  carriers: CARRIERS.map(parseNetwork),
  global: parseNetwork(GLOBAL),
}));

/** Why an address is not a public one; `undefined` for a public one. What is no address is not public. */
export function findNonPublicKind(text: string): AddressKind | undefined {
  const address = parseIpAddress(text);
  return address === undefined ? { what: 'no address that can be judged' } : kindOf(address);
}

function kindOf(address: IpAddress): AddressKind | undefined {
  const { rows, carriers, global } = table();
  if (carriers.some((covers) => covers(address))) return kindOf(toEmbeddedIpv4(address));
  const found = rows.find(({ covers }) => covers(address));
  if (found !== undefined) return found.row;
  return address.family === 6 && !global(address) ? { what: 'a reserved address' } : undefined;
}
