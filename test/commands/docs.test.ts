import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandsPage } from '../../scripts/docs.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { createCommandRegistry } from '../../src/commands/registry.ts';

test('docs/cli.md is up to date (npm run docs writes it)', () => {
  assert.equal(readFileSync('docs/cli.md', 'utf8'), commandsPage());
});

test('the page has every command, and changes with them', () => {
  const page = commandsPage();
  for (const { name } of createBuiltinRegistry().at('shell')) assert.ok(page.includes(`\`hermes ${name}`), name);
  for (const name of ['/compress [topic]', '/compact', '/rollback [checkpoint] [file] [--all]', '/title <title>', '/help [command]'])
    assert.ok(page.includes(`\`${name}\``), name);
  assert.notEqual(commandsPage(createCommandRegistry(createBuiltinRegistry().all().slice(1))), page);
});
