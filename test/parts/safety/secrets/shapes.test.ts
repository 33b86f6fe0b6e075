import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsWith } from './setup.ts';

const masked = (text: string): string =>
  secretsWith({})
    .mask(text)
    .replace(/«secret:([\w.-]+):[0-9a-f]+»/g, '<$1>');

const FOUND: readonly (readonly [text: string, shown: string])[] = [
  ['git push https://ghp_a1b2c3d4e5f6g7h8i9j0k1l2@github.com', 'git push https://<github-token>@github.com'],
  ['OPENAI sk-proj-Ab12Cd34Ef56Gh78Ij90 works', 'OPENAI <api-key> works'],
  ['id AKIA1234567890ABCDEF.', 'id <aws-key-id>.'],
  ['AIzaSyA1234567890abcdefghijklmnopqrstu', '<google-key>'],
  ['hf_abcdefghijABCDEFGHIJ12', '<huggingface-token>'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123', '<jwt>'],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic <authorization>'],
  ['curl -H "X-Api-Key: 12345678abc"', 'curl -H "X-Api-Key: <api-key-header>"'],
  ['mysql://root:hunter2@localhost/x', 'mysql://root:<url-password>@localhost/x'],
  ['/cb?code=a1b2c3d4e5&state=x', '/cb?code=<query-parameter>&state=x'],
  ['DB_PASSWORD=a1b2c3d4e5', 'DB_PASSWORD=<assignment>'],
  ['"apiKey": "a1b2-c3d4.e5!"', '"apiKey": "<assignment>"'],
  ["client_secret: 'x9y8z7w6v5'", "client_secret: '<assignment>'"],
  ['STRIPE_SIGNING_KEY=a1b2c3d4e5', 'STRIPE_SIGNING_KEY=<assignment>'],
  [
    '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\ndef==\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\n<private-key>\n-----END RSA PRIVATE KEY-----',
  ],
];
for (const [text, shown] of FOUND) test(`masked: ${text.slice(0, 50)}`, () => assert.equal(masked(text), shown));

const CODE = `const token = await nextToken();
if (password === undefined) throw new Error('password: missing');
const apiKey = process.env.OPENAI_API_KEY;
secret: \${{ secrets.DEPLOY }}
max_tokens: 16384, "total_tokens": 123456789
api_key = "your-api-key-here"
password: <your password>
tokenizer: bert-base-uncased
import { secretSettings } from './settings.ts';
https://user@example.com/path?page=2&sort=name
-----BEGIN PUBLIC KEY-----
sk-learn is a library, the risk-assessment-of-everything-we-do too
commit 3f786850e387550fdab836ed7e6dc881de23001b
key: value, primary_key: id
`;
test('code, words, numbers and references are left alone', () => assert.equal(masked(CODE), CODE));

test('what looked like a secret comes back whole, as long as the process lives', () => {
  const secrets = secretsWith({});
  const text = FOUND.map(([each]) => each).join('\n');
  const shown = secrets.mask(text);
  assert.equal(secrets.restore(shown), text);
  assert.deepEqual(secrets.lost(shown), []);
  assert.deepEqual(secretsWith({}).lost(shown), [...new Set(shown.match(/«[^»]+»/g))]);
  assert.equal(secretsWith({}).restore(shown), shown);
});

test('what is only masked in results is not taken for a secret elsewhere', () => {
  const secrets = secretsWith({});
  secrets.mask('DB_PASSWORD=a1b2c3d4e5');
  assert.equal(secrets.redact('the word a1b2c3d4e5'), 'the word a1b2c3d4e5');
});
