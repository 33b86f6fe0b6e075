import { readFileSync } from 'node:fs';
import { simpleParser, type ParsedMail } from 'mailparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { JsonObject } from '../../../src/base/json-types.ts';
import type { AccountSettings } from '../../../src/contracts/platform-adapter.ts';
import { email } from '../../../src/platforms/email/index.ts';
import type { PlatformFault, PlatformScene } from '../../../src/testing/conformance/platform-scene.ts';
import { openLine, type FaultyLine } from '../../testing/mail/line.ts';
import { postMail } from '../../testing/mail/post.ts';
import { listMailFiles, PASSWORD, SERVER_ID, type MailServers } from '../../testing/mail/servers.ts';

/** A mailbox of ours, a person, and lines to the servers between which things can go wrong. */
export interface MailPlace extends AsyncDisposable {
  readonly servers: MailServers;
  readonly bot: string;
  readonly ann: string;
  readonly imap: FaultyLine;
  readonly smtp: FaultyLine;
  settings(extra?: JsonObject): AccountSettings;
  /** Puts a mail into our mailbox, in order; gives its id. Fields are above those that every mail has. */
  deliver(mail: DeliveredMail): Promise<string>;
  /** What the person got of us. */
  received(): Promise<readonly ParsedMail[]>;
}
export interface DeliveredMail {
  readonly from?: string;
  readonly fields?: readonly string[];
  readonly body: string | Buffer;
  readonly messageId?: string;
  readonly envelopeFrom?: string;
}

let counter = 0;

export async function openPlace(servers: MailServers, name = 'bot'): Promise<MailPlace> {
  const number = ++counter;
  const [bot, ann] = [`${name}${number}@hermes.test`, `ann${number}@people.test`];
  const imap = await openLine(() => servers.ports.imap);
  const smtp = await openLine(() => servers.ports.smtp);
  return {
    servers,
    bot,
    ann,
    imap,
    smtp,
    settings: (extra = {}) => ({
      secrets: { password: PASSWORD },
      extra: {
        address: bot,
        imap_host: '127.0.0.1',
        imap_port: imap.port,
        imap_security: 'none',
        smtp_host: '127.0.0.1',
        smtp_port: smtp.port,
        smtp_security: 'none',
        authserv_id: SERVER_ID,
        idle_seconds: 1,
        limit_seconds: 7,
        ...extra,
      },
    }),
    deliver: async ({ from = ann, fields = [], body, messageId = `m${++counter}@people.test`, envelopeFrom = from }) => {
      const header = [`Authentication-Results: ${SERVER_ID}; dmarc=pass header.from=people.test`, ...fields, `From: ${from}`, `To: ${bot}`];
      const head = [...header, `Message-ID: <${messageId}>`, `Date: ${new Date().toUTCString()}`].join('\r\n');
      // A body that begins with fields of its own says what it is.
      const raw = Buffer.concat([Buffer.from(`${head}\r\n`), typeof body === 'string' ? Buffer.from(`\r\n${body}`) : body]);
      await postMail(raw, { port: servers.ports.lmtp, protocol: 'lmtp', from: envelopeFrom, to: bot });
      return messageId;
    },
    received: async () => {
      await servers.settle();
      return Promise.all(listMailFiles(servers.maildir(ann)).map((file) => simpleParser(readFileSync(file))));
    },
    [Symbol.asyncDispose]: async () => {
      await imap[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

export const idOf = ({ messageId }: ParsedMail): string => (messageId ?? '').replaceAll(/[<>]/g, '');

/** A mail below the fields that every mail has. */
export async function compose(mail: ConstructorParameters<typeof MailComposer>[0]): Promise<Buffer> {
  const built = await new MailComposer(mail).compile().build();
  return Buffer.from(built.toString('latin1').replaceAll(/^(?:Message-ID|Date): .*\r\n/gm, ''), 'latin1');
}

/** A scene for the conformance suite. The server files what it sends, as large providers do. */
export async function openScene(servers: MailServers): Promise<PlatformScene> {
  const place = await openPlace(servers, 'filed');
  const { bot, ann, imap, smtp } = place;
  const faults: Disposable[] = [];
  const refuse = (answer: string, times: number): Disposable => {
    const before = servers.policy.decide;
    let left = times;
    servers.policy.decide = (question) => (question.sender === bot && left-- > 0 ? answer : before(question));
    return { [Symbol.dispose]: () => void (servers.policy.decide = before) };
  };
  const begin = (fault: PlatformFault): Disposable[] => {
    if (fault.type === 'withhold_answer') return [smtp.withholdNext()];
    if (fault.type === 'limit') return [refuse('450 4.7.1 Too many mails, slow down', 1)];
    if (fault.type === 'dead') return [refuse('550 5.1.1 No such user here', Number.POSITIVE_INFINITY)];
    if (fault.type === 'unreachable') return [imap.refuse(), smtp.refuse()];
    if (fault.type === 'deaf') return [imap.deafen()];
    imap.drop();
    return [];
  };
  return {
    kind: email,
    settings: place.settings({ save_sent: false }),
    chat: { chatId: ann },
    personId: ann,
    say: (text) => place.deliver({ body: text }),
    sayFile: async (name, bytes) => {
      const attachments = [{ filename: name, content: Buffer.from(bytes) }];
      await place.deliver({ body: await compose({ attachments, text: 'See the file.' }) });
    },
    forward: async (text, file) => {
      const forwarded = `---------- Forwarded message ---------\nFrom: Eve <eve@x.test>\nDate: Monday\nSubject: Hi\n\n${text}`;
      const attachments = file === undefined ? [] : [{ filename: file.name, content: Buffer.from(file.bytes) }];
      await place.deliver({ body: await compose({ subject: 'Fwd: Hi', text: forwarded, attachments }) });
    },
    visible: async () =>
      (await place.received()).map((mail) => ({ messageId: idOf(mail), text: mail.attachments[0]?.filename ?? (mail.text ?? '').trim() })),
    files: async () => (await place.received()).flatMap(({ attachments }) => attachments.map(({ content }) => new Uint8Array(content))),
    sockets: () => imap.count(),
    fault: (fault) => void faults.push(...begin(fault)),
    mend: () => {
      for (const fault of faults.splice(0)) fault[Symbol.dispose]();
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}
