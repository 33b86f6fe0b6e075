import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDevPort } from '../../../src/parts/terminals/loopback/loopback.ts';
import { PROFILES } from '../../../src/parts/providers/catalog/all.ts';

/** These two are the usual ports of servers that people write as well. */
const SHARED = new Set(['8000', '8080']);

test('a command cannot stand in for a model server that Hermes looks for, nor for Hermes itself', () => {
  const ports = PROFILES.flatMap(({ baseUrl }) => /^http:\/\/127\.0\.0\.1:(\d+)/.exec(baseUrl ?? '')?.[1] ?? []);
  assert.ok(ports.length >= 3, ports.join());
  for (const port of [...ports.filter((each) => !SHARED.has(each)), '8642', '8645', '8443', '5432'])
    assert.equal(isDevPort(Number(port)), false, port);
  for (const port of [...SHARED, '3000', '5173']) assert.equal(isDevPort(Number(port)), true, port);
});
