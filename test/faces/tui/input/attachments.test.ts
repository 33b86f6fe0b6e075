import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { AttachmentSource } from '../../../../src/contracts/attachments.ts';
import { expandReferences, type AttachmentDeps } from '../../../../src/faces/tui/input/attachments.ts';
import { createClipboardImages } from '../../../../src/faces/tui/input/clipboard.ts';
import { gitIn } from '../../../../src/faces/tui/input/git-text.ts';
import { createImageBar, findDroppedImage, readImageFile, toImage } from '../../../../src/faces/tui/input/images.ts';
import { parseLine } from '../../../../src/faces/tui/input/parse-line.ts';
import { parseReferences } from '../../../../src/faces/tui/input/references.ts';
import { drawContext } from './draw.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'references-')));
after(() => rmSync(cwd, { recursive: true, force: true }));
const never = new AbortController().signal;
const put = (name: string, content: string | Buffer): void => {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), content);
};
const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest of it', 'latin1');
const source: AttachmentSource = {
  listFiles: async () => ['src/a.ts', 'src/b.ts', 'README.md'],
  refuse: (path) => (path.endsWith('.env') ? 'holds credentials' : path.startsWith(cwd) ? undefined : `is outside of ${cwd}`),
  readPage: async (url) => (url.includes('private') ? { ok: false, why: 'The address is private.' } : { ok: true, text: 'a page' }),
};
const expand = (text: string, changes: Partial<AttachmentDeps> = {}) =>
  expandReferences(text, { cwd, window: 100_000, source, git: gitIn(cwd), ...changes }, never);

test('a line is a command, a shell command or a message, and a backslash makes it a message', () => {
  assert.deepEqual(['  ', '/help me', '!git status', '!', '\\!important', '\\/etc is a folder', 'hi /there !'].map(parseLine), [
    { type: 'empty' },
    { type: 'command', line: '/help me' },
    { type: 'shell', command: 'git status' },
    { type: 'message', text: '!' },
    { type: 'message', text: '!important' },
    { type: 'message', text: '/etc is a folder' },
    { type: 'message', text: 'hi /there !' },
  ]);
});

test('words that leave other programs leave this one, alone in a message and without a backslash', () => {
  for (const word of ['exit', ' quit ', ':q']) assert.deepEqual(parseLine(word), { type: 'command', line: '/quit' }, word);
  for (const text of ['exit now', 'Exit']) assert.deepEqual(parseLine(text), { type: 'message', text }, text);
  assert.deepEqual(parseLine('\\exit'), { type: 'message', text: 'exit' });
});

test('references are read out of a message with their lines and quotes; an address of mail is none', () => {
  const text = 'see @file:src/a.ts:3-9, (@README.md:4) @"my notes.txt":2 @diff and @staged. @git:3 @url:https://x.org/a?b=1, me@x.org @';
  assert.deepEqual(parseReferences('in @folder:. and @folder:..'), [
    { raw: '@folder:.', kind: 'folder', target: '.' },
    { raw: '@folder:..', kind: 'folder', target: '..' },
  ]);
  assert.deepEqual(parseReferences(text), [
    { raw: '@file:src/a.ts:3-9', kind: 'file', target: 'src/a.ts', lines: { from: 3, to: 9 } },
    { raw: '@README.md:4', kind: 'path', target: 'README.md', lines: { from: 4, to: 4 } },
    { raw: '@"my notes.txt":2', kind: 'path', target: 'my notes.txt', lines: { from: 2, to: 2 } },
    { raw: '@diff', kind: 'diff', target: '' },
    { raw: '@staged', kind: 'staged', target: '' },
    { raw: '@git:3', kind: 'git', target: '3' },
    { raw: '@url:https://x.org/a?b=1', kind: 'url', target: 'https://x.org/a?b=1' },
  ]);
});

test('files, lines of them, folders, images and pages come with the message; a name that is none stays a word', async () => {
  put('src/a.ts', 'one\ntwo\nthree\n');
  put('my notes.txt', 'mine\n');
  put('shot.png', PNG);
  assert.deepEqual(await expand('@file:src/a.ts:2-3 @"my notes.txt" @folder:src @shot.png @url:https://x.org @nobody @src/a.ts:2-3'), {
    ok: true,
    warnings: [],
    attached: [
      { name: 'file src/a.ts, lines 2-3', text: 'two\nthree' },
      { name: 'file my notes.txt', text: 'mine\n' },
      { name: 'folder src', text: 'src/a.ts\nsrc/b.ts' },
      { type: 'image', mime: 'image/png', data: PNG.toString('base64'), trust: 'owner' },
      { name: 'https://x.org', text: 'a page' },
      { name: 'file src/a.ts, lines 2-3', text: 'two\nthree' },
    ],
  });
});

test('a bare name that reads as a file and is none is sent as text, and that is said', async () => {
  const warnings = ['@none.md was sent as text: there is no such file.'];
  assert.deepEqual(await expand('see @none.md with @nobody'), { ok: true, warnings, attached: [] });
});

test('what cannot be sent is said with its reason, and then nothing is sent', async () => {
  put('.env', 'KEY=1\n');
  put('data.bin', Buffer.from([0, 1, 2]));
  put('fake.png', 'words');
  for (const [text, why] of [
    ['@file:.env', '@file:.env was not attached: it holds credentials.'],
    ['@.env', '@.env was not attached: it holds credentials.'],
    ['@file:/etc/hosts', `@file:/etc/hosts was not attached: it is outside of ${cwd}.`],
    ['@file:none.ts', '@file:none.ts was not attached: there is no such file.'],
    ['@folder:none', '@folder:none was not attached: there is no such folder.'],
    ['@file:src/a.ts:9', '@file:src/a.ts:9 was not attached: it has 4 lines.'],
    ['@data.bin', '@data.bin was not attached: it is binary.'],
    ['@fake.png', '@fake.png was not attached: it is no PNG, JPEG, GIF or WebP image.'],
    ['@git:500', '@git:500 was not attached: write a number from 1 to 20, such as @git:3.'],
    ['@url:http://private/', '@url:http://private/ was not attached: The address is private.'],
  ] as const)
    assert.deepEqual(await expand(text), { ok: false, why });
});

test('a large attachment is told, and more than half of the window is not sent', async () => {
  put('big.txt', 'x'.repeat(40_000));
  assert.deepEqual((await expand('@big.txt')).ok, true);
  const large = await expand('@big.txt', { window: 30_000 });
  assert.deepEqual(large.ok && large.warnings, ['What you attached is large: about 10,000 tokens, 33% of what the model takes.']);
  assert.deepEqual(await expand('@big.txt', { window: 15_000 }), {
    ok: false,
    why: 'What you attached is too much: about 10,000 tokens, 67% of what the model takes; at most 50% is sent. Attach fewer lines.',
  });
});

test('changes and commits come from git, and nothing that a repository names is run', async () => {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, encoding: 'utf8' });
  const none = await expand('@diff');
  assert.match(none.ok ? '' : none.why, /^@diff was not attached: git said: /);
  git('init', '-q');
  put('code.txt', 'before\n');
  git('add', 'code.txt');
  git('commit', '-qm', 'The first one');
  assert.deepEqual(await expand('@diff'), { ok: false, why: '@diff was not attached: there are no such changes.' });
  put('code.txt', 'after\n');
  git('config', 'diff.external', `touch ${join(cwd, 'ran')};`);
  git('config', 'core.fsmonitor', `touch ${join(cwd, 'ran')}`);
  const changed = await expand('@diff @git:1');
  const texts = changed.ok ? changed.attached.map((each) => ('text' in each ? `${each.name}: ${each.text}` : '')) : [];
  assert.match(texts[0] ?? '', /^git diff: [^]*-before\n\+after/);
  assert.match(texts[1] ?? '', /^git log -1: [^]*The first one[^]*\+before/);
  assert.equal(existsSync(join(cwd, 'ran')), false);
  git('-c', 'core.fsmonitor=false', 'add', 'code.txt');
  const staged = await expand('@staged');
  assert.equal(staged.ok && staged.attached.length, 1);
});

test('the image bar says what is attached, and gives it away once', () => {
  const bar = createImageBar();
  const read = readImageFile(join(cwd, 'shot.png'));
  assert.ok(read.ok);
  assert.deepEqual(bar.render(drawContext()), []);
  bar.add('/tmp/shot.png', read.image);
  bar.add('a\x1b[31m.png', read.image);
  assert.deepEqual(bar.render(drawContext()), ['[image 1: shot.png, 1 kB] [image 2: a.png, 1 kB] Backspace removes']);
  assert.equal(bar.removeLast(), true);
  assert.deepEqual(bar.take(), [read.image]);
  assert.equal(bar.removeLast(), false);
});

test('a file dropped into the terminal is an image only when it is one', () => {
  put('my shot.png', PNG);
  const path = join(cwd, 'my shot.png');
  const forms = [path, `'${path}'`, path.replaceAll(' ', '\\ '), `file://${path.replaceAll(' ', '%20')}`, `${path}\n`];
  assert.deepEqual(
    forms.map(findDroppedImage),
    Array.from(forms, () => path),
  );
  assert.deepEqual([`${path} and words`, join(cwd, 'none.png'), join(cwd, 'src/a.ts'), 'shot.png'].map(findDroppedImage), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(toImage(Buffer.alloc(6 * 1024 * 1024, PNG.toString('latin1'), 'latin1')).ok, false);
});

test('the clipboard is asked by what this desktop has, one at a time', async () => {
  const asked: string[] = [];
  const release = Promise.withResolvers<Buffer | undefined>();
  const read = createClipboardImages({
    env: { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0' },
    platform: 'linux',
    run: async (program) => {
      asked.push(program);
      return program === 'wl-paste' ? undefined : release.promise;
    },
  });
  const first = read();
  assert.equal(read(), undefined);
  assert.equal(read(), undefined);
  release.resolve(PNG);
  assert.equal((await first)?.ok, true);
  assert.deepEqual(asked, ['wl-paste', 'xclip']);
  assert.equal((await read())?.ok, true);
  const none = createClipboardImages({ env: {}, platform: 'linux', run: async () => undefined });
  assert.deepEqual(await none(), {
    ok: false,
    why: 'the clipboard cannot be read here: install wl-clipboard or xclip, or drop the image file into the terminal',
  });
  const mac = createClipboardImages({
    env: {},
    platform: 'darwin',
    run: async () => Buffer.from(`«data PNGf${PNG.toString('hex').toUpperCase()}»\n`),
  });
  assert.equal((await mac())?.ok, true);
});
