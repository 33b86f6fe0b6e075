import MailComposer from 'nodemailer/lib/mail-composer';
import type { OutboundMessage } from '../../contracts/platform-adapter.ts';
import { addressOfChat, toMessageId, toPlainText, type ReplyHandle } from './codec.ts';
import type { EmailSettings } from './settings.ts';
import { isNamed, replySubject, shorten } from './thread.ts';

/** A mail that is ready to go out. */
export interface ComposedMail {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly raw: Buffer;
}

/** The same message always has the same id, whatever else differs between two attempts. */
export async function composeMail(
  message: OutboundMessage,
  reply: ReplyHandle | undefined,
  settings: EmailSettings,
): Promise<ComposedMail> {
  const { address, name } = settings;
  const messageId = toMessageId(message.key, address);
  const to = addressOfChat(message);
  const { content } = message;
  const markdown = content.type === 'media' ? (content.caption ?? '') : content.markdown;
  const references = reply === undefined ? [] : shorten(reply.references.filter(isNamed));
  const composer = new MailComposer({
    from: name === undefined ? address : { name, address },
    to: { name: '', address: to },
    subject: reply === undefined ? firstWords(markdown) : replySubject(reply.subject),
    messageId: `<${messageId}>`,
    ...(references.length > 0 && { inReplyTo: `<${references.at(-1)}>`, references: references.map((id) => `<${id}>`).join(' ') }),
    text: toPlainText(markdown),
    ...(content.type === 'media' && {
      attachments: [{ filename: content.media.name, path: content.media.path, contentType: content.media.mime }],
    }),
    headers: {
      // Programs that keep to the rules do not answer it (RFC 3834), and others are asked not to.
      'Auto-Submitted': reply === undefined ? 'auto-generated' : 'auto-replied',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
    },
    disableUrlAccess: true,
  });
  return { messageId, from: address, to, raw: await composer.compile().build() };
}

const MAX_SUBJECT = 70;

/** A mail that answers none is named by how it begins. */
function firstWords(markdown: string): string {
  const [line = ''] = toPlainText(markdown)
    .split('\n')
    .flatMap((each) => each.trim() || []);
  if (line === '') return 'A file for you';
  return line.length <= MAX_SUBJECT ? line : `${line.slice(0, MAX_SUBJECT).replace(/\s+\S*$/, '')}…`;
}
