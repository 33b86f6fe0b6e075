import { parseIpAddress } from './address.ts';

/** A URL taken apart. */
export interface ParsedUrl {
  readonly url: URL;
  /** Lower-case, without brackets and without the dot at its end. */
  readonly host: string;
  readonly port: number;
  /** The host is an address itself. */
  readonly literal: boolean;
}
export type UrlSpelling = { readonly ok: true; readonly spelt: ParsedUrl } | { readonly ok: false; readonly reason: string };

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** Scheme, two slashes, authority: nothing that parsers disagree on. */
const PLAIN = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * Takes a URL apart and refuses what only somebody with something to hide would write. How a host is spelt matters even
 * where its address would be allowed: a reader, a proxy and a browser may each take a disguise for something else.
 */
export function parseStrictUrl(text: string): UrlSpelling {
  const authority = PLAIN.exec(text)?.[1];
  const url = URL.parse(text);
  const port = PORTS[url?.protocol ?? ''];
  if (url !== null && port === undefined && namesScheme(text)) return refuse(`only http and https are allowed, not ${url.protocol}`);
  if (url === null || port === undefined || authority === undefined || authority === '')
    return refuse('it is not a whole URL such as https://example.org/page');
  // oxlint-disable-next-line no-control-regex -- parsers drop these silently
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return refuse('it has blanks, control characters or backslashes in it');
  if (authority.includes('@')) return refuse('it carries a user name or password');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const disguise = disguiseOf(authority.replace(/:\d*$/, ''), host);
  if (disguise !== undefined) return refuse(disguise);
  return { ok: true, spelt: { url, host, port: url.port === '' ? port : Number(url.port), literal: parseIpAddress(host) !== undefined } };
}

/** Not so for `example.org:8080` and `C:\\page`, which have a colon for other reasons. */
const namesScheme = (text: string): boolean => PLAIN.test(text) || /^[a-z][^.:]+:(?!\d)/i.test(text.trim());

const refuse = (reason: string): UrlSpelling => ({ ok: false, reason });

/** Whether the host was written so that it does not look like what it is. */
function disguiseOf(written: string, host: string): string | undefined {
  if (written.includes('%')) return `its host is percent-encoded and means ${host}`;
  if (host.split('.').includes('') || host.length > 253) return 'its host is not a proper name';
  const ascii = /^[\u0021-\u007e]*$/.test(written);
  if (!ascii && !host.includes('xn--')) return `its host is written with look-alike characters and means ${host}`;
  const isIpv4 = !host.includes(':') && parseIpAddress(host) !== undefined;
  return isIpv4 && written.replace(/\.$/, '') !== host ? `its host is a disguised spelling of ${host}` : undefined;
}
