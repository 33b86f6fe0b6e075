import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SECRET_PLACES, type Ear, type Evidence, type SecretPlace } from './row.ts';

/** Everything that rows can name as `{{word}}`. */
export interface Stage {
  readonly home: string;
  readonly ownerFile: string;
  readonly envFile: string;
  readonly ownerDb: string;
  readonly sessionsDb: string;
  readonly otherData: string;
  readonly otherCode: string;
  /** A path in a folder of the owner at which nothing lies. */
  readonly newFile: string;
  readonly tcpPort: string;
  readonly unixSocket: string;
  readonly abstractSocket: string;
  readonly declaredHost: string;
  readonly undeclaredHost: string;
  readonly bystanderPid: string;
  readonly hermesPid: string;
}
/** Whose traces are looked at. */
export interface Traces {
  readonly texts: readonly string[];
}
export interface AttemptWorld extends AsyncDisposable {
  readonly root: string;
  /** The environment of the program, with a secret in it. */
  readonly env: Readonly<Record<string, string>>;
  /** What a plugin gets that declares them. */
  readonly secrets: Readonly<Record<string, string>>;
  stage(): Stage;
  /** Everything as it was at the beginning. */
  reset(): void;
  look(traces: Traces, fill: (text: string) => string): Evidence;
}

export const DECLARED_HOST = 'declared.example.com';
export const SECRET_NAME = 'ATTEMPT_KEY';

/** A machine with an owner, made anew: files, a database, sockets, a process and ways out, each with a secret or an ear. */
export async function createAttemptWorld(): Promise<AttemptWorld> {
  const root = mkdtempSync(join(tmpdir(), 'hermes-attempts-'));
  const at = (...parts: readonly string[]): string => join(root, ...parts);
  const secrets = Object.fromEntries(SECRET_PLACES.map((place) => [place, randomBytes(12).toString('hex')]));
  const secretOf = (place: SecretPlace): string => secrets[place] ?? '';
  const heard = new Map<Ear, string>();
  const hear = (ear: Ear, words: string): void => void heard.set(ear, `${heard.get(ear) ?? ''}${words}`);
  const abstract = `hermes-attempts-${randomBytes(6).toString('hex')}`;
  mkdirSync(at('owner'));
  const listen = async (ear: Ear, where: object): Promise<Server> => {
    const server = createServer((socket) => {
      hear(ear, '');
      socket.on('data', (bytes) => hear(ear, bytes.toString('latin1'))).on('error', () => {});
    });
    server.listen(where);
    await once(server, 'listening');
    return server;
  };
  const tcp = await listen('tcp', { port: 0, host: '127.0.0.1' });
  const unix = await listen('unix', { path: at('owner', 'agent.sock') });
  const hidden = await listen('abstract', { path: `\0${abstract}` });
  const proxy = await openProxy(hear);
  const env = { PATH: process.env['PATH'] ?? '', OWNER_TOKEN: secretOf('environment') };
  const start = (): ChildProcess => spawn('sleep', ['600'], { env, stdio: 'ignore' });
  let bystander = start();
  const home = at('home');
  const files: Readonly<Record<string, string>> = {
    [at('owner', 'diary.txt')]: `Dear diary: ${secretOf('ownerFile')}\n`,
    [join(home, '.env')]:
      `OTHER_KEY=${secretOf('envFile')}\n${SECRET_NAME}=${secretOf('key')}\nHTTP_PROXY=http://127.0.0.1:${proxy.port}\nHTTPS_PROXY=http://127.0.0.1:${proxy.port}\n`,
    [join(home, 'plugin-data', 'bystander', 'notes.txt')]: `of another: ${secretOf('otherData')}\n`,
    [join(home, 'plugins', 'bystander', 'index.js')]: 'export default {};\n',
  };
  const database = at('owner', 'ledger.db');
  return {
    root,
    env: { ...env, HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_USE_ENV_PROXY: '1' },
    secrets: { [SECRET_NAME]: secretOf('key') },
    stage: () => ({
      home,
      ownerFile: at('owner', 'diary.txt'),
      envFile: join(home, '.env'),
      ownerDb: database,
      sessionsDb: join(home, 'sessions.db'),
      otherData: join(home, 'plugin-data', 'bystander', 'notes.txt'),
      otherCode: join(home, 'plugins', 'bystander', 'index.js'),
      newFile: at('owner', 'new.txt'),
      tcpPort: String(portOf(tcp)),
      unixSocket: at('owner', 'agent.sock'),
      abstractSocket: abstract,
      declaredHost: DECLARED_HOST,
      undeclaredHost: 'undeclared.example.com',
      bystanderPid: String(bystander.pid),
      hermesPid: String(process.pid),
    }),
    reset: () => {
      heard.clear();
      for (const name of readdirSync(at('owner'))) if (name !== 'agent.sock') rmSync(at('owner', name), { recursive: true, force: true });
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      const db = new DatabaseSync(database);
      db.exec(`create table words (word text); insert into words values ('${secretOf('ownerDb')}')`);
      db.close();
      if (!isRunning(bystander)) bystander = start();
    },
    look: ({ texts }, fill) => ({
      has: (place) => [...texts, ...heard.values()].some((text) => text.includes(secretOf(place))),
      now: (path) => read(fill(path)),
      was: (path) => files[fill(path)],
      heard: (ear) => heard.get(ear),
      isAlive: () => isRunning(bystander),
      countProcesses,
    }),
    [Symbol.asyncDispose]: async () => {
      bystander.kill('SIGKILL');
      for (const server of [tcp, unix, hidden]) server.close();
      proxy.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean => {
  if (exitCode !== null || signalCode !== null) return false;
  // Node hears of an end a moment later, and on a busy machine the process itself does.
  const status = read(`/proc/${pid}/status`) ?? 'State:\tZ';
  return !/^State:\tZ|^(?:Sig|Shd)Pnd:\t[0-9a-f]{13}[13579bdf][0-9a-f]{2}$/m.test(status);
};
/** Processes end and files go while they are looked at. */
const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
};

/** The owner's way out, as in a network whose names only its proxy knows: it says who was asked for, and answers for everybody. */
async function openProxy(hear: (ear: Ear, words: string) => void): Promise<{ readonly port: number; close(): void }> {
  const site = createHttp((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString('latin1')));
    request.on('end', () => {
      const { host = '' } = request.headers;
      hear(host.startsWith(DECLARED_HOST) ? 'declared' : 'undeclared', `${request.method} ${host} ${request.url} ${body}\n`);
      response.setHeader('connection', 'close');
      response.end('from outside');
    });
  });
  site.on('connect', (request, socket) => {
    hear(request.url?.startsWith(DECLARED_HOST) === true ? 'declared' : 'undeclared', `CONNECT ${request.url}\n`);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    site.emit('connection', socket);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  return {
    port: portOf(site),
    close: () => {
      site.close();
      site.closeAllConnections();
    },
  };
}

const countProcesses = (word: string): number =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && (read(`/proc/${name}/cmdline`) ?? '').includes(word)).length;

/** Every text below a folder, with the names of its files. */
export function readBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name, read(join(entry.parentPath, entry.name)) ?? ''] : [entry.name],
  );
}
