import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dovecotConfig, postfixMain, postfixMaster, type MailPorts } from './configuration.ts';
import { startPolicy, type MailPolicy } from './policy.ts';

const SETPRIV = '/usr/bin/setpriv';
const PROGRAMS = [
  SETPRIV,
  '/usr/sbin/dovecot',
  '/usr/sbin/postfix',
  '/usr/lib/dovecot/lmtp',
  '/usr/lib/dovecot/modules/lib90_sieve_plugin.so',
];

/** Why no mail server can be run here; told by the tests that are skipped. */
export const noMailServers: string | undefined = whyNot();
if (noMailServers !== undefined) console.log(`mail: skipped, ${noMailServers}`);

function whyNot(): string | undefined {
  const missing = PROGRAMS.find((path) => !existsSync(path));
  if (missing !== undefined) return `there is no ${missing} (apt install dovecot-imapd dovecot-lmtpd dovecot-sieve postfix)`;
  return process.getuid?.() === 0 ? undefined : 'postfix runs only for root';
}

export const PASSWORD = 'secret';
/** The name under which the server says what it found out about senders. */
export const SERVER_ID = 'mx.test';

/**
 * A real dovecot and a real postfix on loopback; everything of them lies in one folder. Every address has a mailbox, whose password
 * is `PASSWORD`. Postfix hands what it takes to dovecot.
 */
export interface MailServers extends AsyncDisposable {
  readonly root: string;
  readonly ports: MailPorts;
  /** Decides about each mail that postfix is offered. */
  readonly policy: MailPolicy;
  /** The certificate, signed by nobody but itself. */
  readonly certificate: string;
  maildir(address: string): string;
  /** What a person lets dovecot do with mails that come. */
  setSieve(address: string, script: string): void;
  /** Ends the server at once, and starts it again. */
  stop(which: ServerName): Promise<void>;
  /** Waits until postfix has delivered all it has taken. */
  settle(): Promise<void>;
  start(which: ServerName): Promise<void>;
}
export type ServerName = 'dovecot' | 'postfix';

export async function startMailServers(): Promise<MailServers> {
  // A short name: sockets lie below it.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hm-')));
  chmodSync(root, 0o755);
  const policy = await startPolicy();
  const ports: MailPorts = { ...(await findPorts('imap', 'imaps', 'lmtp', 'auth', 'smtp', 'smtps')), policy: policy.port };
  const { imap, lmtp, auth, smtp, smtps } = ports;
  const certificate = join(root, 'cert.pem');
  prepare(root, ports);
  const portsOf = (which: ServerName): number[] => (which === 'dovecot' ? [imap, lmtp, auth] : [smtp, smtps]);
  const running = new Map<ServerName, ChildProcess>();
  const start = async (which: ServerName): Promise<void> => {
    running.set(which, startServer(which, root));
    await Promise.all(portsOf(which).map((port) => waitForPort(port, true)));
  };
  const stop = async (which: ServerName): Promise<void> => {
    const child = running.get(which);
    running.delete(which);
    if (child === undefined) return;
    const over = once(child, 'exit');
    // With all it started.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await over;
    await Promise.all(portsOf(which).map((port) => waitForPort(port, false)));
  };
  await Promise.all([start('dovecot'), start('postfix')]);
  return {
    root,
    ports,
    policy,
    certificate,
    maildir: (address) => join(root, 'mail', address, 'Maildir'),
    setSieve: (address, script) => {
      const home = join(root, 'mail', address);
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, '.dovecot.sieve'), script);
      for (const path of [home, join(home, '.dovecot.sieve')]) chownSync(path, MAIL_ID, MAIL_ID);
    },
    start,
    stop,
    settle: async () => {
      // A mail that moves from one folder to the next while they are read is seen in neither: none must be there twice in a row.
      for (let empty = 0; empty < 2; await sleep(10)) empty = isMailUnderWay(root) ? 0 : empty + 1;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([stop('dovecot'), stop('postfix')]);
      await policy[Symbol.asyncDispose]();
      if (process.env['HERMES_MAIL_LOGS'] === '1')
        for (const log of ['dc/log', 'pf/log']) console.log(readFileSync(join(root, log), 'utf8'));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const isMailUnderWay = (root: string): boolean =>
  globSync(join(root, 'pf/spool/{incoming,active,deferred,maildrop}/**/*')).some(isTakenMail);

/** What postfix was being told when it was killed lies there for days, without the sign of a mail that it has taken. */
function isTakenMail(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o100) !== 0;
}

/** Folders of postfix, which its own start-up script makes in seconds. */
const QUEUES = 'active bounce corrupt defer deferred flush hold incoming maildrop private public saved trace'.split(' ');
/** The user `mail`, which every Debian has. */
const MAIL_ID = 8;

function prepare(root: string, ports: MailPorts): void {
  for (const folder of ['dc/run', 'dc/state', 'mail', 'pf/etc', 'pf/spool/pid']) mkdirSync(join(root, folder), { recursive: true });
  chownSync(join(root, 'mail'), MAIL_ID, MAIL_ID);
  const postfix = Number(execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' }));
  for (const folder of ['data', ...QUEUES.map((name) => `spool/${name}`)]) {
    mkdirSync(join(root, 'pf', folder), { recursive: true, mode: 0o700 });
    chownSync(join(root, 'pf', folder), postfix, 0);
  }
  const [key, cert] = [join(root, 'key.pem'), join(root, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      ...names,
    ],
    { stdio: 'ignore' },
  );
  writeFileSync(join(root, 'dc/dovecot.conf'), dovecotConfig(root, ports));
  writeFileSync(join(root, 'pf/etc/main.cf'), postfixMain(root, ports));
  writeFileSync(join(root, 'pf/etc/master.cf'), postfixMaster(ports));
}

function startServer(which: ServerName, root: string): ChildProcess {
  const [program, args] =
    which === 'dovecot'
      ? ['/usr/sbin/dovecot', ['-F', '-c', join(root, 'dc/dovecot.conf')]]
      : ['/usr/lib/postfix/sbin/master', ['-c', join(root, 'pf/etc'), '-d']];
  // Whatever becomes of the test, its servers end with it.
  return spawn(SETPRIV, ['--pdeathsig', 'TERM', program, ...args], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '' },
  });
}

async function findPorts<Name extends string>(...names: readonly Name[]): Promise<Record<Name, number>> {
  const servers = names.map((name) => ({ name, server: createServer().listen(0, '127.0.0.1') }));
  await Promise.all(servers.map(({ server }) => once(server, 'listening')));
  const ports = servers.map(({ name, server }) => [name, Number(Object(server.address()).port)] as const);
  await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return Object.fromEntries(ports) as Record<Name, number>;
}

async function waitForPort(port: number, wanted: boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
      () => false,
    );
    socket.destroy();
    if (isOpen === wanted) return;
    await sleep(50);
  }
  throw new Error(wanted ? `Nothing listens at ${port}.` : `Something still listens at ${port}.`);
}

/** Mails of a folder, the first one first, as files. */
export function listMailFiles(maildir: string, folder = ''): string[] {
  return ['new', 'cur']
    .map((kind) => join(maildir, folder, kind))
    .flatMap((path) => (existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []))
    .toSorted((one, other) => deliveredAt(one) - deliveredAt(other));
}
/** When it was put there, in seconds. Names begin with the second, and the microsecond behind `M`. */
export function deliveredAt(path: string): number {
  const [, second = '0', micro = '0'] = /\/(\d+)\.M(\d+)P/.exec(path) ?? [];
  return Number(second) + Number(micro) / 1e6;
}
