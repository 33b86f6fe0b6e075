import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeExposure } from '../../../../src/faces/serve/api/open-home.ts';

test('an address that other computers can reach is told with what is missing there', () => {
  for (const host of ['127.0.0.1', '127.0.0.53', '::1', 'localhost']) assert.equal(describeExposure(host), undefined, host);
  for (const host of ['0.0.0.0', '::', '192.168.1.4', 'example.org', 'localhost.example.org'])
    assert.match(describeExposure(host) ?? '', /nothing is encrypted: put a proxy with TLS in front of it\.$/, host);
});
