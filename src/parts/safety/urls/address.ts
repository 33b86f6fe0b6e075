/** An address as a number, so that a range is a comparison whatever the spelling was. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** Reads an address in its plain form, as a resolver or a parsed URL gives it. A zone makes it no address anybody else could mean. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return fromIpv4(text);
  return text.includes(':') && !text.includes('%') ? fromIpv6(text.replace(/^\[(.*)\]$/, '$1')) : undefined;
}

function fromIpv4(text: string): IpAddress | undefined {
  const bytes = text.split('.').map(Number);
  return bytes.some((byte) => byte > 255) ? undefined : { family: 4, bits: joined(bytes, 8n) };
}

/** The URL parser knows every spelling of IPv6 and gives one: no embedded dots, one `::`. */
function fromIpv6(text: string): IpAddress | undefined {
  const plain = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (plain === undefined) return undefined;
  const [head = [], tail] = plain.split('::').map((side) => (side === '' ? [] : side.split(':')));
  const gap = tail === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return {
    family: 6,
    bits: joined(
      [...head, ...gap, ...(tail ?? [])].map((group) => Number.parseInt(group, 16)),
      16n,
    ),
  };
}

const joined = (parts: readonly number[], width: bigint): bigint => parts.reduce((bits, part) => (bits << width) | BigInt(part), 0n);

/** Whether two texts name the same address. */
export function isSameAddress(a: string, b: string): boolean {
  const [one, other] = [parseIpAddress(a), parseIpAddress(b)];
  return one !== undefined && other !== undefined && one.family === other.family && one.bits === other.bits;
}

/** A network in CIDR notation as a test. */
export function parseNetwork(cidr: string): (address: IpAddress) => boolean {
  const [base = '', length = ''] = cidr.split('/');
  const first = parseIpAddress(base);
  if (first === undefined) throw new Error(`not a network: ${cidr}`);
  const shift = BigInt((first.family === 4 ? 32 : 128) - Number(length));
  return ({ family, bits }) => family === first.family && bits >> shift === first.bits >> shift;
}

/** The last 32 bits as an IPv4 address. */
export const toEmbeddedIpv4 = ({ bits }: IpAddress): IpAddress => ({ family: 4, bits: bits & 0xffff_ffffn });
