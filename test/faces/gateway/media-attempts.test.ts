import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createOutgoingFiles } from '../../../src/app/tools/outgoing-files.ts';
import { judgeReads } from '../../../src/app/tools/read-checks.ts';
import { FilesError, type Files } from '../../../src/contracts/files.ts';
import type { ReadOutgoingFile } from '../../../src/contracts/outgoing-file.ts';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import { localFiles } from '../../../src/parts/terminals/files/local.ts';
import { guardFiles } from '../../../src/parts/tools/builtin/files/guarded.ts';
import { openScene, type GatewayScene } from './scene.ts';

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-media-')));
const home = join(outside, 'person');
mkdirSync(home);
const before = process.env['HOME'];
process.env['HOME'] = home;
after(() => {
  if (before !== undefined) process.env['HOME'] = before;
  rmSync(outside, { recursive: true, force: true });
});

/** Stands in every file that must not go out. */
const SECRET = 'TOP-SECRET';

/** Where an attempt can put things: the chat's own folder, the profile, another chat's folder, a place nobody gave. */
interface Grounds {
  readonly own: string;
  readonly profile: string;
  readonly other: string;
  /** A value that only the agent may know. */
  readonly token: string;
}
/** Prepares a file and gives what the model writes behind `MEDIA:`. */
type Attempt = (grounds: Grounds) => string;

const put = (path: string, text = `${SECRET} of ${path}`): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const linkTo = (path: string, target: string): string => {
  symlinkSync(target, path);
  return path;
};
const hardLink = (path: string, target: string): string => {
  linkSync(target, path);
  return path;
};
const named =
  (name: string): Attempt =>
  ({ own }) =>
    put(join(own, name));

/** Wherever commands run. */
const EVERYWHERE: Readonly<Record<string, Attempt>> = {
  'an environment file': named('.env'),
  'an environment file of production': named('app/.env.production'),
  'an environment file of direnv': named('.envrc'),
  'an SSH key': named('keys/id_rsa'),
  'an SSH key of another kind': named('keys/id_ed25519'),
  'a PEM file': named('tls/server.pem'),
  'a private key': named('tls/server.key'),
  'a password store': named('vault.kdbx'),
  'a file of passwords': named('passwords.txt'),
  'a file of secrets': named('secrets.yaml'),
  'a file of tokens': named('token.txt'),
  'a service account': named('my-service-account.json'),
  'a package credential': named('.npmrc'),
  'a file with another case': named('ID_RSA'),
  'a symbolic link to a secret': ({ own }) => linkTo(join(own, 'picture.png'), put(join(own, 'a/.env'))),
  'a link to a link to a secret': ({ own }) => linkTo(join(own, 'report.pdf'), linkTo(join(own, 'middle'), put(join(own, 'b/.env')))),
  'a link to a folder with a secret': ({ own }) => {
    put(join(own, 'c/.env'));
    return join(linkTo(join(own, 'harmless'), join(own, 'c')), '.env');
  },
  'a secret by way of dots': ({ own }) => {
    put(join(own, 'd/.env'));
    mkdirSync(join(own, 'd/deep'));
    return join(own, 'd') + '/deep/../.env';
  },
  'a hard link to the credential of the agent': ({ own, profile }) => hardLink(join(own, 'notes.txt'), put(join(profile, 'auth.json'))),
  'the environment of the process': () => '/proc/self/environ',
  'the environment by way of a task': () => '/proc/thread-self/environ',
  'a link to the environment': ({ own }) => linkTo(join(own, 'env.txt'), '/proc/self/environ'),
  'a root below the kernel': ({ profile }) => `/proc/self/root${put(join(profile, 'MEMORY.md'))}`,
  'an open file of the process': () => '/proc/self/fd/0',
  'a file of the kernel': () => '/sys/kernel/notes',
  'a device that never ends': () => '/dev/zero',
  'a link to a device': ({ own }) => linkTo(join(own, 'noise.bin'), '/dev/urandom'),
  'a pipe nobody writes to': ({ own }) => {
    execFileSync('mkfifo', [join(own, 'pipe.txt')]);
    return join(own, 'pipe.txt');
  },
  'a folder': ({ own }) => {
    mkdirSync(join(own, 'folder.zip'));
    return join(own, 'folder.zip');
  },
  'the folder itself': ({ own }) => own,
  nothing: ({ own }) => join(own, 'nothing.png'),
  'nothing at the end of a link': ({ own }) => linkTo(join(own, 'dangling.png'), join(own, 'gone.png')),
  'a ring of links': ({ own }) => linkTo(join(own, 'ring.png'), join(own, 'ring.png')),
  'a path through a file': ({ own }) => join(put(join(own, 'plain.txt'), 'words'), 'below.txt'),
  'an empty file': ({ own }) => put(join(own, 'empty.txt'), ''),
  'a file that is too large': ({ own }) => {
    truncateSync(put(join(own, 'large.bin')), 60_000_000);
    return join(own, 'large.bin');
  },
  "the agent's settings": ({ profile }) => join(profile, 'config.yaml'),
  "the agent's keys": ({ profile }) => put(join(profile, '.env')),
  "the agent's memory": ({ profile }) => put(join(profile, 'memories/USER.md')),
  "the agent's sessions": ({ profile }) => join(profile, 'sessions.db'),
  'a link to the settings of the agent': ({ own, profile }) => linkTo(join(own, 'settings.txt'), join(profile, 'config.yaml')),
  "another chat's folder": ({ other }) => put(join(other, 'diary.txt')),
  "another chat's folder by dots": ({ own, other }) => `${own}/../${put(join(other, 'letter.txt')).slice(dirname(own).length + 1)}`,
  "a link to another chat's folder": ({ own, other }) =>
    join(linkTo(join(own, 'next-door'), other), put(join(other, 'plan.txt')).slice(other.length + 1)),
  'a file that poses as one a tool made': ({ profile }) => put(join(profile, 'cache/images/0123456789abcdef01234567.png')),
  'a copy of a key of the agent': ({ own, token }) => put(join(own, 'output.log'), `connecting with ${token}\n`),
  'a picture with a key of the agent in it': ({ own, token }) => put(join(own, 'x.png'), `\x89PNG\r\n\x1a\n\0\xff${token}\0`),
  'a key of the agent in base64': ({ own, token }) => put(join(own, 'b64.txt'), Buffer.from(token).toString('base64')),
  'an SSH key at home': () => (put(join(home, '.ssh/id_ed25519')), '~/.ssh/id_ed25519'),
  'a credential of the cloud at home': () => (put(join(home, '.aws/credentials')), '~/.aws/credentials'),
  'a history at home': () => (put(join(home, '.bash_history')), '~/.bash_history'),
};

/** Where commands run behind a wall: files of this machine that are not seen there. */
const BEHIND_A_WALL: Readonly<Record<string, Attempt>> = {
  'a file of this machine': () => put(join(outside, 'machine.txt')),
  'a file at home': () => (put(join(home, 'letter.txt')), '~/letter.txt'),
  'a file at home by its whole name': () => put(join(home, 'invoice.pdf')),
  'a link out of the sandbox': ({ own }) => linkTo(join(own, 'way-out.txt'), put(join(outside, 'behind.txt'))),
  'a link to a folder out of the sandbox': ({ own }) => {
    put(join(outside, 'far/word.txt'));
    return join(linkTo(join(own, 'tunnel'), join(outside, 'far')), 'word.txt');
  },
};

const lastWords = ({ messages }: ModelRequest): string =>
  messages
    .findLast(({ message }) => message.role === 'user')
    ?.message.content.map((block) => (block.type === 'text' ? block.text : ''))
    .join('') ?? '';

/** A gateway whose model answers with what the person said, and a first word so that the chat has a folder. */
async function openEcho(backend: string): Promise<GatewayScene & { readonly grounds: Grounds }> {
  const scene = await openScene({
    script: async (request) => ({ text: lastWords(request) }),
    files: { '.env': `EXAMPLE_API_KEY=${TOKEN}\n` },
    config: `streaming:\n  enabled: false\nterminal:\n  backend: ${backend}\n`,
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hello');
  await scene.until(() => scene.said().length === 1);
  const [session] = await scene.host().store.list({});
  assert.ok(session !== undefined);
  const other = join(dirname(session.cwd), 'telegram-0000000000000000');
  mkdirSync(other);
  return Object.assign(scene, { grounds: { own: session.cwd, profile: scene.root, other, token: TOKEN } });
}

/** A value of the agent's environment. */
const TOKEN = 'sk-Zx81Qm4LtR7vB2nK9wPdY3';
const PER_ANSWER = 10;

async function attemptAll(backend: string, attempts: Readonly<Record<string, Attempt>>): Promise<void> {
  await using scene = await openEcho(backend);
  const { server, ann, dm, bot } = scene.stage;
  const paths = new Map(Object.entries(attempts).map(([name, attempt]) => [name, attempt(scene.grounds)]));
  const all = [...paths.values()];
  for (let at = 0; at < all.length; at += PER_ANSWER) {
    const lines = all.slice(at, at + PER_ANSWER).map((path) => `MEDIA:"${path}"`);
    server.people.say(dm, ann, ['Here it is.', ...lines].join('\n'));
    await scene.until(() => scene.said().length === 2 + at / PER_ANSWER);
  }
  const sent = server.log.all(dm).filter(({ from, media }) => from === bot.id && media !== undefined);
  assert.deepEqual(sent, []);
  const told = scene.said().join('\n');
  const untold = [...paths].filter(([, path]) => !told.includes(`I could not send ${path}: `)).map(([name]) => name);
  assert.deepEqual(untold, []);
  assert.ok(!JSON.stringify(server.log.requests.filter(({ params }) => params['chat_id'] !== undefined)).includes(`${SECRET} of`));
}

const COUNT = Object.keys(EVERYWHERE).length;
describe('files that must not go out stay, and each is told', { concurrency: true }, () => {
  test(`${COUNT} on this machine itself`, () => attemptAll('local', EVERYWHERE));
  test(`${COUNT + Object.keys(BEHIND_A_WALL).length} in a sandbox`, () => attemptAll('sandbox', { ...EVERYWHERE, ...BEHIND_A_WALL }));
});

/** A reader of a place whose files do something at the moment a step is taken. */
function readerOf(files: Files, folder: string, kind = 'local'): ReadOutgoingFile {
  const profile = join(folder, 'profile');
  const guard = guardFiles(profile);
  const judge = judgeReads({ judging: { kind, workspace: folder, profile }, home, guard });
  const terminal = { kind, cwd: folder, files, run: never, start: never, [Symbol.asyncDispose]: async () => {} };
  return createOutgoingFiles({ terminal, guard, judge: async () => judge, profile, cwd: folder });
}
const never = (): never => assert.fail('no command is run');
const limits = { maxBytes: 1_000_000, signal: new AbortController().signal };
const textOf = (result: Awaited<ReturnType<ReadOutgoingFile>>): string =>
  result.ok ? result.file.bytes.toString() : `not sent: ${result.why}`;

/** Does something before or after one of the steps, once. */
function disturb(files: Files, step: 'real' | 'stat' | 'open' | 'read', when: 'before' | 'after', act: () => void): Files {
  let isDone = false;
  const once = (now: 'before' | 'after', at: string): void => {
    if (isDone || now !== when || at !== step) return;
    isDone = true;
    act();
  };
  const around = async <Value>(at: string, work: () => Promise<Value>): Promise<Value> => {
    once('before', at);
    const value = await work();
    once('after', at);
    return value;
  };
  return {
    ...files,
    home: files.home,
    real: (path) => around('real', () => files.real(path)),
    stat: (path) => around('stat', () => files.stat(path)),
    ...(files.open !== undefined && { open: (path) => around('open', async () => files.open?.(path)) }),
    read: async function* (path, signal) {
      once('before', 'read');
      yield* files.read(path, signal);
      once('after', 'read');
    },
  };
}

describe('a file that takes the name of another while it is looked at', () => {
  const { open: _, ...unopened } = { ...localFiles, home };
  const places: Readonly<Record<string, readonly [Files, string]>> = {
    'on this machine': [localFiles, 'local'],
    'far away': [unopened, 'ssh'],
  };
  const swaps: Readonly<Record<string, (path: string, secret: string) => void>> = {
    'a link': (path, secret) => (rmSync(path), symlinkSync(secret, path)),
    'a hard link': (path, secret) => (rmSync(path), linkSync(secret, path)),
    'the other file': (path, secret) => renameSync(secret, path),
  };
  /** What is there before anybody looks is what was asked for, where its name is all there is to go by. */
  const first: Readonly<Record<string, number>> = {
    'the other file on this machine': 5,
    'a hard link far away': 3,
    'the other file far away': 3,
  };
  const moments = (['real', 'stat', 'open', 'read'] as const).flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]);
  for (const [place, [files, kind]] of Object.entries(places))
    for (const [what, swap] of Object.entries(swaps))
      test(`${what} does not go out ${place}`, async () => {
        for (const [step, when] of moments.slice(first[`${what} ${place}`] ?? 0)) {
          const folder = mkdtempSync(join(outside, 'swap-'));
          const path = put(join(folder, 'picture.txt'), 'harmless');
          const secret = put(join(folder, 'profile/auth.json'));
          const reader = readerOf(
            disturb(files, step, when, () => swap(path, secret)),
            folder,
            kind,
          );
          const text = textOf(await reader(path, limits));
          assert.ok(text === 'harmless' || text.startsWith('not sent: '), `${step}, ${when}: ${text}`);
        }
      });
});

test('another name of a credential does not go out, though it is there only while it is opened', async () => {
  const folder = mkdtempSync(join(outside, 'moment-'));
  const path = put(join(folder, 'picture.txt'), 'harmless');
  const secret = put(join(folder, 'profile/auth.json'));
  const files: Files = {
    ...localFiles,
    home,
    open: async (name) => {
      rmSync(path);
      linkSync(secret, path);
      const opened = await localFiles.open?.(name);
      rmSync(path);
      put(path, 'harmless');
      return opened;
    },
  };
  assert.match(textOf(await readerOf(files, folder)(path, limits)), /^not sent: it is another name of/);
});

test('a name that is swapped without end leads to the harmless file or to nothing', async () => {
  const folder = mkdtempSync(join(outside, 'race-'));
  const path = join(folder, 'way.txt');
  const targets = [put(join(folder, 'picture.txt'), 'harmless'), put(join(folder, 'profile/auth.json'))];
  const script = `const fs = require('node:fs'); for (let n = 0; ; n++) { const link = process.argv[1] + '.new'; fs.symlinkSync(process.argv[2 + n % 2], link); fs.renameSync(link, process.argv[1]); }`;
  const swapping = spawn(process.execPath, ['-e', script, path, ...targets], { stdio: 'ignore' });
  try {
    while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 5));
    const reader = readerOf(localFiles, folder);
    for (let tries = 0; tries < 200; tries++) {
      const text = textOf(await reader(path, limits));
      assert.ok(text === 'harmless' || text.startsWith('not sent: '), text);
    }
  } finally {
    swapping.kill('SIGKILL');
  }
});

test('a file that grows past the bound while it is read does not go out', async () => {
  const folder = mkdtempSync(join(outside, 'grow-'));
  const path = put(join(folder, 'log.txt'), 'words');
  const reader = readerOf(
    disturb(localFiles, 'open', 'after', () => truncateSync(path, 1_000_001)),
    folder,
  );
  assert.deepEqual(await reader(path, limits), { ok: false, why: 'it is larger than 1 MB, the most that can be sent there' });
});

test('a file that cannot be read does not go out, and it is said why', async () => {
  const folder = mkdtempSync(join(outside, 'shut-'));
  const path = put(join(folder, 'shut.txt'), 'words');
  const shut: Files = {
    ...localFiles,
    home,
    open: async () => {
      throw new FilesError('EACCES', 'permission denied');
    },
  };
  assert.deepEqual(await readerOf(shut, folder)(path, limits), { ok: false, why: 'it may not be read' });
  assert.deepEqual(await readerOf(localFiles, folder)('shut.txt', limits), { ok: false, why: 'the path is not absolute' });
});
