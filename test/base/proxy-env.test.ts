import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProxy } from '../../src/base/proxy-env.ts';

const HTTPS = { HTTPS_PROXY: 'http://secure.example:3128' };
const API = 'https://api.vendor.example/v1';

const TABLE: readonly (readonly [url: string, env: Readonly<Record<string, string>>, proxy: string | undefined])[] = [
  [API, {}, undefined],
  [API, HTTPS, 'secure.example:3128 by HTTPS_PROXY'],
  ['http://api.vendor.example/v1', HTTPS, undefined],
  ['http://api.vendor.example/v1', { HTTP_PROXY: 'plain.example:80' }, 'plain.example by HTTP_PROXY'],
  [API, { ALL_PROXY: 'http://all.example:1' }, 'all.example:1 by ALL_PROXY'],
  [API, { ...HTTPS, ALL_PROXY: 'http://all.example:1' }, 'secure.example:3128 by HTTPS_PROXY'],
  [API, { ...HTTPS, https_proxy: 'http://small.example:1' }, 'small.example:1 by https_proxy'],
  [API, { HTTPS_PROXY: '', ALL_PROXY: '' }, undefined],
  ...['*', 'vendor.example', '.vendor.example', '*.vendor.example', 'x, api.vendor.example', 'API.Vendor.Example:443'].map(
    (NO_PROXY) => [API, { ...HTTPS, NO_PROXY }, undefined] as const,
  ),
  ...['endor.example', 'api.vendor.example:8443', 'other.example', ','].map(
    (NO_PROXY) => [API, { ...HTTPS, NO_PROXY }, 'secure.example:3128 by HTTPS_PROXY'] as const,
  ),
  ['https://10.1.2.3/v1', { ...HTTPS, no_proxy: '10.0.0.0/8' }, undefined],
  ['https://11.1.2.3/v1', { ...HTTPS, no_proxy: '10.0.0.0/8' }, 'secure.example:3128 by HTTPS_PROXY'],
  ['https://[fd00::1]/v1', { ...HTTPS, no_proxy: 'fd00::/8' }, undefined],
  ['https://[fd00::1]:8443/v1', { ...HTTPS, no_proxy: '[fd00::1]' }, undefined],
  ...['http://localhost:11434', 'http://127.0.0.1:1', 'http://127.9.9.9', 'http://[::1]:8000', 'http://box.localhost'].map(
    (url) => [url, { ALL_PROXY: 'http://all.example:1' }, undefined] as const,
  ),
];
for (const [url, env, proxy] of TABLE)
  test(`${url} with ${JSON.stringify(env)}`, () => {
    const found = findProxy(new URL(url), env);
    assert.equal(found && `${found.url.host} by ${found.variable}`, proxy);
  });
