import { renderPlain } from '../../base/markdown/plain.ts';
import { takeStart } from '../../base/text.ts';
import type { Json } from '../../base/json-types.ts';
import type { Chat, ChatPlace, ForeignPart, InboundMedia, InboundMessage, Sender } from '../../contracts/platform-adapter.ts';
import type { MailAddress } from './address.ts';
import type { DecodedNames } from './bodies.ts';
import { splitMail, type MailKind, type MailWords } from './quotes.ts';
import type { EmailSettings } from './settings.ts';
import type { FilePart } from './structure.ts';
import { bareSubject, isForwardSubject, isReplySubject, type MailThread } from './thread.ts';

/** Markdown as it stands in a mail: plain words. */
export const toPlainText = (markdown: string): string => renderPlain(markdown);

/** A mail that is to be handed on, with everything that is known of it. */
export interface ReadMail {
  readonly key: string;
  readonly uid: number;
  readonly validity: string;
  /** When it came to the folder. */
  readonly at: number;
  readonly author: MailAddress;
  readonly isVerified: boolean;
  readonly thread: MailThread;
  readonly names: DecodedNames;
  /** The words of its parts, in order. */
  readonly text: string;
  readonly files: readonly FilePart[];
}

/** Longer mails are cut: what a model reads at once has an end. The whole is attached then. */
export const MAX_TEXT = 50_000;

export function toInbound(mail: ReadMail, settings: Pick<EmailSettings, 'byThread' | 'skipsAttachments' | 'address'>): InboundMessage {
  const { key, at, thread, names } = mail;
  const kind = readKind(mail);
  const words = splitMail(mail.text, kind);
  const { text, foreign, media } = attribute(words, mail, kind, settings);
  const inReplyTo = thread.inReplyTo ?? thread.references.at(-1);
  return {
    type: 'message',
    key,
    messageId: thread.messageId,
    chat: toChat(mail, settings.byThread),
    sender: toSender(mail),
    sentAt: at,
    text,
    ...(foreign.length > 0 && { foreign }),
    ...(words.quoted !== undefined && { quoted: shortenText(words.quoted) }),
    isAddressed: true,
    // What it answers is told without its words: those that stand in a mail were put there by its author.
    ...(inReplyTo !== undefined && { replyTo: { messageId: inReplyTo, isOurs: isOurId(inReplyTo, settings.address) } }),
    media,
    handle: writeHandle({ subject: names.subject, references: [...thread.references, thread.messageId] }),
  };
}

/** Whoever may have chosen the address of somebody else meets nobody there: not their session, their rights or their folder. */
const UNVERIFIED = 'unverified:';
const idOf = ({ author, isVerified }: ReadMail): string => `${isVerified ? '' : UNVERIFIED}${author.address}`;
/** Where an answer goes. */
export const addressOfChat = ({ chatId }: ChatPlace): string => chatId.replace(UNVERIFIED, '');

function toChat(mail: ReadMail, byThread: boolean): Chat {
  const { name } = mail.names;
  return { chatId: idOf(mail), type: 'private', ...(byThread && { threadId: mail.thread.root }), ...(name !== undefined && { name }) };
}
function toSender(mail: ReadMail): Sender {
  const { name } = mail.names;
  return { id: idOf(mail), isBot: false, ...(name !== undefined && { name }), ...(!mail.isVerified && { isUnverified: true }) };
}

/** An answer has the subject of the mail it answers. */
const isReply = ({ names, thread }: ReadMail): boolean => isReplySubject(names.subject) || thread.inReplyTo !== undefined;
const isMail = ({ mime }: Pick<FilePart, 'mime'>): boolean => mime === 'message/rfc822';

function readKind(mail: ReadMail): MailKind {
  if (isForwardSubject(mail.names.subject)) return mail.files.some(isMail) ? 'other' : 'forward';
  return isReply(mail) ? 'reply' : 'other';
}

/** Words, subject and files of a mail by whose they are. What comes with a forwarded mail may all be of that mail. */
function attribute(
  { text, quotations = '', forwarded = '' }: MailWords,
  mail: ReadMail,
  kind: MailKind,
  { skipsAttachments }: Pick<EmailSettings, 'skipsAttachments'>,
): Required<Pick<InboundMessage, 'text' | 'foreign' | 'media'>> {
  const { subject } = mail.names;
  const files = skipsAttachments ? [] : toMedia(mail);
  const isHandedOn = forwarded !== '' || mail.files.some(isMail);
  const isOwnSubject = !isHandedOn && kind === 'other' && !isForwardSubject(subject);
  // An answer without words says what the mail it answers is about.
  const repeated = text === '' && !isHandedOn && !isOwnSubject ? bareSubject(subject) : '';
  const foreign: ForeignPart[] = [quotations, repeated].flatMap((words) =>
    words === '' ? [] : [{ origin: 'quote', text: shortenText(words), media: [] }],
  );
  if (isHandedOn) foreign.push({ origin: 'forward', text: addSubject(subject, shortenText(forwarded)), media: files });
  const own = isOwnSubject ? composeText(subject, shortenText(text)) : shortenText(text);
  return { text: own === '' && foreign.length === 0 ? NO_TEXT : own, foreign, media: isHandedOn ? [] : files };
}

/** The subject stands before the words, but not before a command. */
function composeText(subject: string, text: string): string {
  if (text === '') return subject;
  return text.startsWith('/') ? text : addSubject(subject, text);
}
const NO_TEXT = '(This mail has no text.)';
const addSubject = (subject: string, text: string): string => (subject === '' ? text : `[Subject: ${subject}]\n\n${text}`.trim());

const shortenText = (text: string): string =>
  text.length <= MAX_TEXT
    ? text
    : `${takeStart(text, MAX_TEXT)}\n\n[The rest of this mail, ${text.length - MAX_TEXT} characters, is not shown.]`;

const toMedia = ({ validity, uid, thread, files }: ReadMail): InboundMedia[] =>
  files.map(({ kind, name, mime, part = '1', size }) => ({
    kind,
    mime,
    ...(name !== undefined && { name }),
    handle: { validity, uid, part, messageId: thread.messageId, ...(size !== undefined && { size }) },
  }));

/** What an answer needs of the mail it answers. */
export interface ReplyHandle {
  readonly subject: string;
  /** Ids of the thread up to that mail, which is the last one. */
  readonly references: readonly string[];
}
const writeHandle = ({ subject, references }: ReplyHandle): Json => ({ subject, references: [...references] });

/** Ids that we make of the keys of deliveries: the same key, the same mail. */
export const toMessageId = (key: string, address: string): string => `hermes.${key}@${address.slice(address.lastIndexOf('@') + 1)}`;
const isOurId = (id: string, address: string): boolean =>
  id.startsWith('hermes.') && id.endsWith(`@${address.slice(address.lastIndexOf('@') + 1)}`);
