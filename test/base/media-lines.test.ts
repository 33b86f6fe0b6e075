import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideOpenTag, readMediaLines } from '../../src/base/markdown/media-lines.ts';
import { forAll } from '../../src/testing/seeded-random.ts';

const TAGS: readonly (readonly [source: string, text: string, ...paths: string[]])[] = [
  ['Here it is:\n\nMEDIA:/tmp/a.png\n\nDone.', 'Here it is:\n\nDone.', '/tmp/a.png'],
  ['See MEDIA: "/tmp/my file" and MEDIA:`~/b c.pdf`.', 'See and', '/tmp/my file', '~/b c.pdf'],
  ['A MEDIA:/tmp/my nice photo.JPG. Then more.', 'A Then more.', '/tmp/my nice photo.JPG'],
  ['MEDIA:/tmp/a MEDIA:/tmp/b.tar.gz, both', 'both', '/tmp/a', '/tmp/b.tar.gz'],
  ['MEDIA:/tmp/file and then words', 'and then words', '/tmp/file'],
  ['MEDIA:/tmp/a.sqlite and b.png', 'and b.png', '/tmp/a.sqlite'],
  ['- **MEDIA:/x.png**\n- (MEDIA:/y.png)\n- "MEDIA:/z.png" z', '- z', '/x.png', '/y.png', '/z.png'],
  ['> MEDIA:/a.png\r\n> b', '> b', '/a.png'],
  ['MEDIA:/a/b.png)!?', ')!?', '/a/b.png'],
  ['MULTIMEDIA:/x MEDIA:relative/x.png media:/x.png', 'MULTIMEDIA:/x MEDIA:relative/x.png media:/x.png'],
  ['`MEDIA:/x.png` and\n```\nMEDIA:/y.png\n[[as_document]]\n```', '`MEDIA:/x.png` and\n```\nMEDIA:/y.png\n[[as_document]]\n```'],
  ['1. ```\n   MEDIA:/x.png\n   ```\n2. MEDIA:/y.png', '1. ```\n   MEDIA:/x.png\n   ```', '/y.png'],
];

void test('tags are taken out of a text with the lines that held nothing else, but not out of code', () => {
  for (const [source, text, ...paths] of TAGS)
    assert.deepEqual(readMediaLines(source), { text, paths, asVoice: false, asDocument: false }, source);
});

void test('a text says how its files are to be sent', () => {
  assert.deepEqual(readMediaLines('Listen [[audio_as_voice]] now\nMEDIA:/v.ogg'), {
    text: 'Listen now',
    paths: ['/v.ogg'],
    asVoice: true,
    asDocument: false,
  });
  assert.deepEqual(readMediaLines('[[as_document]]\nMEDIA:/p.png'), { text: '', paths: ['/p.png'], asVoice: false, asDocument: true });
});

const OPEN: Readonly<Record<string, string>> = {
  'a M': 'a',
  'a MEDIA:': 'a',
  'a MEDIA: "/tmp/x y': 'a',
  'a MEDIA:/tmp/my fi': 'a',
  'a MEDIA:/tmp/x.png': 'a',
  'a MEDIA:/tmp/x.png b': 'a MEDIA:/tmp/x.png b',
  'a MEDIA:/tmp/x\n': 'a MEDIA:/tmp/x\n',
  'a [': 'a',
  'a [[audio_as_voice]': 'a',
  'a [[as_document]]': 'a [[as_document]]',
  'a [link': 'a [link',
  'a MEDIA: words': 'a MEDIA: words',
  SCUM: 'SCUM',
  '```\nMEDIA:/x.png': '```\nMEDIA:/x.png',
};

void test('a tag that is not all there yet is not shown', () => {
  for (const [source, shown] of Object.entries(OPEN)) assert.equal(hideOpenTag(source), shown, source);
});

void test('while a text grows no part of a path that is taken out in the end is ever shown', async () => {
  await forAll(200, (chance) => {
    const words = () => chance.list(0, 4, () => chance.pick(['some', 'words.', '- item', '`code`', '**b**'])).join(' ');
    const parts = chance.list(
      1,
      4,
      () =>
        `${words()}${chance.pick(['\n', ' ', '\n\n'])}MEDIA:${chance.pick(['/tmp/SECRET one.png', '"/tmp/SECRET two"', '~/SECRET.tar.gz', '/SECRET'])}\n`,
    );
    const source = parts.join('');
    const shown = Array.from({ length: source.length + 1 }, (_, length) => readMediaLines(hideOpenTag(source.slice(0, length))).text);
    assert.deepEqual(
      shown.filter((text) => text.includes('SEC') || text.includes('MED')),
      [],
    );
    assert.equal(readMediaLines(source).paths.length, parts.length);
  });
});
