import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseManifest } from '../../src/plugins/manifest/parse-manifest.ts';
import { findRival, warnOfTaken, warnOfUnknownSets } from '../../src/plugins/taken-names.ts';

const read = (name: string, rest: string) =>
  parseManifest(`name: ${name}\nversion: 1.0.0\ndescription: x\napi: 1\nentry: i.js\n${rest}`).manifest;

const KINDS: readonly (readonly [what: string, rest: string])[] = [
  ['the tool look', 'tools: [{ name: look }]'],
  ['the command /look', 'commands: [{ name: look, summary: Looks }]'],
  ['the memory provider look', 'memory_provider: look'],
  ['the context engine look', 'context_engine: look'],
  ['the platform look', 'platforms: [look]'],
  ['the terminal back end look', 'terminals: [look]'],
  ['the model provider look', "providers: [{ id: other, aliases: [look], base_url: 'https://api.example.com' }]"],
];
for (const [what, rest] of KINDS)
  test(`${what} has one owner`, () => {
    const one = read('one', rest);
    assert.deepEqual(warnOfTaken(one, new Set(['the tool other'])), []);
    assert.equal(warnOfTaken(one, new Set([what])).length, 1);
    assert.equal(findRival(one, [read('two', 'tools: [{ name: other }]')]), undefined);
    assert.deepEqual(findRival(one, [read('two', rest)])?.plugin, 'two');
  });

test('a toolset that does not exist is told; those of other plugins may come later', () => {
  const one = read('one', 'tools: [{ name: look, toolsets: [web, wbe, plugin-two] }]');
  assert.deepEqual(warnOfUnknownSets(one, new Set(['web'])), [
    'The tool look joins the toolset wbe, which does not exist, so that has no effect.',
  ]);
});
