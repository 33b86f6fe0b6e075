import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractSecrets } from '../../../../src/parts/safety/secrets/worth.ts';

const named = (value: string) => extractSecrets({ name: 'SOME_KEY', value, named: true, kept: true });
const unnamed = (value: string) => extractSecrets({ name: 'SOMETHING', value, named: false, kept: true }).secrets;

test('what is named a secret and reads like a word, a number or a path is passed over, with the reason', () => {
  for (const value of ['ollama', 'x1y2z3', '   a   ']) assert.deepEqual(named(value), { secrets: [], passedOver: 'too short' }, value);
  for (const value of [
    'not-needed',
    'changeme please',
    '1234567890',
    '/etc/ssl/private/server.pem',
    '~/.keys/id_rsa',
    'XXXXXXXX-XXXX',
    'localhost:8080',
    '********',
  ])
    assert.deepEqual(named(value), { secrets: [], passedOver: 'plain words' }, value);
  assert.deepEqual(named(''), { secrets: [] });
});

test('everything else that is named a secret is one, its parts included', () => {
  for (const value of ['hunter2hunter2', 'Zq8vL2mN', 'p@ss!w0rd', '550e8400-e29b-41d4-a716-446655440000', '/8kd9fQz71MxLp02vNt4Ws/x1'])
    assert.deepEqual(named(value).secrets, [value], value);
  assert.deepEqual(named('sk-aaaa1111bbbb2222,sk-cccc3333dddd4444').secrets, [
    'sk-aaaa1111bbbb2222',
    'sk-cccc3333dddd4444',
    'sk-aaaa1111bbbb2222,sk-cccc3333dddd4444',
  ]);
  const block = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq1\n-----END PRIVATE KEY-----';
  assert.deepEqual(named(block).secrets, ['MIIEvQIBADANBgkq1', block]);
});

test('what stands where secrets are kept is one under any name, unless it reads like an ordinary setting', () => {
  for (const value of [
    'v9Kd82mZq0Lx71Tn55',
    'Wint3rgarden!42',
    'zxcv9918qwopT',
    'x7f2-9kq1-p0z3',
    'deadbeef12345678',
    'AbCdEfGh1234',
    '550e8400-e29b-41d4-a716-446655440000',
    'korrekt!Pferd7',
  ])
    assert.deepEqual(unnamed(value), [value], value);
  for (const value of ORDINARY) assert.deepEqual(extractSecrets({ name: 'X', value, named: false, kept: true }).secrets, [], value);
  assert.equal(extractSecrets({ name: 'X', value: 'Europe/Berlin', named: false, kept: true }).passedOver, 'plain words');
  assert.equal(extractSecrets({ name: 'PINCODE', value: '4711', named: false, kept: true }).passedOver, 'too short');
});

/** Words, numbers, paths, addresses, moments and the names of models. */
const ORDINARY = [
  'true',
  '-1001234567890',
  'Europe/Berlin',
  'en_US.UTF-8',
  'productionMode',
  '["alice","bob"]',
  '*/5 * * * *',
  '2026-01-02T03:04:05Z',
  '/home/me/projects/app1',
  'C:\\Users\\me\\work2',
  'me@example.com',
  'bob.smith42@example.com',
  '192.168.178.20:8080',
  'fe80::1ff:fe23:4567:890a',
  'https://api.example.com/v1/models',
  'http://gpu-box42.lan:11434/v1',
  'anthropic/claude-sonnet-4.5-20250929',
  'gpt-4o-mini-2024-07-18',
  'qwen2.5:72b-instruct-q4_K_M',
  'Qwen3-235B-A22B-Instruct-2507',
  'mistralai/Mixtral-8x7B-Instruct-v0.1',
  'us.anthropic.claude-sonnet-4-20250514-v1:0',
];

test('what is in the process environment is a secret only by its name', () => {
  assert.deepEqual(extractSecrets({ name: 'X', value: 'v9Kd82mZq0Lx71Tn55', named: false, kept: false }), { secrets: [] });
});

test('the key in an address and the password among settings of a connection are secrets of their own', () => {
  const hook = 'https://hooks.example.com/services/T01/abcdEFGH1234ijklMNOP5678';
  assert.deepEqual(unnamed(hook), ['abcdEFGH1234ijklMNOP5678']);
  assert.deepEqual(named(hook).secrets, ['abcdEFGH1234ijklMNOP5678', hook]);
  assert.deepEqual(unnamed('host=db password=Hunter22! dbname=x'), ['Hunter22!']);
});

test('of an address only its password is a secret, as it is written and as it is meant', () => {
  assert.deepEqual(unnamed('postgres://app:s3cr3t%2Fpart@db/app'), ['s3cr3t%2Fpart', 's3cr3t/part']);
  assert.deepEqual(named('http://user:s3cr3tpart@proxy:3128').secrets, ['s3cr3tpart']);
  assert.deepEqual(unnamed('postgres://app:postgres@db/app'), []);
});
