import type { Json, JsonObject } from '../../base/json-types.ts';
import type { AccountSettings, PlatformVariable } from '../../contracts/platform-adapter.ts';
import { parseAddress, toAddressId } from './address.ts';
import type { AuthenticationRules } from './authentication.ts';

/** What the settings of a mailbox come to. */
export interface EmailSettings {
  /** Ours, in lower case. */
  readonly address: string;
  /** As people see us. */
  readonly name?: string;
  readonly user: string;
  readonly password: string;
  readonly imap: MailServer;
  readonly smtp: MailServer;
  readonly folder: string;
  /** Where copies of what we send are kept; absent: where the server says. */
  readonly sentFolder?: string;
  readonly savesSent: boolean;
  /** Between two looks, for a server that does not tell by itself. */
  readonly pollMs: number;
  /** How long we let the server tell by itself before we ask whether it is still there. */
  readonly idleMs: number;
  /** A wait that the server asks for without saying how long. */
  readonly limitMs: number;
  /** Quick answers of one sender, in a row, that are answered. */
  readonly maxQuickReplies: number;
  readonly skipsAttachments: boolean;
  /** Each thread of mails is a conversation of its own. */
  readonly byThread: boolean;
  readonly rules: AuthenticationRules;
}
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** Believes certificates that nobody vouches for. */
  readonly allowsSelfSigned: boolean;
}
const SECURITY = ['tls', 'starttls', 'none'] as const;
export type MailSecurity = (typeof SECURITY)[number];

/** Whoever hears nothing for longer is given up as deaf. Servers allow half an hour (RFC 2177). */
const MAX_QUIET_SECONDS = 75;

export function readSettings({ secrets, extra }: AccountSettings): EmailSettings {
  const address = toAddressId(textOf(extra, 'address') ?? '');
  const [name, sentFolder] = [textOf(extra, 'name'), textOf(extra, 'sent_folder')];
  return {
    address,
    ...(name !== undefined && { name }),
    user: textOf(extra, 'user') ?? address,
    password: secrets['password'] ?? '',
    imap: readServer(extra, 'imap', 993),
    smtp: readServer(extra, 'smtp', 587),
    folder: textOf(extra, 'folder') ?? 'INBOX',
    ...(sentFolder !== undefined && { sentFolder }),
    savesSent: isOn(extra['save_sent'], true),
    pollMs: secondsOf(extra, 'poll_interval', { usual: 15, most: MAX_QUIET_SECONDS }),
    idleMs: secondsOf(extra, 'idle_seconds', { usual: 60, most: MAX_QUIET_SECONDS }),
    limitMs: secondsOf(extra, 'limit_seconds', { usual: 60, most: 3_600 }),
    maxQuickReplies: numberOf(extra, 'max_quick_replies') ?? 30,
    skipsAttachments: isOn(extra['skip_attachments'], false),
    byThread: extra['conversation'] === 'thread',
    rules: {
      serverId: textOf(extra, 'authserv_id')?.toLowerCase(),
      headers: numberOf(extra, 'authserv_headers') ?? 1,
      trusted: new Set(splitList(extra['trust_from']).map(toAddressId)),
    },
  };
}

function readServer(extra: JsonObject, which: 'imap' | 'smtp', usual: number): MailServer {
  const port = numberOf(extra, `${which}_port`) ?? usual;
  const said = SECURITY.find((each) => each === extra[`${which}_security`]);
  return {
    host: textOf(extra, `${which}_host`) ?? '',
    port,
    security: said ?? (port === 993 || port === 465 ? 'tls' : 'starttls'),
    allowsSelfSigned: isOn(extra['allow_self_signed'], false),
  };
}

/** Why these settings cannot work. */
export function checkSettings({ secrets, extra }: AccountSettings): string | undefined {
  const missing = Object.entries(NEEDED).find(([key]) => textOf(extra, key) === undefined);
  if (missing !== undefined) return `Email has no ${missing[1].what}. Set ${missing[1].variable}.`;
  if ((secrets['password'] ?? '') === '') return 'Email has no password. Set EMAIL_PASSWORD; many providers want an app password here.';
  const address = textOf(extra, 'address') ?? '';
  if (parseAddress(toAddressId(address)) === undefined) return `EMAIL_ADDRESS is not an address: ${address}. Write it as name@example.com.`;
  return checkServer(extra, 'imap') ?? checkServer(extra, 'smtp') ?? checkChoice(extra, 'conversation', ['person', 'thread']);
}

const NEEDED: Readonly<Record<string, { readonly what: string; readonly variable: string }>> = {
  address: { what: 'address', variable: 'EMAIL_ADDRESS' },
  imap_host: { what: 'server to receive from', variable: 'EMAIL_IMAP_HOST' },
  smtp_host: { what: 'server to send with', variable: 'EMAIL_SMTP_HOST' },
};

function checkServer(extra: JsonObject, which: 'imap' | 'smtp'): string | undefined {
  const port = extra[`${which}_port`];
  if (port !== undefined && !(Number.isInteger(Number(port)) && Number(port) > 0 && Number(port) < 65_536))
    return `EMAIL_${which.toUpperCase()}_PORT is not a port: ${JSON.stringify(port)}. Usual ones are ${which === 'imap' ? '993 and 143' : '587 and 465'}.`;
  const wrong = checkChoice(extra, `${which}_security`, SECURITY);
  if (wrong !== undefined) return wrong;
  const { host, security } = readServer(extra, which, 1);
  return security === 'none' && !/^(?:localhost|127\.[\d.]+|::1)$/.test(host)
    ? `platforms.email.extra.${which}_security: none would send the password unprotected to ${host}. Use tls or starttls.`
    : undefined;
}

const checkChoice = (extra: JsonObject, key: string, choices: readonly string[]): string | undefined =>
  extra[key] === undefined || choices.some((choice) => choice === extra[key])
    ? undefined
    : `platforms.email.extra.${key} is ${JSON.stringify(extra[key])}. It can be ${choices.join(', ')}.`;

export const textOf = (extra: JsonObject, key: string): string | undefined => {
  const value = extra[key];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};
const numberOf = (extra: JsonObject, key: string): number | undefined => {
  const value = Number(extra[key] ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
};
const secondsOf = (extra: JsonObject, key: string, { usual, most }: { readonly usual: number; readonly most: number }): number =>
  Math.min(numberOf(extra, key) ?? usual, most) * 1_000;
const isOn = (value: Json | undefined, usual: boolean): boolean =>
  value === undefined ? usual : value === true || (typeof value === 'string' && /^(?:true|1|yes)$/i.test(value));
const splitList = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [])
    .map((each) => each.trim())
    .filter((each) => each !== '');

const needed = (to: string, describe: string): PlatformVariable => ({ to, kind: 'text', needed: true, describe });

export const EMAIL_VARIABLES: Readonly<Record<string, PlatformVariable>> = {
  EMAIL_ADDRESS: needed('extra.address', 'Address of the mailbox, such as hermes@example.com'),
  EMAIL_IMAP_HOST: needed('extra.imap_host', 'IMAP server, such as imap.example.com'),
  EMAIL_SMTP_HOST: needed('extra.smtp_host', 'SMTP server, such as smtp.example.com'),
  EMAIL_PASSWORD: {
    to: 'password',
    kind: 'text',
    secret: true,
    needed: true,
    describe: 'Password of the mailbox; many providers want an app password',
  },
  EMAIL_IMAP_PORT: { to: 'extra.imap_port', kind: 'number', describe: 'Port of the IMAP server (993)' },
  EMAIL_SMTP_PORT: { to: 'extra.smtp_port', kind: 'number', describe: 'Port of the SMTP server (587)' },
  EMAIL_POLL_INTERVAL: {
    to: 'extra.poll_interval',
    kind: 'number',
    describe: 'Seconds between two looks, where the server does not tell of new mail (15)',
  },
  EMAIL_AUTHSERV_ID: {
    to: 'extra.authserv_id',
    kind: 'text',
    asked: true,
    describe: 'Name under which your mail server writes what it found out about senders, such as mx.google.com',
  },
  EMAIL_TRUST_FROM: { to: 'extra.trust_from', kind: 'list', describe: 'Addresses that are believed without any proof' },
  EMAIL_HOME_ADDRESS: { to: 'home_channel', kind: 'text', describe: 'Address for results that came from no mail' },
};
