import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { readAccounts } from '../../../src/faces/gateway/accounts/accounts.ts';
import { email } from '../../../src/platforms/email/index.ts';
import { checkSettings, readSettings } from '../../../src/platforms/email/settings.ts';
import { explainFailure } from '../../../src/platforms/email/smtp.ts';
import { DEFAULTS } from '../../faces/gateway/platform-kinds.ts';

/** Files that are loaded with this one, and what they load from packages. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import (?!type)|\} from)[^'\n]*'([^']+)'/gm))
    if (path.startsWith('.')) loadedWith(join(dirname(file), path), seen);
    else seen.add(path);
  return seen;
}

test('mail libraries are loaded with the adapter, which opens in a worker, and with nothing before it', () => {
  const libraries = (file: string): string[] =>
    [...loadedWith(file)].filter((name) => /^(?:imapflow|mailparser|nodemailer)/.test(name)).toSorted();
  assert.deepEqual(libraries('src/platforms/email/index.ts'), []);
  assert.deepEqual(libraries('src/platforms/email/adapter.ts'), [
    'imapflow',
    'mailparser',
    'nodemailer/lib/mail-composer',
    'nodemailer/lib/smtp-connection',
  ]);
});

const EXTRA = { address: 'Hermes@Home.test', imap_host: 'imap.home.test', smtp_host: 'smtp.home.test' };
const check = (extra: JsonObject, password = 'x') => checkSettings({ secrets: password === '' ? {} : { password }, extra });

test('what is missing or cannot work is told with what to set', () => {
  const { address, ...noAddress } = EXTRA;
  assert.equal(check(EXTRA), undefined);
  assert.match(check(noAddress) ?? '', /EMAIL_ADDRESS/);
  assert.match(check({ address }) ?? '', /EMAIL_IMAP_HOST/);
  assert.match(check({ address, imap_host: 'x' }) ?? '', /EMAIL_SMTP_HOST/);
  assert.match(check(EXTRA, '') ?? '', /EMAIL_PASSWORD/);
  assert.match(check({ ...EXTRA, address: 'hermes' }) ?? '', /EMAIL_ADDRESS is not an address/);
  assert.match(check({ ...EXTRA, imap_port: 'many' }) ?? '', /EMAIL_IMAP_PORT is not a port/);
  assert.match(check({ ...EXTRA, smtp_security: 'ssl' }) ?? '', /smtp_security is "ssl"\. It can be tls, starttls, none/);
  assert.match(check({ ...EXTRA, imap_security: 'none' }) ?? '', /unprotected to imap\.home\.test/);
  assert.equal(check({ ...EXTRA, imap_host: '127.0.0.1', imap_security: 'none' }), undefined);
  assert.match(check({ ...EXTRA, conversation: 'subject' }) ?? '', /conversation is "subject"/);
});

test('a mailbox has safe defaults', () => {
  const { password, imap, smtp, rules, ...rest } = readSettings({ secrets: { password: 'p' }, extra: EXTRA });
  const secure = { allowsSelfSigned: false } as const;
  assert.deepEqual(imap, { host: 'imap.home.test', port: 993, security: 'tls', ...secure });
  assert.deepEqual(smtp, { host: 'smtp.home.test', port: 587, security: 'starttls', ...secure });
  assert.deepEqual(rules, { serverId: undefined, headers: 1, trusted: new Set() });
  assert.deepEqual(rest, {
    address: 'hermes@home.test',
    user: 'hermes@home.test',
    folder: 'INBOX',
    savesSent: true,
    pollMs: 15_000,
    idleMs: 60_000,
    limitMs: 60_000,
    maxQuickReplies: 30,
    skipsAttachments: false,
    byThread: false,
  });
  assert.equal(password, 'p');
});

test('variables of the environment are enough', () => {
  const env = {
    EMAIL_ADDRESS: 'hermes@home.test',
    EMAIL_PASSWORD: 'p',
    EMAIL_IMAP_HOST: 'i',
    EMAIL_IMAP_PORT: '143',
    EMAIL_SMTP_HOST: 's',
    EMAIL_SMTP_PORT: '465',
    EMAIL_POLL_INTERVAL: '30',
    EMAIL_ALLOWED_USERS: 'Ann@X.test',
    EMAIL_ALLOW_ALL_USERS: 'no',
    EMAIL_HOME_ADDRESS: 'ann@x.test',
    EMAIL_AUTHSERV_ID: 'MX.home',
    EMAIL_TRUST_FROM: 'Kim@X.test, lee@x.test',
  };
  const [account] = readAccounts(DEFAULTS, env, [email]).accounts;
  assert.ok(account !== undefined);
  const { enabled, access, homeChannel, problems, settings } = account;
  assert.deepEqual(
    [enabled, access.allowedUsers, access.owners, access.strangers, homeChannel, problems],
    [true, ['ann@x.test'], ['ann@x.test'], 'ignore', { chatId: 'ann@x.test' }, []],
  );
  const { imap, smtp, pollMs, rules } = readSettings(settings);
  assert.deepEqual(
    [imap.security, smtp.security, pollMs, rules],
    ['starttls', 'tls', 30_000, { serverId: 'mx.home', headers: 1, trusted: new Set(['kim@x.test', 'lee@x.test']) }],
  );
  assert.deepEqual(email.credentials(settings), { mailbox: 'i hermes@home.test' });
});

test('what the server says about a mail decides what becomes of it', () => {
  const rows: readonly (readonly [what: string, error: object, isHandedOver: boolean, type: string])[] = [
    ['no connection', { code: 'ESOCKET' }, false, 'not_sent'],
    ['a line that broke before the mail was handed over', { code: 'ECONNECTION' }, false, 'not_sent'],
    ['a line that broke while or after it was', { code: 'ECONNECTION' }, true, 'unknown'],
    ['silence after it was', { code: 'ETIMEDOUT' }, true, 'unknown'],
    ['a wrong password', { code: 'EAUTH', responseCode: 535, response: '535 5.7.8 Bad credentials' }, false, 'not_sent'],
    ['no login', { code: 'EENVELOPE', responseCode: 530, response: '530 5.7.0 Log in first' }, false, 'not_sent'],
    ['a certificate nobody vouches for', { code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, false, 'not_sent'],
    ['too fast', { responseCode: 450, response: '450 4.7.1 Slow down', command: 'RCPT TO' }, false, 'limited'],
    ['too many', { responseCode: 421, response: '421 4.7.0 Too many mails' }, false, 'limited'],
    ['no room now', { responseCode: 452, response: '452 4.2.2 Mailbox full' }, false, 'not_sent'],
    [
      'trouble after it was handed over, which says no',
      { responseCode: 451, response: '451 4.3.0 Trouble', command: 'DATA' },
      true,
      'not_sent',
    ],
    ['no such person', { responseCode: 550, response: '550 5.1.1 No such user', command: 'RCPT TO' }, false, 'dead'],
    ['no such person, of a server of few words', { responseCode: 550, response: '550 no', command: 'RCPT TO' }, false, 'dead'],
    ['a mailbox that was switched off', { responseCode: 550, response: '550 5.2.1 Disabled', command: 'RCPT TO' }, false, 'dead'],
    ['it looks like spam', { responseCode: 550, response: '550 5.7.1 Spam', command: 'DATA' }, true, 'refused'],
    ['too large', { code: 'EMESSAGE' }, false, 'refused'],
    ['a word in the wrong place', { responseCode: 503, response: '503 5.5.1 Bad sequence' }, false, 'not_sent'],
  ];
  for (const [what, error, isHandedOver, type] of rows)
    assert.equal(explainFailure(Object.assign(new Error(what), error), isHandedOver, { limitMs: 1 }).type, type, what);
});
