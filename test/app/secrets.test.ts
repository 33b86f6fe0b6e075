import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { withToolMasking, loadSharedSecrets } from '../../src/app/host/redaction.ts';
import { openSecrets, describeSkippedSecrets } from '../../src/app/host/secrets.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { toolingOf } from './tooling.ts';
import { resolveHome } from '../../src/base/home.ts';

function tempHome(files: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'hermes-secrets-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return resolveHome({ HERMES_HOME: root });
}
const value = (index: number): string => `Val${index}ue7x9Kq2LmRt${index}`;

test('values come from .env, the credential stores and the environment, and keep their first name', () => {
  const home = tempHome({
    '.env': `SOME_KEY=${value(1)}\nMODE=everyday-words\nLOGIN=${value(2)}\n`,
    'auth.json': JSON.stringify({ providers: { nous: { access_token: value(3), expires: '2026-01-02', tokens: [value(4)] } } }),
    'mcp-tokens/linear.json': JSON.stringify({ refresh_token: value(5), scope: 'read write' }),
  });
  const env = { OTHER_NAME_KEY: value(1), SHELL_TOKEN: value(6), HARMLESS: value(7), PROXY: `http://me:${value(8)}@proxy:1` };
  const secrets = openSecrets(home, env);
  assert.deepEqual(secrets.names(), [
    'LOGIN',
    'SOME_KEY',
    'auth.providers.nous.access_token',
    'auth.providers.nous.tokens.1',
    'linear.refresh_token',
    'PROXY',
    'SHELL_TOKEN',
  ]);
  assert.equal(secrets.redact(value(7)), value(7), 'a variable that is named like no secret is none');
});

test('a home without any of them, or with broken ones, knows no secrets', () => {
  assert.deepEqual(openSecrets(tempHome(), {}).names(), []);
  assert.deepEqual(openSecrets(tempHome({ 'auth.json': '{"cut', 'mcp-tokens': 'a file' }), {}).names(), []);
});

test('what stands in .env is hidden whatever its name, and so is what the environment calls a password', () => {
  const home = tempHome({
    '.env': 'DB_PASS=Wint3rgarden!42\nGITHUB_PAT=zxcv9918qwopT\nODD=qT7_bb!x9\nHERMES_MODEL=qwen2.5:72b-instruct\n',
  });
  const secrets = openSecrets(home, { MYSQL_PWD: 'Sommer!2031', PWD: '/home/me/Sommer!2032', OLDPWD: '/srv/Sommer!2033' });
  assert.deepEqual(secrets.names(), ['DB_PASS', 'GITHUB_PAT', 'ODD', 'MYSQL_PWD']);
  const shown = secrets.redact('Wint3rgarden!42 zxcv9918qwopT qT7_bb!x9 Sommer!2031 qwen2.5:72b-instruct /home/me/Sommer!2032');
  assert.doesNotMatch(shown, /Wint3r|zxcv|qT7|Sommer!2031/);
  assert.match(shown, /qwen2\.5:72b-instruct \/home\/me\/Sommer!2032$/);
});

test('what is named a secret and is not treated as one is told by its name alone', () => {
  const home = tempHome({
    '.env': `SHORT_KEY=abc\nWORD_KEY=not-needed\nEMPTY_KEY=\nREAL_KEY=${value(1)}\nTIMEZONE=Europe/Berlin\n`,
    'auth.json': '{"kind":"everyday","api_key":"not-needed"}',
  });
  assert.deepEqual(describeSkippedSecrets(home, { SHELL_PIN: '4711', TERM: 'xterm' }), [
    'SHORT_KEY (too short)',
    'WORD_KEY (plain words)',
    'auth.api_key (plain words)',
    'SHELL_PIN (too short)',
    'TIMEZONE (plain words)',
  ]);
});

test('the salt is made once, for its owner alone, and only when there is something to hide', () => {
  const home = tempHome({ '.env': `SOME_KEY=${value(1)}\n` });
  const salt = join(home.root, 'secrets.salt');
  openSecrets(home, {}).redact('nothing to hide in here');
  assert.equal(existsSync(salt), false);
  const first = openSecrets(home, {}).redact(value(1));
  assert.equal(statSync(salt).mode & 0o777, 0o600);
  assert.match(readFileSync(salt, 'utf8'), /^[0-9a-f]{32}\n$/);
  assert.equal(openSecrets(home, {}).redact(value(1)), first);
});

test('where no salt can be kept, secrets are hidden all the same', (context) => {
  if (process.getuid?.() === 0) return context.skip('root may write everywhere');
  const home = tempHome({ '.env': `SOME_KEY=${value(1)}\n` });
  chmodSync(home.root, 0o500);
  const secrets = openSecrets(home, {});
  assert.equal(secrets.restore(secrets.redact(value(1))), value(1));
  assert.notEqual(secrets.redact(value(1)), value(1));
  chmodSync(home.root, 0o700);
});

test('what one part learns all of a process keep, and whether looks are masked is decided once', () => {
  const env = { HERMES_HOME: tempHome().root };
  const secrets = loadSharedSecrets(env);
  const [strict, lax] = [withToolMasking(secrets, true), withToolMasking(secrets, false)];
  loadSharedSecrets(env).learn('refreshed', value(1));
  for (const each of [strict, lax]) assert.match(each.mask(value(1)), /^«secret:refreshed:/);
  assert.match(strict.mask('DB_PASSWORD=a1b2c3d4e5'), /«secret:/);
  assert.equal(lax.mask('DB_PASSWORD=a1b2c3d4e5'), 'DB_PASSWORD=a1b2c3d4e5');
});

test("values in the workspace's .env files are hidden wherever they show", async () => {
  const home = tempHome();
  const secrets = openSecrets(home, {});
  const { root: cwd } = tempHome({
    '.env': `# mine\nOTHER=${value(1)}\nexport QUOTED="${value(2)}"\nPORT=8080\nDATABASE_URL=postgres://me:${value(3)}@localhost/app\n`,
    '.env.local': `LOCAL=${value(4)}\n`,
    'packages/api/.env': `API=${value(5)}\n`,
    '.env.example': `EXAMPLE=${value(6)}\n`,
    'node_modules/x/.env': `THEIRS=${value(7)}\n`,
    'notes.txt': 'hi\n',
  });
  const config = await loadConfig(home.config, {}, () => {});
  const { terminal } = await toolingOf({ home, config, env: process.env, cwd, secrets });
  await using _ = terminal;
  for (const line of [
    'grep -rn "" .',
    'find . -type f -exec cat {} +',
    'cat $(ls -A | grep -v node_modules) 2>/dev/null; cat packages/api/.env',
    '. ./.env; echo "$OTHER $QUOTED $DATABASE_URL"',
    'tar cf - . | cat',
    'mv .env z.txt; cat z.txt; base64 -w 0 z.txt; mv z.txt .env',
  ]) {
    const { output } = await terminal.run(line, { signal: new AbortController().signal, timeoutMs: 20_000, maxOutput: 100_000 });
    for (const index of [1, 2, 3, 4, 5]) assert.ok(!output.includes(value(index)), `${line}: ${index}`);
    assert.match(output, /«secret:\.env\.OTHER:[0-9a-f]+/, line);
  }
  const { output } = await terminal.run('cat .env.example; echo port 8080', {
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    maxOutput: 1_000,
  });
  assert.ok(output.includes(value(6)) && output.includes('port 8080'), 'examples and plain settings are shown');
});
