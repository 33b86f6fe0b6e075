import { domainToASCII } from 'node:url';
import { dropComments, type MailHeader } from './headers.ts';

/** Who a mail says it is from. */
export interface MailAddress {
  /** In lower case. */
  readonly address: string;
  readonly domain: string;
}

/**
 * One mailbox and nothing else, with an address of the plain kind. What could be read in two ways (several authors, groups,
 * quoted local parts, comments within an address, signs beyond ASCII) is no address here: servers and people may take it for
 * another one than we do.
 */
export function parseSender(header: MailHeader): MailAddress | undefined {
  const [value, ...others] = header.all('from');
  return value === undefined || others.length > 0 ? undefined : parseMailbox(value);
}

/** `Name <local@domain>`, `<local@domain>` or `local@domain`, with comments only around the address. */
export function parseMailbox(value: string): MailAddress | undefined {
  if (value.length > MAX_MAILBOX) return undefined;
  const bare = dropComments(value)?.trim();
  if (bare === undefined) return undefined;
  const [, inner] = /^(?:"(?:[^"\\]|\\.)*"|[^"<>,;:\\]*)\s*<([^<>]*)>$/s.exec(bare) ?? [];
  // A comment inside an address has left a blank, which none has.
  return parseAddress(inner ?? bare);
}

/** One address and a name, however long: more is there to be read slowly. */
const MAX_MAILBOX = 2_000;
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/;
const MAX_ADDRESS = 254;

/** An address in lower case. Letters beyond ASCII are refused before: some of them become ASCII in lower case. */
export function parseAddress(text: string): MailAddress | undefined {
  if (text.length > MAX_ADDRESS || !/^[!-~]+$/.test(text)) return undefined;
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at).toLowerCase(), text.slice(at + 1).toLowerCase()];
  return at > 0 && LOCAL.test(local) && DOMAIN.test(domain) ? { address: `${local}@${domain}`, domain } : undefined;
}

/** An address as the owner writes it in the settings. A domain in letters of its own language is meant in its ASCII form. */
export function toAddressId(written: string): string {
  const text = written.trim().replace(/^.*<([^<>]*)>$/, '$1');
  const at = text.lastIndexOf('@');
  const domain = domainToASCII(text.slice(at + 1));
  return at > 0 && domain !== '' ? `${text.slice(0, at)}@${domain}`.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
}
