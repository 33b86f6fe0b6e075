import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeededRandom, forAll } from '../../../../src/testing/seeded-random.ts';
import { createScanner, type ScanCount } from '../../../../src/parts/safety/secrets/scanner.ts';
import { listSecretForms } from '../../../../src/parts/safety/secrets/forms.ts';
import { anyText, key, secretsWith, textWith } from './setup.ts';

const KEY = 'k9fJ2mQx7Lp0';
const PASSWORD = 'p"w/d é\\x y+z 99';

test('a value becomes a placeholder with its name, the same in every run of a home and another in every other home', () => {
  const [first, again, elsewhere] = [secretsWith({ MY_KEY: KEY }), secretsWith({ MY_KEY: KEY }), secretsWith({ MY_KEY: KEY }, 'another')];
  const said = first.redact(`key ${KEY}.`);
  assert.match(said, /^key «secret:MY_KEY:[0-9a-f]{10}»\.$/);
  assert.equal(again.redact(`key ${KEY}.`), said);
  assert.notEqual(elsewhere.redact(`key ${KEY}.`), said);
  assert.equal(again.restore(said), `key ${KEY}.`);
  assert.deepEqual(elsewhere.lost(said), [said.slice(4, -1)]);
});

const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  JSON: (value) => JSON.stringify({ value }),
  'JSON inside JSON': (value) => JSON.stringify({ log: JSON.stringify({ value }) }),
  'JSON in ASCII': (value) =>
    // oxlint-disable-next-line no-control-regex -- what is not ASCII is what this is about
    JSON.stringify(value).replace(/[^\u0000-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  address: encodeURIComponent,
  'address in small letters': (value) => encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
  form: (value) => new URLSearchParams({ value }).toString(),
  base64: (value) => Buffer.from(value).toString('base64'),
  'base64, one byte on': (value) => Buffer.from(`:${value}:`).toString('base64'),
  'base64, two bytes on': (value) => Buffer.from(`u:${value}.`).toString('base64'),
  base64url: (value) => Buffer.from(`user:${value}`).toString('base64url'),
  hex: (value) => Buffer.from(value).toString('hex'),
  HEX: (value) => Buffer.from(value).toString('hex').toUpperCase(),
};
for (const [name, encode] of Object.entries(ENCODINGS))
  test(`a value is found in ${name} and comes back letter for letter`, () => {
    for (const value of [KEY, PASSWORD]) {
      const secrets = secretsWith({ SOME: value });
      const text = `before ${encode(value)} after`;
      const said = secrets.redact(text);
      assert.match(said, /«secret:SOME:/, said);
      assert.ok(!said.includes(value));
      assert.equal(secrets.restore(said), text);
    }
  });

test('of values that begin at the same place the longest is taken, and one inside another is its own elsewhere', () => {
  const secrets = secretsWith({ SHORT: 'abcdefgh12', LONG: 'abcdefgh12345678' });
  assert.deepEqual(secrets.redact('abcdefgh12345678 abcdefgh12').match(/SHORT|LONG/g), ['LONG', 'SHORT']);
});

test('most of a value that something cut off is hidden as well, and comes back as long as it was', () => {
  const value = 'k9fJ2mQx7Lp0v4Rt8Ws1Zd';
  const secrets = secretsWith({ MY_KEY: value });
  const said = secrets.redact(`a long line ${value.slice(0, 18)}… and ${value.slice(0, 9)}`);
  assert.match(said, /^a long line «secret:MY_KEY:[0-9a-f]{10}:~18»… and k9fJ2mQx7$/);
  assert.equal(secrets.restore(said), `a long line ${value.slice(0, 18)}… and ${value.slice(0, 9)}`);
});

test('a value that becomes known later is redacted from then on', () => {
  const secrets = secretsWith({});
  assert.equal(secrets.redact(`token ${KEY}`), `token ${KEY}`);
  secrets.learn('refreshed', KEY);
  assert.match(secrets.redact(`token ${KEY}`), /^token «secret:refreshed:/);
  assert.deepEqual(secrets.names(), ['refreshed']);
});

test('a secret inside what only pretends to be a placeholder is found', () => {
  const secrets = secretsWith({ MY_KEY: KEY });
  assert.ok(!secrets.redact(`«secret:${KEY}:0123456789»`).includes(KEY));
});

test('restoring undoes redacting and masking, both do nothing the second time', () =>
  forAll(400, (random) => {
    const known = Object.fromEntries(random.list(0, 8, (index) => [`NAME_${index}`, random.hits(0.5) ? key(random) : anyText(random)]));
    const secrets = secretsWith(known, random.seed);
    const text = textWith(random, Object.values(known));
    for (const clean of [secrets.redact, secrets.mask]) {
      const said = clean(text);
      assert.equal(secrets.restore(said), text);
      assert.equal(clean(said), said);
      assert.equal(secrets.redact(said), said);
      for (const value of Object.values(known)) assert.ok(!said.includes(value), said);
    }
  }));

test('a stream gives what redacting the whole gives, wherever it is cut', () =>
  forAll(400, (random) => {
    const known = Object.fromEntries(random.list(1, 6, (index) => [`NAME_${index}`, random.hits(0.5) ? key(random) : anyText(random)]));
    const secrets = secretsWith(known, random.seed);
    const text = textWith(random, Object.values(known));
    const stream = secrets.stream();
    let said = '';
    for (let at = 0; at < text.length;) {
      const length = random.int(1, random.hits(0.5) ? 3 : 40);
      said += stream.push(text.slice(at, at + length));
      for (const value of Object.values(known)) assert.ok(!said.includes(value));
      at += length;
    }
    assert.equal(said + stream.end(), secrets.redact(text));
  }));

test('a stream holds nothing back that cannot become a secret', () => {
  const stream = secretsWith({ MY_KEY: KEY }).stream();
  assert.equal(stream.push('an everyday sentence.'), 'an everyday sentence.');
  assert.equal(stream.push(`and ${KEY.slice(0, 5)}`), 'and ');
  assert.equal(stream.push(' no'), `${KEY.slice(0, 5)} no`);
});

test('two hundred secrets in a megabyte take fewer looks than the text has characters', () => {
  const random = createSeededRandom('two hundred');
  const values = Array.from({ length: 200 }, () => key(random, 20, 48));
  const scanner = createScanner(values.flatMap((value) => listSecretForms(value).map(({ text }) => text)));
  const line = `${Array.from({ length: 12 }, () => key(random, 2, 9)).join(' ')} an everyday line of a log file, nothing to see\n`;
  const text = line.repeat(Math.ceil(1_000_000 / line.length));
  const tally: ScanCount = { steps: 0 };
  assert.equal(scanner.find(text, 0, tally), undefined);
  assert.ok(tally.steps < text.length / 2, `${tally.steps} looks at ${text.length} characters`);
});

const TOKEN = 'sk-proj-Ab12Cd34Ef56Gh78Ij90';
const SPREAD: Readonly<Record<string, string>> = {
  'a value wrapped over lines': 'is sk-proj-Ab12C\nd34Ef56Gh\n  78Ij90 here',
  'a value that is spaced out': Array.from(TOKEN).join(' '),
  'a value with one character a line': Array.from(TOKEN).join('\n'),
  'a value put together from strings': "'sk-proj-Ab12' +\n  'Cd34Ef56Gh78Ij90'",
  'a value backwards': Array.from(TOKEN).toReversed().join(''),
  'a value backwards and spaced out': Array.from(TOKEN).toReversed().join(' '),
  'a value wrapped in a numbered file': '  9|sk-proj-Ab12Cd\n 10|34Ef56Gh78Ij90',
  'wrapped base64': Buffer.from(`xx${TOKEN}y`).toString('base64').replaceAll(/.{10}/g, '$&\n'),
  'spaced hex': Buffer.from(TOKEN).toString('hex').replaceAll(/..../g, '$& '),
};
for (const [name, text] of Object.entries(SPREAD))
  test(`${name} is found in what a tool puts out, and comes back letter for letter`, () => {
    const secrets = secretsWith({ API: TOKEN });
    const shown = secrets.redactOutput(`before ${text} after`);
    assert.match(shown, /^before .*«secret:API:[0-9a-f]+».* after$/s);
    assert.doesNotMatch(shown.replaceAll(/[^A-Za-z0-9]/g, ''), /Ab12Cd34Ef56|65fE43dC21bA/);
    assert.equal(secrets.restore(shown), `before ${text} after`);
    assert.equal(secrets.redactOutput(shown), shown);
    assert.match(secrets.mask(text), /«secret:API:/);
  });

test('words, and parts of a value far from its rest, are left alone', () => {
  const secrets = secretsWith({ API: TOKEN, PASS: '!?/+ 3x', SHORT: 'a1b2c3d4' });
  for (const text of ['sk-proj-Ab12 and then other words Cd34Ef56Gh78Ij90', 'a1 b2 c3 d4', 'a list:\n- one\n- two\n', '3 x'])
    assert.equal(secrets.redactOutput(text), text);
});
