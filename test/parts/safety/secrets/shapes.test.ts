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
  ['<password>a1b2c3</password>', '<password><xml-password></password>'],
  ['<server><x:dbPassword type="clear">Tr0ub4dor&amp;3</x:dbPassword>', '<server><x:dbPassword type="clear"><xml-password></x:dbPassword>'],
  ['<add key="Smtp.Password" value="hunter22x" />', '<add key="Smtp.Password" value="<xml-password>" />'],
  ['AKIA1234567890ABCDEF,wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzKEY12', '<aws-key-id>,<aws-secret>'],
  ['for aws:\nwJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzKEY12\n', 'for aws:\n<aws-secret>\n'],
  ['"SecretAccessKey": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzKEY12"', '"SecretAccessKey": "<aws-secret>"'],
  ['https://hooks.slack.com/services/T00000000/B00000000/a1b2c3d4e5f6g7h8i9j0k1l2', 'https://hooks.slack.com/services/<webhook>'],
  ['https://discord.com/api/webhooks/1234567890/a1b2c3d4e5f6g7h8-i9j0_k1l2', 'https://discord.com/api/webhooks/<webhook>'],
  ['STRIPE whsec_a1b2c3d4e5f6g7h8i9j0k1l2', 'STRIPE <webhook-secret>'],
  ['{"auths":{"ghcr.io":{"auth":"dXNlcjpwYXNz"}}}', '{"auths":{"ghcr.io":{"auth":"<docker-auth>"}}}'],
  ['mysql -u root -phunter2 shop', 'mysql -u root -p<typed-password> shop'],
  ["mysqldump -p'correct 7h0rse' shop", "mysqldump -p'<typed-password>' shop"],
  ['sshpass -p hunter2 ssh host', 'sshpass -p <typed-password> ssh host'],
  ['redis-cli -h cache -a hunter2 ping', 'redis-cli -h cache -a <typed-password> ping'],
  ['curl -s -u admin:hunter2 https://example.org', 'curl -s -u admin:<typed-password> https://example.org'],
  ['curl --user "me:s3cr3t!" https://example.org', 'curl --user "me:<typed-password>" https://example.org'],
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
<password>your-password</password> <password>\${env.PASS}</password> <tokenCount>12345</tokenCount> <Token>identifier</Token>
aws s3 cp da39a3ee5e6b4b0d3255bfef95601890afd80709 s3://bucket
https://hooks.slack.com/services/T000/B000/XXXX and "auth": "basicAuthentication", "auth": "none"
mysql -p shop; mysql -u root -p$PASS -P3306; mysqldump -pPASSWORD; sshpass -p $PW ssh; docker run -p 8080:80 mysql
curl -u user:password https://example.org; curl -u "$USER:$PASS" x; curl -u user https://a1.example.org:8443
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
