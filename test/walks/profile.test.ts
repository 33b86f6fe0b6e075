import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';

const KEY = 'sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

/** A person with nothing but a home folder: no variable says where hermes keeps its things. */
function person() {
  const home = tempHome();
  const root = join(home, '.hermes');
  mkdirSync(root);
  writeFileSync(join(root, 'config.yaml'), '# mine\nmodel:\n  provider: openrouter\n  default: some/model\n');
  writeFileSync(join(root, '.env'), `OPENROUTER_API_KEY=${KEY}\n`, { mode: 0o600 });
  const run = (...args: readonly string[]) => hermes(args, { home, env: { HERMES_HOME: '' } });
  const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).out);
  return { home, root, run, json };
}

test('a profile has sessions of its own, is used by name or from now on, and goes to the trash', async () => {
  const { root, run, json } = person();
  await using server = await startWireServer({ answer: () => ({ text: 'fine' }) });
  const { out } = await run('profile', 'create', 'work', '--clone', '--description', 'the office');
  assert.match(out, /^Created the profile work in .*\nCopied: config\.yaml, \.env\.\nTo use it: hermes -p work\n$/);
  await run('-p', 'work', 'chat', '-q', 'at work', ...toServer(server.url));
  const titles = async (...args: readonly string[]) =>
    (await json(...args, 'sessions', 'list')).map(({ title }: { readonly title: string }) => title);
  assert.deepEqual([await titles(), await titles('-p', 'work'), await titles('--profile=work')], [[], ['at work'], ['at work']]);

  await run('profile', 'use', 'work');
  assert.deepEqual([await titles(), await titles('-p', 'default')], [['at work'], []]);
  assert.match((await run('profile', 'list')).out, /\* +work +some\/model +the office/);
  const standing = await run('profile', 'delete', 'work', '--yes');
  assert.deepEqual([standing.code, standing.out], [2, '']);
  assert.match(standing.err, /runs in the profile work\. Run it in another one: hermes -p default profile/);
  assert.match((await run('-p', 'default', 'profile', 'delete', 'work')).err, /add --yes/);
  const [, trash = ''] =
    /^Moved the profile work to (.*)\.\n$/.exec((await run('-p', 'default', 'profile', 'delete', 'work', '--yes')).out) ?? [];
  assert.ok(existsSync(join(trash, 'config.yaml')) && !existsSync(join(root, 'profiles', 'work')));
  assert.deepEqual(await titles(), [], 'the default one is used again');
});

test('hostile names lead nowhere, on every command that takes one', async () => {
  const { root, run } = person();
  const before = execFileSync('find', [root], { encoding: 'utf8' });
  for (const name of ['../evil', '/etc', '-x', '$(touch hacked)', 'a\nb', '\u001b[2J'])
    await Promise.all(
      [
        ['profile', 'create', '--', name],
        ['profile', 'use', '--', name],
        ['profile', 'rename', '--', name, 'other'],
        ['profile', 'delete', '--yes', '--', name],
        ['profile', 'export', '--', name, join(root, 'x.tar.gz')],
        ['-p', name, 'profile', 'list'],
      ].map(async (args) => {
        const { code, out, err } = await run(...args);
        assert.deepEqual([code, out], [2, ''], args.join(' '));
        assert.match(err, /^hermes: /, args.join(' '));
        assert.ok(!err.includes('\u001b') && err.trimEnd().split('\n').length === 1, JSON.stringify(err));
      }),
    );
  assert.equal(execFileSync('find', [root], { encoding: 'utf8' }), before);
});

test('an export carries no key, and its import says what its settings could do', async () => {
  const { home, root, run } = person();
  writeFileSync(
    join(root, 'config.yaml'),
    `model:\n  provider: openrouter\n  default: some/model\nmcp_servers:\n  a: {command: a-server, env: {TOKEN: "${KEY}"}}\n`,
  );
  mkdirSync(join(root, 'memories'));
  writeFileSync(join(root, 'memories', 'MEMORY.md'), `The key is ${KEY}.\n`);
  const file = join(home, 'mine.tar.gz');
  assert.match(
    (await run('profile', 'export', 'default', file)).out,
    /^Exported the profile default to .*: config\.yaml, memories\.\nLeft out: .*\.env/,
  );
  assert.ok(!execFileSync('tar', ['-xzOf', file]).includes(KEY));
  const imported = await run('profile', 'import', file, 'copy');
  assert.match(
    imported.out,
    /can start programs or change what is asked \(mcp_servers\)\. If somebody else made it, read its config\.yaml first\./,
  );
  assert.match(readFileSync(join(root, 'profiles', 'copy', 'config.yaml'), 'utf8'), /a-server/);
});
