import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = 'docs/acp-registry/hermes-ts';
interface RegistryEntry {
  readonly id: string;
  readonly version: string;
  readonly license: string;
  readonly license_url: string;
  readonly distribution: { readonly npx: { readonly package: string; readonly args: readonly string[] } };
}

test('the entry for the registry names this package at this version', () => {
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'name' | 'version' | 'license', string>;
  const entry = JSON.parse(readFileSync(`${FOLDER}/agent.json`, 'utf8')) as RegistryEntry;
  assert.deepEqual([entry.id, entry.version, entry.license], [name, version, license]);
  assert.deepEqual(entry.distribution.npx, { package: `${name}@${version}`, args: ['acp'] });
  assert.match(entry.id, /^[a-z][a-z0-9-]*$/);
  assert.ok(URL.canParse(entry.license_url));
});

test('its icon is 16 by 16 and has the color of what is around it', () => {
  const icon = readFileSync(`${FOLDER}/icon.svg`, 'utf8');
  assert.match(icon, /width="16" height="16" viewBox="0 0 16 16"/);
  const colors = [...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, color]) => color);
  assert.deepEqual(new Set(colors), new Set(['none', 'currentColor']));
});
