import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toServerAddress } from '../../src/commands/setup-route.ts';

test('an address is taken as people type it', () => {
  for (const [typed, address] of [
    ['127.0.0.1:9999', 'http://127.0.0.1:9999'],
    ['localhost:8000/v1', 'http://localhost:8000/v1'],
    ['[::1]:8000', 'http://[::1]:8000'],
    ['192.168.1.20:11434/v1', 'http://192.168.1.20:11434/v1'],
    ['gpu-box:8000/v1', 'http://gpu-box:8000/v1'],
    ['api.example.org/v1', 'https://api.example.org/v1'],
    ['http://api.example.org/v1', 'http://api.example.org/v1'],
  ] as const)
    assert.equal(toServerAddress(typed), address);
  for (const typed of ['ftp://127.0.0.1', 'not an address', ''])
    assert.throws(() => toServerAddress(typed), /is not the address of a server/);
});
