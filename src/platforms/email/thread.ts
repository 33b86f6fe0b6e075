import { sha256 } from '../../base/sha256.ts';
import type { MailHeader } from './headers.ts';

/** What a mail belongs to. Ids are without their angle brackets. */
export interface MailThread {
  readonly messageId: string;
  /** Earlier mails of the thread, the first one first. */
  readonly references: readonly string[];
  /** The mail it answers. */
  readonly inReplyTo?: string;
  /** The mail the thread began with: itself, where it answers none. */
  readonly root: string;
}

/** Longer ones are cut by somebody on the way. */
const MAX_ID = 250;
/** The first and the latest are enough for every mail program to find the thread. */
const MAX_REFERENCES = 12;

export function readThread(header: MailHeader): MailThread {
  const messageId = readIds(header.first('message-id'))[0] ?? `none-${hashFields(header.fields).slice(0, 24)}`;
  const given = [...new Set(header.all('references').flatMap(readIds))].filter((id) => id !== messageId);
  const inReplyTo = readIds(header.first('in-reply-to')).find((id) => id !== messageId);
  const references = shorten(given.length === 0 && inReplyTo !== undefined ? [inReplyTo] : given);
  return {
    messageId,
    references,
    ...(inReplyTo !== undefined && { inReplyTo }),
    root: references[0] ?? messageId,
  };
}

/** A mail without a name of its own cannot be named in an answer. */
export const isNamed = (messageId: string): boolean => !messageId.startsWith('none-') && ID.test(messageId);

const ID = /^[!-;=?-~]+$/;
const readIds = (value = ''): string[] =>
  Array.from(value.slice(0, 20_000).matchAll(/<([!-;=?-~]+)>/g), ([, id = '']) => id).filter((id) => id.length <= MAX_ID);

export const shorten = (references: readonly string[]): readonly string[] =>
  references.length <= MAX_REFERENCES ? references : [...references.slice(0, 1), ...references.slice(1 - MAX_REFERENCES)];

/**
 * Equal for every copy of a mail, wherever it was put or brought back from: fields that no server changes. The Message-ID alone
 * would let anybody who knows one keep the mail with it from being read.
 */
export function keyOf(header: MailHeader): string {
  const names = ['message-id', 'from', 'date', 'subject'];
  const fields = header.first('message-id') === undefined ? header.fields : header.fields.filter(({ name }) => names.includes(name));
  return hashFields(fields).slice(0, 32);
}

const hashFields = (fields: MailHeader['fields']): string => sha256(JSON.stringify(fields.map(({ name, value }) => [name, value])));

/** Marks of an answer before a subject, in the languages of common mail programs. */
const REPLY = /^\s*(?:(?:re|aw|sv|antw|vs|odp|ynt|rif|rép|res|回复|答复|返信|回覆|ответ)(?:\s*\[\d+\])?\s*[:：]\s*)+/i;
const FORWARD = /^\s*(?:fwd?|wg|tr|rv|i|enc|vb|转发|轉寄|転送)\s*[:：]/i;

/** Without the marks of an answer. */
export const bareSubject = (subject: string): string => subject.replace(REPLY, '').trim();
export const isReplySubject = (subject: string): boolean => REPLY.test(subject);
/** What it repeats is what it is about. */
export const isForwardSubject = (subject: string): boolean => FORWARD.test(bareSubject(subject));
/** `Re:` once. */
export const replySubject = (subject: string): string => `Re: ${bareSubject(subject) || '(no subject)'}`;
