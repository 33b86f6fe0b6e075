import type { MailAddress } from './address.ts';
import { separateComments, type MailHeader } from './headers.ts';

/** What our mail server found out about a mail, as far as it is believed. */
export interface AuthenticationRules {
  /** The name under which our server writes its results. Nothing is believed without one. */
  readonly serverId: string | undefined;
  /** How many fields it writes. Those below them were in the mail when it came. */
  readonly headers: number;
  /** Addresses that are believed as they stand. */
  readonly trusted: ReadonlySet<string>;
}
export type SenderVerdict =
  | { readonly verified: true; readonly by: 'trust_from' | 'dmarc' | 'dkim' | 'spf' }
  | { readonly verified: false; readonly why: string };

/**
 * Whether the author of a mail is who it says. Believed are the topmost fields of our own server alone, and of those what is
 * about the domain of the author.
 */
export function verifySender(author: MailAddress, header: MailHeader, rules: AuthenticationRules): SenderVerdict {
  if (rules.trusted.has(author.address)) return { verified: true, by: 'trust_from' };
  const { serverId } = rules;
  if (serverId === undefined) return refuse('no authserv_id is set, so nobody vouches for senders');
  const own = header
    .all('authentication-results')
    .map(parseResults)
    .filter((each) => isOwn(each, serverId))
    .slice(0, rules.headers);
  if (own.length === 0) return refuse(`it has no Authentication-Results of ${serverId}${describeTopmost(header)}`);
  if (!own.every(isReadable)) return refuse(`the Authentication-Results of ${serverId} cannot be read: they are too long or do not end`);
  const results = own.flatMap((each) => each.results);
  // The verdict of the domain's own policy is the last word.
  const policy = results.find(({ method }) => method === 'dmarc');
  if (policy !== undefined && policy.result === 'pass')
    return policy.properties.get('header.from')?.toLowerCase() === author.domain
      ? { verified: true, by: 'dmarc' }
      : refuse('DMARC passed for another domain');
  if (policy !== undefined && !UNDECIDED.has(policy.result)) return refuse(`DMARC says ${policy.result}`);
  const passed = results.filter(({ result }) => result === 'pass');
  if (passed.some((each) => each.method === 'dkim' && isSignedFor(each, author))) return { verified: true, by: 'dkim' };
  if (passed.some((each) => each.method === 'spf' && isSentFor(each, author))) return { verified: true, by: 'spf' };
  return refuse(`neither DMARC, DKIM nor SPF passed for ${author.domain}`);
}

const refuse = (why: string): SenderVerdict => ({ verified: false, why });

/**
 * One that cannot be read keeps its place, also where it does not say whose it is. Senders choose some of its words, and would
 * otherwise bring up one of their own from below.
 */
const isOwn = (field: ResultsField, serverId: string): boolean =>
  field.serverId === serverId.toLowerCase() || (field.serverId === undefined && !isReadable(field));
const isReadable = (field: ResultsField): field is ReadableField => field.results !== undefined;

/** The domain has no policy. */
const UNDECIDED: ReadonlySet<string> = new Set(['none', 'bestguesspass']);

function describeTopmost(header: MailHeader): string {
  const top = parseResults(header.first('authentication-results') ?? '').serverId;
  return top === undefined ? '' : `; the topmost is of ${JSON.stringify(top)}`;
}

/** Signed by the author's domain, or by the one above it, whose owner decides about everything below. */
const isSignedFor = ({ properties }: MethodResult, { domain }: MailAddress): boolean => {
  const signer = properties.get('header.d') ?? properties.get('header.i')?.replace(/^.*@/, '');
  return signer !== undefined && isWithin(domain, signer.toLowerCase());
};
const isWithin = (domain: string, parent: string): boolean => domain === parent || (parent.includes('.') && domain.endsWith(`.${parent}`));

/** Sent by the author's domain, and where the address of the envelope is told, by the author. */
const isSentFor = ({ properties }: MethodResult, { address, domain }: MailAddress): boolean => {
  const sender = properties
    .get('smtp.mailfrom')
    ?.replace(/^<(.*)>$/, '$1')
    .toLowerCase();
  return sender === address || sender === domain || sender === `@${domain}`;
};

interface MethodResult {
  readonly method: string;
  readonly result: string;
  /** `header.d`, `smtp.mailfrom`. */
  readonly properties: ReadonlyMap<string, string>;
}
interface ResultsField {
  readonly serverId: string | undefined;
  /** Absent when it is too long, or a comment or a quoted string does not end. */
  readonly results?: readonly MethodResult[];
}
type ReadableField = Required<ResultsField>;

/** Servers write one or two thousand signs; longer fields are of those who want us to read for minutes. */
const MAX_FIELD = 8_000;

/** One field (RFC 8601). What is written in comments and quoted strings is what somebody else said, and makes no result. */
function parseResults(value: string): ResultsField {
  const { bare, isEnded } = separateComments(value.slice(0, MAX_FIELD));
  const [head = '', ...parts] = splitOutsideQuotes(bare);
  const [first] = readTokens(head);
  const serverId = first === undefined ? undefined : unquote(first).toLowerCase();
  return { serverId, ...(isEnded && value.length <= MAX_FIELD && { results: parts.flatMap(parseResult) }) };
}

function parseResult(part: string): MethodResult[] {
  const [first = '', ...rest] = readTokens(part.replaceAll(/\s+/g, ' ').replaceAll(/ ?([=/]) ?/g, '$1'));
  const [, method, result] = /^([a-z][\w-]*)(?:\/\d+)?=([a-z]+)$/i.exec(first) ?? [];
  if (method === undefined || result === undefined) return [];
  const properties = new Map<string, string>();
  for (const token of rest) {
    const [, name = '', said] = /^([\w-]+\.[\w-]+)=(.*)$/s.exec(token) ?? [];
    const key = name.toLowerCase();
    // Of two that have the same name neither is sure.
    if (said !== undefined) properties.set(key, properties.has(key) ? '' : unquote(said));
  }
  return [{ method: method.toLowerCase(), result: result.toLowerCase(), properties }];
}

const splitOutsideQuotes = (text: string): string[] =>
  (text.match(/(?:"(?:[^"\\]|\\.)*"|[^";])+|;/gs) ?? []).filter((part) => part !== ';');
/** Words between blanks; a quoted string is part of its word. */
const readTokens = (text: string): string[] => text.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"])+/gs) ?? [];
const unquote = (token: string): string =>
  token.replaceAll(/"((?:[^"\\]|\\.)*)"/gs, (_, inner: string) => inner.replaceAll(/\\(.)/gs, '$1'));
