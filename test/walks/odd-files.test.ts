import { doesNotMatch, equal, match, notEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const SECRET = 'sk-live-9f8e7d6c5b4a';

/** Files in place of `config.yaml` that stop every command, and what is said. */
const CONFIGS: readonly (readonly [name: string, make: (path: string) => void, said: RegExp])[] = [
  ['a folder', (path) => mkdirSync(path), /config\.yaml: the file could not be read: it is a folder, not a file/],
  ['a pipe', (path) => void execFileSync('mkfifo', [path]), /config\.yaml: the file could not be read: it is a pipe, not a file/],
  [
    'a link to nowhere',
    (path) => symlinkSync('/nowhere/config.yaml', path),
    /it is a link to \/nowhere\/config\.yaml, which does not exist/,
  ],
  ['a link to itself', (path) => symlinkSync(path, path), /config\.yaml: the file could not be read: /],
  ['UTF-16', (path) => writeFileSync(path, utf16('model:\n  default: m\n')), /it is UTF-16 text\. Save it as UTF-8/],
  [
    'random bytes',
    (path) => writeFileSync(path, Buffer.from([0x61, 0x3a, 0x0a, 0xfe, 0x00, 0x81])),
    /line 2 contains bytes that are not text/,
  ],
  ['two documents', (path) => writeFileSync(path, 'model: a\n---\nmodel: b\n'), /config\.yaml:2: a second document begins here/],
  ['10 MB', (path) => writeFileSync(path, 'key: value\n'.repeat(1_000_000)), /it has 10\.5 MB, and at most 1 MB is read/],
];

for (const [name, make, said] of CONFIGS)
  test(`a config.yaml that is ${name} stops commands in words`, async () => {
    const home = tempHome();
    make(join(home, 'config.yaml'));
    for (const args of [
      ['chat', '-q', 'hi'],
      ['config', 'check'],
    ]) {
      const { code, out, err } = await hermes(args, { home });
      match(out + err, said);
      doesNotMatch(out + err, /This is a bug/);
      equal(code, args[0] === 'config' ? 1 : 2, out + err);
    }
  });

test('a large config.yaml that is still read takes no longer than a person waits', async () => {
  const home = tempHome();
  writeFileSync(join(home, 'config.yaml'), Array.from({ length: 40_000 }, (_, n) => `unknown_key_${n}: value`).join('\n'));
  const { err } = await hermes(['config', 'check'], { home });
  doesNotMatch(err, /This is a bug/);
});

const ENVS: readonly (readonly [name: string, make: (path: string) => void, said: RegExp])[] = [
  [
    'an open quote',
    (path) => writeFileSync(path, `A=1\nOPENAI_API_KEY="${SECRET}\nB=2\nC="3"\n`),
    /\.env:2: the quote that begins the value of OPENAI_API_KEY is not closed/,
  ],
  ['an open quote at its end', (path) => writeFileSync(path, `A='1\n`), /\.env:1: the quote that begins the value of A is not closed/],
  [
    'random bytes',
    (path) => writeFileSync(path, Buffer.from([0x41, 0x3d, 0x31, 0x0a, 0x80, 0xff, 0x3d])),
    /\.env could not be read: line 2 contains bytes that are not text/,
  ],
  ['a pipe', (path) => void execFileSync('mkfifo', [path]), /\.env could not be read: it is a pipe/],
  ['a link to nowhere', (path) => symlinkSync('/nowhere/.env', path), /\.env could not be read: it is a link to \/nowhere\/\.env/],
];

for (const [name, make, said] of ENVS)
  test(`a .env with ${name} stops the chat, and doctor tells it without its bytes`, async () => {
    const home = tempHome();
    make(join(home, '.env'));
    const chat = await hermes(['chat', '-q', 'hi'], { home });
    match(chat.err, said);
    equal(chat.code, 2);
    const doctor = await hermes(['doctor'], { home });
    match(doctor.out + doctor.err, said);
    doesNotMatch(chat.err + doctor.out + doctor.err, new RegExp(`This is a bug|${SECRET}|\uFFFD`));
    notEqual(doctor.code, 0);
  });

test('a .env with lines that are passed over is told with file and line, and the chat goes on', async () => {
  await using wired = await startWireServer({ replies: [{ text: 'Hello.' }] });
  const home = tempHome();
  const key =
    '-----BEGIN KEY-----\nMIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1Pt8Qu\nKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwECAwEAAQ==\n-----END KEY-----';
  writeFileSync(join(home, '.env'), `# a comment\nexport A=1\nJUST_A_WORD\n\nPEM="${key}"\nA=2\nB=same\nB=same\n`);
  const { code, out, err } = await hermes(['chat', '-q', 'hi', ...toServer(wired.url, 'chat_completions')], { home });
  equal(out.trim(), 'Hello.', err);
  equal(code, 0);
  match(err, /\.env:3: this line has no NAME=value and is not read\./);
  match(err, /\.env:9: A is set here and on line 2; this line counts\./);
  doesNotMatch(err, /PEM| B is set/);
});

test('an active profile whose folder is gone stops every command but those that choose another', async () => {
  const person = tempHome();
  const run = (...args: string[]) => hermes(args, { home: person, env: { HERMES_HOME: '' } });
  equal((await run('profile', 'create', 'work')).code, 0);
  equal((await run('profile', 'use', 'work')).code, 0);
  rmSync(join(person, '.hermes', 'profiles', 'work'), { recursive: true });
  for (const args of [['chat', '-q', 'hi'], ['memory', 'list'], ['doctor']]) {
    const { code, err } = await run(...args);
    equal(code, 2, args.join(' '));
    match(err, /the active profile "work", chosen in .*active_profile, does not exist\. To choose another: hermes profile use default/);
  }
  equal((await run('-p', 'default', 'memory', 'list')).code, 0);
  equal((await run('profile', 'use', 'default')).code, 0);
  equal((await run('memory', 'list')).code, 0);
});
