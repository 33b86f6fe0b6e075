import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { postMail } from '../testing/mail/post.ts';
import { listMailFiles, noMailServers, PASSWORD, SERVER_ID, startMailServers } from '../testing/mail/servers.ts';
import { startProgram } from './gateway-stage.ts';
import { placeWith } from './mcp-serve-stage.ts';
import { rowsOf, userWords } from './stage.ts';

const [ANN, BOT] = ['ann@people.test', 'hermes@home.test'];
const MAIL = [
  `From: Ann <${ANN}>`,
  `To: ${BOT}`,
  'Subject: Re: The plan',
  'Message-ID: <plan-2@people.test>',
  'In-Reply-To: <plan-1@home.test>',
  'Content-Type: multipart/mixed; boundary=B',
  '',
  '--B',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'What does the table say?',
  '',
  'On Monday, Hermes wrote:',
  '> The secret word of the old mail is xyzzy.',
  '--B',
  'Content-Type: text/csv; name=table.csv',
  'Content-Disposition: attachment; filename=table.csv',
  '',
  'a,b',
  '1,2',
  '--B--',
];

test(
  'a mailbox that was set up by commands is answered by the program, over protected lines',
  { skip: noMailServers ?? false },
  async () => {
    await using servers = await startMailServers();
    servers.policy.decide = ({ sender }) =>
      sender === ANN ? `PREPEND Authentication-Results: ${SERVER_ID}; spf=pass smtp.mailfrom=${sender}` : 'DUNNO';
    await using model = await startWireServer({ answer: () => ({ text: 'It says **1** and 2.' }) });
    const place = placeWith(model.url, { platforms: { email: { extra: { allow_self_signed: true, smtp_security: 'tls' } } } });
    const env = { PATH: process.env['PATH'] ?? '', HOME: place.home, HERMES_HOME: place.home, TMPDIR: join(place.home, '..', 'tmp') };
    const run = async (args: readonly string[], input?: string) => {
      const ran = await place.run(args, { env, ...(input !== undefined && { stdin: input }) });
      return ran;
    };
    const missing = await run(['gateway', 'setup', '--platform', 'email'], `${PASSWORD}\n`);
    assert.match(missing.err, /EMAIL_ADDRESS is not set .*EMAIL_ADDRESS=VALUE/);
    const variables = {
      ADDRESS: BOT,
      IMAP_HOST: 'localhost',
      IMAP_PORT: servers.ports.imap,
      SMTP_HOST: 'localhost',
      SMTP_PORT: servers.ports.smtps,
      AUTHSERV_ID: SERVER_ID,
    };
    writeFileSync(
      join(place.home, '.env'),
      Object.entries(variables)
        .map(([name, value]) => `EMAIL_${name}=${value}\n`)
        .join(''),
    );
    const setUp = await run(['gateway', 'setup', '--platform', 'email', '--owner', ANN], `${PASSWORD}\n`);
    assert.equal(setUp.code, 0, setUp.err);
    assert.match(setUp.out, /Wrote EMAIL_PASSWORD, platforms\.email\.owners/);

    const program = startProgram(['gateway', 'run'], place.cwd, env);
    try {
      while (!/Gateway running/.test(program.err())) await Promise.race([sleep(20), program.ended.then(() => assert.fail(program.err()))]);
      assert.match(program.err(), /email: connected as hermes@home\.test/);
      await postMail(MAIL.join('\r\n'), { port: servers.ports.smtp, protocol: 'smtp', from: ANN, to: BOT });
      const answers = (): string[] => listMailFiles(servers.maildir(ANN));
      while (answers().length === 0) await Promise.race([sleep(20), program.ended.then(() => assert.fail(program.err()))]);
      const mail = await simpleParser(readFileSync(answers()[0] ?? ''));
      assert.deepEqual(
        [mail.from?.text, mail.subject, mail.inReplyTo, mail.references, mail.text?.trim()],
        [BOT, 'Re: The plan', '<plan-2@people.test>', ['<plan-1@home.test>', '<plan-2@people.test>'], 'It says 1 and 2.'],
      );
      const [asked = ''] = model.requests.flatMap((request) => userWords(request));
      assert.match(
        asked,
        /^What does the table say\?\n\n\[Attached: a file "table\.csv" \(text\/csv, \d+ bytes\), saved as .*; its text is attached\]/,
      );
      // The session begins with it, so what it answers is told beside it, as somebody's words.
      assert.match(asked, /written by others: email quote\]\nIt replies to this message: .*xyzzy/);
      const [session] = rowsOf<{ id: string }>(await run(['sessions', 'list', '--json']));
      const shown = await run(['sessions', 'show', session?.id ?? '', '--json']);
      assert.match(shown.out, /"quoted": "On Monday, Hermes wrote:\\n> The secret word of the old mail is xyzzy\."/);
      assert.doesNotMatch(program.err(), new RegExp(PASSWORD));
    } finally {
      program.kill('SIGTERM');
      await program.ended;
    }
  },
);
