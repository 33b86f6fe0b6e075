import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ALL_PAGES, readAnchors, readHeadings, readCommands, readLinks } from './pages.ts';

test('every link and every picture leads to a file that is there, and to a heading of it', () => {
  const broken = ALL_PAGES.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    return readLinks(text)
      .filter((link) => !leads(page, text, link))
      .map((link) => `${page}: ${link}`);
  });
  assert.deepEqual(broken, []);
});

function leads(page: string, text: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(file)) return false;
  if (anchor === undefined || !file.endsWith('.md')) return true;
  return readAnchors(path === '' ? text : readFileSync(file, 'utf8')).has(anchor);
}

test('the README says the same in both languages: the same headings, commands and pictures', () => {
  const [english, chinese] = ['README.md', 'README.zh-CN.md'].map((page) => {
    const text = readFileSync(page, 'utf8');
    return {
      headings: readHeadings(text),
      commands: readCommands(page, text).map((command) => ({ ...command, at: '' })),
      pictures: readLinks(text).filter((link) => link.endsWith('.svg')),
    };
  });
  assert.ok((english?.commands.length ?? 0) > 5);
  assert.deepEqual(chinese, english);
});

test('every page of docs/ can be reached from the README', () => {
  const reached = new Set<string>();
  const follow = (page: string): void => {
    if (reached.has(page)) return;
    reached.add(page);
    for (const link of readLinks(readFileSync(page, 'utf8'))) {
      const target = join(dirname(page), link.split('#')[0] ?? '');
      if (target.endsWith('.md') && existsSync(target)) follow(target);
    }
  };
  follow('README.md');
  assert.deepEqual(
    globSync('docs/*.md').filter((page) => !reached.has(page)),
    [],
  );
});

test('every picture is shown on a page, and holds nothing of the machine it was made on', () => {
  const shown = new Set(ALL_PAGES.flatMap((page) => readLinks(readFileSync(page, 'utf8')).map((link) => join(dirname(page), link))));
  const pictures = globSync('docs/images/*.{svg,png}').toSorted();
  assert.ok(pictures.length > 0);
  assert.deepEqual(
    pictures.filter((picture) => !shown.has(picture)),
    [],
  );
  for (const picture of pictures.filter((each) => each.endsWith('.svg'))) {
    const text = readFileSync(picture, 'utf8');
    assert.match(text, /^<svg [^]*<\/svg>\n$/);
    assert.doesNotMatch(text, /\/tmp\/(?!ada\/)|\/home\/|\/root\b|\/Users\/|127\.0\.0\.1/, picture);
  }
});

test('a broken link, a missing heading and a mark are seen where they are', () => {
  assert.equal(leads('README.md', '# One\n', '#one'), true);
  assert.equal(leads('README.md', '# One\n', '#two'), false);
  assert.equal(leads('docs/tools.md', '', 'no-such-page.md'), false);
  assert.deepEqual(readLinks('[a](b.md) ![c](d.svg) `[e](f)` <img src="g.svg"> [h](https://i)'), ['b.md', 'd.svg', 'g.svg']);
  const page = '<!-- skipped "npm": slow -->\n\n```sh\nnpm ci  # install\nhermes \\\n  --version\n```\n\n```sh\nls\n```\n';
  assert.deepEqual(readCommands('x.md', page), [
    { at: 'x.md:4', text: 'npm ci', exits: 0, notRun: 'slow' },
    { at: 'x.md:6', text: 'hermes --version', exits: 0 },
    { at: 'x.md:10', text: 'ls', exits: 0 },
  ]);
});
