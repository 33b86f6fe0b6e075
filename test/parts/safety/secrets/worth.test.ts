import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weigh } from '../../../../src/parts/safety/secrets/worth.ts';

const named = (value: string) => weigh({ name: 'SOME_KEY', value, named: true, kept: true });
const unnamed = (value: string) => weigh({ name: 'SOMETHING', value, named: false, kept: true }).secrets;

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

test('what stands in a credential store under any name is judged by its looks', () => {
  assert.deepEqual(unnamed('v9Kd82mZq0Lx71Tn55'), ['v9Kd82mZq0Lx71Tn55']);
  for (const value of [
    'anthropic/claude-sonnet-4.5-20250929',
    'https://api.example.com/v1/models',
    'me@example.com',
    '/home/me/projects/app1',
    'true',
    '2026-01-02T03:04:05Z',
  ])
    assert.deepEqual(unnamed(value), [], value);
});

test('of an address only its password is a secret, as it is written and as it is meant', () => {
  assert.deepEqual(unnamed('postgres://app:s3cr3t%2Fpart@db/app'), ['s3cr3t%2Fpart', 's3cr3t/part']);
  assert.deepEqual(named('http://user:s3cr3tpart@proxy:3128').secrets, ['s3cr3tpart']);
  assert.deepEqual(unnamed('postgres://app:postgres@db/app'), []);
});
