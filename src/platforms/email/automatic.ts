import type { MailHeader } from './headers.ts';

/** A mail that no person wrote to us. Whoever answers one may be answered by a machine, for ever. */
interface AutomaticRule {
  readonly why: string;
  readonly is: (mail: AutomaticFacts) => boolean;
}
export interface AutomaticFacts {
  readonly header: MailHeader;
  /** The author's address in lower case. */
  readonly author: string;
  /** Ours. */
  readonly own: string;
}

const says = (name: string, pattern: RegExp) => (facts: AutomaticFacts) => facts.header.all(name).some((value) => pattern.test(value));
const has = (name: string) => (facts: AutomaticFacts) => facts.header.first(name) !== undefined;

/** Local parts behind which nobody reads. */
const NOBODY =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|mailer[-_.]?daemon|postmaster|bounces?|auto[-_.]?reply|listserv|majordomo)(?:[-+=_.].*)?$|[-+](?:bounces?|owner|request)$|^owner-/;

const RULES: readonly AutomaticRule[] = [
  { why: 'it is from our own address', is: ({ author, own }) => author === own },
  { why: 'it is a report on a delivery', is: says('content-type', /^\s*multipart\/report\b|^\s*message\/delivery-status\b/i) },
  { why: 'it has no address to return to', is: says('return-path', /^<?\s*>?$/) },
  { why: 'its Auto-Submitted field says that a program sent it', is: says('auto-submitted', /^(?!\s*no\b)/i) },
  { why: 'it asks for no automatic answers', is: says('x-auto-response-suppress', /\b(?:all|autoreply|oof)\b/i) },
  { why: 'it is marked as bulk mail', is: says('precedence', /\b(?:bulk|list|junk|auto_reply)\b/i) },
  {
    why: 'it comes from a mailing list',
    is: (facts) => ['list-id', 'list-unsubscribe', 'list-post', 'list-help'].some((name) => has(name)(facts)),
  },
  {
    why: 'it is an automatic reply',
    is: (facts) => ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply'].some((name) => has(name)(facts)),
  },
  { why: 'nobody reads mail at its address', is: ({ author }) => NOBODY.test(author.slice(0, author.lastIndexOf('@'))) },
];

/** Why a mail is not to be answered; `undefined` for one that a person may have written. */
export const explainAutomatic = (facts: AutomaticFacts): string | undefined => RULES.find(({ is }) => is(facts))?.why;
