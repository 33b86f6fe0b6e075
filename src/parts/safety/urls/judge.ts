import { isSameAddress } from './address.ts';
import { allows, isBlockedBy } from './lists.ts';
import { findLocalNameKind } from './names.ts';
import { isDeniedPort } from './ports.ts';
import { findNonPublicKind, type AddressKind } from './ranges.ts';
import { parseStrictUrl, type ParsedUrl } from './spelling.ts';

/** What the owner decided, as a judgement needs it. */
export interface Rules {
  readonly allowPrivate: boolean;
  readonly blocked: readonly string[];
  /** Empty: everything that is public. */
  readonly allowed: readonly string[];
  /** Addresses that count as public. */
  readonly open: readonly string[];
  /** Origins the owner set up as back ends of tools: theirs to choose, so only their spelling is judged. */
  readonly owned: readonly string[];
}
export type UrlJudgement =
  | { readonly ok: true; readonly spelt: ParsedUrl; /** The owner's own back end. */ readonly owned: boolean }
  | { readonly ok: false; readonly reason: string };

/** Judges a URL by itself, before any name is looked up. */
export function judgeUrl(text: string, rules: Rules): UrlJudgement {
  const spelling = parseStrictUrl(text);
  if (!spelling.ok) return { ok: false, reason: `Refused: ${spelling.reason}.` };
  const { spelt } = spelling;
  if (rules.owned.includes(spelt.url.origin)) return { ok: true, spelt, owned: true };
  const reason = againstHost(spelt, rules);
  return reason === undefined ? { ok: true, spelt, owned: false } : { ok: false, reason: `Refused: ${reason}` };
}

function againstHost({ host, port, literal }: ParsedUrl, rules: Rules): string | undefined {
  if (isDeniedPort(port)) return `port ${port} belongs to another kind of service.`;
  if (rules.blocked.some((pattern) => isBlockedBy(pattern, host))) return `the owner's list of blocked sites names ${host}.`;
  if (rules.allowed.length > 0 && !rules.allowed.some((pattern) => allows(pattern, host)))
    return `${host} is not on the owner's list of allowed sites (security.url_allowlist).`;
  return literal ? againstAddress(host, rules) : against(`${host} is`, findLocalNameKind(host), rules);
}

/** Judges what a name resolved to. One private address among public ones is enough: any of them may be connected to. */
export function judgeAddresses(host: string, addresses: readonly string[], rules: Rules): string | undefined {
  if (addresses.length === 0) return `Refused: ${host} has no address.`;
  const wrong = addresses.flatMap((address) => againstAddress(address, rules, `${host} leads to ${address},`) ?? [])[0];
  return wrong === undefined ? undefined : `Refused: ${wrong}`;
}

const againstAddress = (address: string, rules: Rules, found = `${address} is`): string | undefined =>
  rules.open.some((each) => isSameAddress(each, address)) ? undefined : against(found, findNonPublicKind(address), rules);

function against(found: string, kind: AddressKind | undefined, { allowPrivate }: Rules): string | undefined {
  if (kind === undefined || (allowPrivate && kind.metadata === undefined)) return undefined;
  const cure = kind.metadata === undefined ? ' Only the owner can open private addresses (security.allow_private_urls).' : '';
  return `${found} ${kind.what}.${cure}`;
}
