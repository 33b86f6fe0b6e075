import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { toErrorMessage } from '../../base/errors.ts';
import { readNumberAt, readStringAt } from '../../base/json.ts';
import type { SendResult } from '../../contracts/platform-adapter.ts';
import type { ComposedMail } from './compose.ts';
import type { EmailSettings } from './settings.ts';

const CONNECT_MS = 15_000;
const SILENT_MS = 45_000;

/** Hands a mail to the server, over a connection of its own. */
export async function sendMail(mail: ComposedMail, settings: EmailSettings, signal: AbortSignal): Promise<SendResult> {
  const { smtp } = settings;
  const connection = new SMTPConnection({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.security === 'tls',
    requireTLS: smtp.security === 'starttls',
    ignoreTLS: smtp.security === 'none',
    tls: { rejectUnauthorized: !smtp.allowsSelfSigned },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    dnsTimeout: CONNECT_MS,
  });
  const progress = { isHandedOver: false };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stop = (): void => failed.reject(new Error('It was stopped.'));
  connection.on('error', failed.reject);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([converse(connection, mail, settings, progress), failed.promise]);
    connection.quit();
    return { type: 'sent', messageId: mail.messageId };
  } catch (error) {
    connection.close();
    return explainFailure(error, progress.isHandedOver, settings);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** From the greeting to the word that the mail was taken. The mail itself is asked for when everything before was agreed to. */
async function converse(
  connection: SMTPConnection,
  mail: ComposedMail,
  settings: EmailSettings,
  progress: { isHandedOver: boolean },
): Promise<void> {
  await asPromise((done) => connection.connect(done));
  const auth = { user: settings.user, pass: settings.password };
  await asPromise((done) => connection.login(auth, done));
  const body = async function* (): AsyncGenerator<Buffer, void> {
    progress.isHandedOver = true;
    yield mail.raw;
  };
  const envelope = { from: mail.from, to: [mail.to], size: mail.raw.length };
  await asPromise((done) => connection.send(envelope, Readable.from(body()), done));
}

const asPromise = (run: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => run((error) => (error ? reject(error) : resolve())));

/** Too many mails, or too fast. */
const SLOW_DOWN = /^4(?:\.7\.\d+|\.5\.3|\.3\.2)$/;
/** Nobody is there: bad mailbox, bad system, moved, switched off. */
const NOBODY = /^5\.(?:1\.(?:1|2|3|6|10)|2\.1)$/;

/** What an answer of the server means; without one, whether the mail may have been taken. */
export function explainFailure(error: unknown, isHandedOver: boolean, { limitMs }: Pick<EmailSettings, 'limitMs'>): SendResult {
  const why = toErrorMessage(error);
  const code = readNumberAt(error, 'responseCode');
  const kind = readStringAt(error, 'code');
  const command = readStringAt(error, 'command') ?? '';
  if (code === undefined) {
    if (kind === 'EMESSAGE' || kind === 'EENVELOPE') return { type: 'refused', why };
    return isHandedOver ? { type: 'unknown', why } : { type: 'not_sent', why };
  }
  const status = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(readStringAt(error, 'response') ?? '')?.[1] ?? '';
  // A password that is wrong today is put right by somebody.
  if (kind === 'EAUTH' || code === 530 || code === 503) return { type: 'not_sent', why };
  const isAboutRecipient = command === 'RCPT TO';
  if (code < 500)
    return SLOW_DOWN.test(status)
      ? { type: 'limited', retryAfterMs: limitMs, scope: isAboutRecipient ? 'chat' : 'account' }
      : { type: 'not_sent', why };
  const isNobody = NOBODY.test(status) || (status === '' && isAboutRecipient && (code === 550 || code === 551 || code === 553));
  return isNobody ? { type: 'dead', why } : { type: 'refused', why };
}
