import { toErrorMessage } from '../../base/errors.ts';
import { readPath, readStringAt } from '../../base/json.ts';
import type { ConnectionEnd } from '../../contracts/platform-adapter.ts';

/** What the mail server or the network did to a connection. */
export class MailFailure extends Error {
  readonly kind: ConnectionEnd['kind'];
  readonly retryAfterMs: number | undefined;
  constructor(kind: ConnectionEnd['kind'], why: string, retryAfterMs?: number) {
    super(why);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A login may work later: the server has trouble of its own, or too many connections. */
const LATER = /tempor|unavail|too many|limit|in use|later|try again|maximum/i;
const LATER_MS = 60_000;
const CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT.*|CERT_\w+|ERR_TLS_CERT_\w+)$/;

export function toMailFailure(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  const said = readStringAt(error, 'responseText') ?? '';
  if (readPath(error, 'authenticationFailed') === true)
    return LATER.test(`${readStringAt(error, 'serverResponseCode') ?? ''} ${said}`)
      ? new MailFailure('broken', `The mail server takes no login now: ${said}`, LATER_MS)
      : new MailFailure(
          'refused',
          `The mail server refuses the login: ${said || 'wrong address or password'}. Check EMAIL_ADDRESS and EMAIL_PASSWORD; many providers want an app password.`,
        );
  const code = readStringAt(error, 'code') ?? '';
  if (CERTIFICATE.test(code))
    return new MailFailure(
      'broken',
      `The certificate of the mail server cannot be verified (${code}). Use the name in it as the host; for a server of your own with a self-signed one set platforms.email.extra.allow_self_signed.`,
    );
  const isMissing = readStringAt(error, 'serverResponseCode') === 'NONEXISTENT' || /\b(?:exist|not found|unknown mailbox)/i.test(said);
  if (readStringAt(error, 'responseStatus') === 'NO' && isMissing)
    return new MailFailure('refused', `The mail server has no such folder: ${said}. Check platforms.email.extra.folder.`);
  return new MailFailure('broken', `The mail server could not be reached: ${toErrorMessage(error)}${said === '' ? '' : ` (${said})`}`);
}

export const toEnd = ({ kind, message, retryAfterMs }: MailFailure): ConnectionEnd => ({
  kind,
  why: message,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
