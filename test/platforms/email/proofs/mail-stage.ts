import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import type { RecordedRequest, Reply } from '../../../../src/testing/wire-server/index.ts';
import { answerByNonce } from '../../../faces/gateway/kill/model.ts';
import { openLine, type FaultyLine } from '../../../testing/mail/line.ts';
import { openPost } from '../../../testing/mail/post.ts';
import { deliveredAt, listMailFiles, PASSWORD, SERVER_ID, startMailServers, type MailServers } from '../../../testing/mail/servers.ts';

/** A mailbox of the agent at real servers, and people who write to it through postfix as anybody does. */
export interface MailStage extends AsyncDisposable {
  readonly servers: MailServers;
  readonly bot: string;
  readonly people: readonly string[];
  /** For `openGatewayHome`. */
  readonly platform: 'email';
  readonly settings: JsonObject;
  /** Between the gateway and the servers. */
  readonly imap: FaultyLine;
  readonly smtp: FaultyLine;
  /** Tries until postfix takes it. */
  write(mail: WrittenMail): Promise<void>;
  /** What a person got, in order; of each file once. */
  received(person: string): Promise<readonly GottenMail[]>;
}
export interface WrittenMail {
  readonly from: string;
  /** The agent, where it is left out. */
  readonly to?: string;
  readonly messageId: string;
  readonly fields: readonly string[];
  /** From its content fields on. */
  readonly content: Buffer;
}
export interface GottenMail {
  /** When it lay in the mailbox, in milliseconds since the epoch. */
  readonly at: number;
  readonly from: string;
  readonly messageId: string;
  readonly inReplyTo: string;
  readonly subject: string;
  readonly text: string;
}

/** The model of the kill proofs. It looks for its orders in JSON, where the end of a line is a letter. */
export const answerMail = (request: RecordedRequest): Reply =>
  answerByNonce({ ...request, text: request.text.replaceAll(String.raw`\n`, ' ') });

export async function openMailStage(people: readonly string[], extra: JsonObject = {}): Promise<MailStage> {
  const servers = await startMailServers();
  // What postfix is offered is of whoever says so: the proof is about other things.
  servers.policy.decide = ({ sender }) =>
    sender.endsWith('@people.test') ? `PREPEND Authentication-Results: ${SERVER_ID}; spf=pass smtp.mailfrom=${sender}` : 'DUNNO';
  const imap = await openLine(() => servers.ports.imap);
  const smtp = await openLine(() => servers.ports.smtp);
  const bot = 'agent@hermes.test';
  const seen = new Map<string, GottenMail>();
  return {
    servers,
    bot,
    people,
    platform: 'email',
    settings: {
      password: PASSWORD,
      allowed_users: [...people],
      owners: [...people],
      extra: {
        address: bot,
        imap_host: '127.0.0.1',
        imap_port: imap.port,
        imap_security: 'none',
        smtp_host: '127.0.0.1',
        smtp_port: smtp.port,
        smtp_security: 'none',
        authserv_id: SERVER_ID,
        idle_seconds: 2,
        ...extra,
      },
    },
    imap,
    smtp,
    write: async ({ from, to = bot, messageId, fields, content }) => {
      const head = [`From: ${from}`, `To: ${to}`, `Message-ID: <${messageId}>`, `Date: ${new Date().toUTCString()}`, ...fields].join(
        '\r\n',
      );
      const raw = Buffer.concat([Buffer.from(`${head}\r\n`), content]);
      for (let isTaken = false; !isTaken;) {
        try {
          await using post = await openPost({ port: servers.ports.smtp, protocol: 'smtp' });
          await post.post(raw, from, to);
          isTaken = true;
        } catch {
          // It is just being started again.
          await sleep(100);
        }
      }
    },
    received: async (person) => {
      const files = listMailFiles(servers.maildir(person));
      const nameOf = (file: string): string => file.replace(/^.*\//, '').replace(/:2,.*$/, '');
      for (const file of files) {
        const name = `${person} ${nameOf(file)}`;
        if (!seen.has(name)) seen.set(name, await readMail(file));
      }
      return files.flatMap((file) => seen.get(`${person} ${nameOf(file)}`) ?? []);
    },
    [Symbol.asyncDispose]: async () => {
      await imap[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
      await servers[Symbol.asyncDispose]();
    },
  };
}

async function readMail(file: string): Promise<GottenMail> {
  const { from, messageId = '', inReplyTo = '', subject = '', text = '' } = await simpleParser(readFileSync(file));
  const bare = (id: string): string => id.replaceAll(/[<>]/g, '');
  return {
    at: deliveredAt(file) * 1_000,
    from: from?.value[0]?.address ?? '',
    messageId: bare(messageId),
    inReplyTo: bare(inReplyTo),
    subject,
    text,
  };
}
