import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createAttachmentSource } from '../../src/app/host/attachments.ts';
import { SETTINGS } from '../../src/app/config/config.ts';
import { openHost } from '../../src/app/host/host.ts';
import { resolveHome } from '../../src/base/home.ts';
import type { AttachedText } from '../../src/contracts/host.ts';
import type { ImageBlock } from '../../src/contracts/message.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import { never, talk } from './host-scene.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'attachments-')));
after(() => rmSync(root, { recursive: true, force: true }));
const [person, work, profile] = [join(root, 'me'), join(root, 'me', 'work'), join(root, 'profile')];
const put = (path: string, content = 'x\n'): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};
const source = (settings = {}) =>
  createAttachmentSource({
    cwd: work,
    home: resolveHome({ HERMES_HOME: profile }),
    env: { HOME: person },
    settings: { ...collectDefaults(SETTINGS), ...settings },
    notice: () => {},
  });

test('files of the workspace may be sent; what lies outside or holds credentials may not, under no name', () => {
  put(join(work, 'src', 'main.ts'));
  put(join(work, '.env'));
  put(join(person, '.ssh', 'id_ed25519'));
  put(join(person, 'notes.txt'));
  symlinkSync(join(person, 'notes.txt'), join(work, 'notes.txt'));
  symlinkSync(join(work, '.env'), join(work, 'harmless.txt'));
  linkSync(join(person, '.ssh', 'id_ed25519'), join(work, 'linked.txt'));
  const { refuse } = source();
  const verdicts = ['src/main.ts', 'src', '.env', 'notes.txt', 'harmless.txt', 'linked.txt', '../notes.txt', 'new.txt'].map((name) => [
    name,
    refuse(join(work, name)),
  ]);
  assert.deepEqual(verdicts, [
    ['src/main.ts', undefined],
    ['src', undefined],
    ['.env', 'holds credentials'],
    ['notes.txt', `is outside of ${work}`],
    ['harmless.txt', 'holds credentials'],
    ['linked.txt', 'holds credentials'],
    ['../notes.txt', `is outside of ${work}`],
    ['new.txt', undefined],
  ]);
});

test('files are listed without what .gitignore names, and no more than asked for', async () => {
  const repo = join(work, 'repo');
  put(join(repo, '.git', 'HEAD'));
  put(join(repo, '.gitignore'), 'build/\n');
  put(join(repo, 'build', 'out.js'));
  put(join(repo, 'a b', '中.ts'));
  const { listFiles } = createAttachmentSource({
    cwd: repo,
    home: resolveHome({ HERMES_HOME: profile }),
    env: { HOME: person },
    settings: collectDefaults(SETTINGS),
    notice: () => {},
  });
  assert.deepEqual((await listFiles(100, never)).toSorted(), ['.gitignore', 'a b/中.ts']);
  assert.equal((await listFiles(1, never)).length, 1);
});

test('a page is read by the rules for tools: a private address only when the owner allows it', async (t) => {
  const server = createServer((_, answer) => answer.end('a page\n'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const refused = await source().readPage(url, never);
  assert.equal(refused.ok, false);
  const read = await source({ 'security.allow_private_urls': true }).readPage(url, never);
  assert.deepEqual(read, { ok: true, text: 'a page' });
});

test('a message carries several texts and images, in their order, all as the words of others', async () => {
  await using host = await openHost();
  await using session = await host.openSession(talk([{ text: 'seen' }]));
  const text: AttachedText = { name: 'file a".ts\n<x', text: 'one' };
  const image: ImageBlock = { type: 'image', mime: 'image/png', data: 'AAAA', trust: 'owner' };
  const { content } = await session.message('look', [text, image, { name: 'git diff', text: 'two' }]);
  assert.deepEqual(
    content.map((block) => [block.type, block.trust, block.type === 'text' ? block.source : undefined]),
    [
      ['text', 'owner', undefined],
      ['text', 'foreign', 'file a_.ts _x'],
      ['image', 'foreign', undefined],
      ['text', 'foreign', 'git diff'],
    ],
  );
  const [, attached] = content;
  assert.match(attached?.type === 'text' ? attached.text : '', /^\n\n<(attached-\w+) from="file a_\.ts _x">\none\n<\/\1>\n/);
});
