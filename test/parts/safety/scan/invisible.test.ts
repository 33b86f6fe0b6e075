import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALLOWANCES } from '../../../../src/parts/safety/scan/characters/allowances.ts';
import { INVISIBLE_KINDS } from '../../../../src/parts/safety/scan/characters/invisible.ts';
import { scanText } from '../../../../src/parts/safety/scan/scan.ts';

const found = (text: string) => scanText(text, 'context').map(({ threat, severe }) => `${threat}${severe ? '!' : ''}`);

/** Per allowance: a text that it lets through, and the same character where it has no business. */
const CASES: Readonly<Record<string, readonly [honest: string, dishonest: string]>> = {
  'a byte order mark opens the text': ['\uFEFF# Title', '# Ti\uFEFFtle'],
  'a non-joiner between joining letters': ['می\u200Cخواهد উত্\u200C', 'want\u200Ced'],
  'a joiner after an Indic or Arabic letter': ['श्\u200Dरी', 'shr\u200Di'],
  'a joiner in an emoji sequence': ['👩\u200D🚀 ❤\uFE0F\u200D🔥', 'rocket\u200D🚀'],
  'one variation selector after an emoji or an ideograph': ['❤\uFE0F 葛\u{E0100} 1\uFE0F\u20E3', 'a\uFE0F and ❤\uFE0F\uFE0F'],
  'a zero-width space in a script without blanks': ['ระบบ\u200Bจอง 毎日の\u200B記録を、\u200Bもっと', 'book\u200Bing'],
  'one zero-width space at the edge of a word': ['fast mode \u200Bincurs\u200B a cost', 'fast \u200B\u200Bmode'],
  'a word joiner between figures and signs': ['020\u2060-0000', 'ig\u2060nore'],
  'balanced isolates around a placeholder': ['en: "\u2068{name}\u2069 joined"', 'en: "\u2068{name} joined"'],
  'a directional mark in a line from right to left': ['ראו \u200ECHANGELOG.md\u200E (גרסה)\u200F', 'ig\u200Enore'],
  'balanced embeddings in a line from right to left': ['שלום \u2066README.md\u2069 עולם', 'שלום \u2066README.md עולם'],
  'a soft hyphen between letters': ['Donau\u00ADdampf', 'a \u00AD b'],
  'tags of a flag': [
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    '🏴\u{E0049}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}\u{E007F}',
  ],
  'a grapheme joiner between vowel points': ['יְרוּשָׁלַ\u034Fִם', 's\u034Fe\u034Fcret'],
  'Mongolian selectors and separators': ['ᠮᠣᠩᠭᠣᠯ\u180Eᠠ', 'n\u180Eever'],
  'Hangul fillers in Korean text': ['초성 채움: \u115Fᅡ', 'x\u3164y'],
};

test('each allowance has its honest and its dishonest case', () => {
  assert.deepEqual(Object.keys(CASES).toSorted(), ALLOWANCES.map(({ name }) => name).toSorted());
  for (const [name, [honest, dishonest]] of Object.entries(CASES)) {
    assert.deepEqual(found(honest), [], name);
    assert.notDeepEqual(found(dishonest), [], name);
  }
});

test('every kind of invisible character is found between Latin letters', () => {
  const missed = INVISIBLE_KINDS.flatMap(({ name, ranges }) => ranges.map(([code]) => ({ name, code })))
    .filter(({ code }) => code !== 0xad && found(`wo${String.fromCodePoint(code)}rd`).length === 0)
    .map(({ name }) => name);
  assert.deepEqual(missed, []);
});

test('overrides and text in tag characters are severe', () => {
  assert.deepEqual(found('file\u202Etxt.exe'), ['bidi!']);
  assert.deepEqual(found(`x${Array.from('hello you', (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}`), [
    'invisible_unicode!',
  ]);
  assert.deepEqual(found('foot\u200Bnote'), ['invisible_unicode']);
});

test('two Latin words with letters of another alphabet are a finding; Russian with English words is none', () => {
  assert.deepEqual(found('Open the p\u0430ge and the f\u043Elder.'), ['look_alike_letters!']);
  assert.deepEqual(found('Откройте страницу README и папку docs, затем запустите npm-скрипт.'), []);
});
