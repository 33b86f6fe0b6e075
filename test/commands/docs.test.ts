import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandsPage, cronPage, promptPage, slashCommandsPage } from '../../scripts/docs.ts';
import { OMITTED } from '../../scripts/slash-page.ts';
import { createBuiltinRegistry } from '../../src/commands/builtin.ts';
import { createCommandRegistry, listSlashNames } from '../../src/commands/registry.ts';

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

test('docs/slash-commands.md is up to date (npm run docs writes it)', () => {
  assert.equal(readFileSync('docs/slash-commands.md', 'utf8'), slashCommandsPage());
});

test('every command of a session is on its page, and none that is said to be missing is there', () => {
  const registry = createBuiltinRegistry();
  const names = [...registry.at('terminal'), ...registry.at('chat')].flatMap(listSlashNames);
  const omitted = Object.values(OMITTED).flat();
  assert.deepEqual(
    omitted.filter((name) => names.includes(name)),
    [],
  );
  assert.equal(new Set(omitted).size, omitted.length);
  const page = slashCommandsPage();
  for (const command of createBuiltinRegistry().at('terminal'))
    assert.match(page, new RegExp(`\`/${listSlashNames(command)[0] ?? ''}[ \`]`));
});

test('docs/cron.md lists the forms of schedules that are read (npm run docs writes them)', () => {
  const page = readFileSync('docs/cron.md', 'utf8');
  assert.match(page, /\| `weekdays at 9am UTC`, /);
  assert.equal(page, cronPage(page));
});

test('the limits in docs/prompt.md are those of the code (npm run docs fills them in)', () => {
  const page = readFileSync('docs/prompt.md', 'utf8');
  assert.equal(page, promptPage(page));
  assert.match(
    promptPage(page.replace(/^(\| `external-memory` .*\| )[\d,]+ \|$/m, '$120,000 |')),
    /^\| `external-memory` .* \| 4,000 \|$/m,
  );
  assert.throws(() => promptPage(page.replace(/^\| `scene` .*$/m, '')), /no row that begins with \| `scene`/);
});
