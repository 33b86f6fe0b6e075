import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseDocument } from 'yaml';
import { isObject } from '../../src/base/json.ts';
import { openServices } from '../../src/app/services/services.ts';
import { createSeededRandom, type SeededRandom } from '../../src/testing/seeded-random.ts';
import { writeConfigFile } from './config-files.ts';

const home = mkdtempSync(join(tmpdir(), 'hermes-config-migrate-'));
const file = join(home, 'config.yaml');
after(() => rmSync(home, { recursive: true, force: true }));
const openConfiguration = async () => {
  const services = openServices({ processEnv: { HERMES_HOME: home }, notice: () => {} });
  return { services, configuration: await services.openers.configuration() };
};
const FILES = process.env['HERMES_SETUP_FULL'] === '1' ? 300 : 60;

/** A block of settings as earlier versions wrote them, each with a comment of its own. */
function writeOldSettings(chance: SeededRandom): string {
  const rows = [
    'max_turns: 12 # old note 1 ·',
    'fallback_model: # old note 2 ·\n  provider: openrouter # old note 3 ·\n  model: some/model',
    '# old note 4 ·\ncustom_providers:\n  - name: My Lab # old note 5 ·\n    base_url: http://127.0.0.1:9/v1\n    api_key: sk-lab-0123456789abcdef',
  ];
  return chance
    .shuffled(rows)
    .filter(() => chance.hits(0.7))
    .join('\n');
}

test(`old settings move, in ${FILES} files: comments stay, nothing else changes, the file is saved first, and once is enough`, async () => {
  let moved = 0;
  for (let seed = 1; seed <= FILES; seed++) {
    const chance = createSeededRandom(`config-migrate-${seed}`);
    const base = writeConfigFile(chance);
    const old = writeOldSettings(chance).replaceAll('\n', base.includes('\r\n') ? '\r\n' : '\n');
    const before = joinBlocks(base, old);
    if (before === undefined) continue;
    rmSync(join(home, '.env'), { force: true });
    writeFileSync(file, before);
    const { services, configuration } = await openConfiguration();
    await using _ = services;
    const dry = await configuration.migrate(true);
    assert.equal(readFileSync(file, 'utf8'), before, 'a dry run writes nothing');
    const report = await configuration.migrate(false);
    const now = readFileSync(file, 'utf8');
    const shown = `file ${seed}\n${before}\n=====\n${now}`;
    assert.deepEqual([dry.moves, dry.diff], [report.moves, report.diff], shown);
    moved += report.moves.length;
    if (report.backup !== undefined) assert.equal(readFileSync(report.backup, 'utf8'), before, shown);
    for (const [note] of before.matchAll(/# (?:old )?note \d+ [^·]*·/g)) assert.ok(now.includes(note), `${note} of ${shown}`);
    const [was, is] = [parseDocument(before).toJS() ?? {}, parseDocument(now).toJS() ?? {}];
    for (const [key, value] of Object.entries(was))
      if (!TOUCHED.has(key)) assert.deepEqual(isObject(is) ? is[key] : undefined, value, `${key} of ${shown}`);
    if (before.includes('\r\n')) assert.doesNotMatch(now, /[^\r]\n/, shown);
    assert.doesNotMatch(report.diff, /sk-lab-0123456789abcdef/, 'a diff shows no key');
    if (report.variables.length > 0) {
      assert.match(readFileSync(join(home, '.env'), 'utf8'), /^MY_LAB_API_KEY=sk-lab-0123456789abcdef$/m);
      assert.equal(statSync(join(home, '.env')).mode & 0o777, 0o600);
      assert.doesNotMatch(now, /sk-lab-/, shown);
    }
    assert.deepEqual((await configuration.migrate(false)).moves, [], 'the second time there is nothing to move');
    assert.equal(readFileSync(file, 'utf8'), now);
  }
  assert.ok(moved > FILES, `${moved} settings were moved`);
});

const TOUCHED: ReadonlySet<string> = new Set([
  'max_turns',
  'agent',
  'fallback_model',
  'fallback_providers',
  'custom_providers',
  'providers',
]);

/** `undefined` where the two cannot stand in one file. */
function joinBlocks(base: string, old: string): string | undefined {
  const newline = base.includes('\r\n') ? '\r\n' : '\n';
  const text = `${old}${newline}${base}`;
  return parseDocument(text).errors.length > 0 ||
    /^\s*[{]|^---|^ +\w/m.test(base.split(newline).find((line) => /^\s*[^#\s]/.test(line)) ?? '')
    ? undefined
    : text;
}

test('what has a value in its new place already stays where it is, and is told', async () => {
  writeFileSync(file, 'max_turns: 3\nagent:\n  max_turns: 9 # mine\n');
  const { services, configuration } = await openConfiguration();
  await using _ = services;
  const { moves, left, diff } = await configuration.migrate(false);
  assert.deepEqual([moves, left, diff], [[], [{ from: 'max_turns', to: ['agent.max_turns'] }], '']);
});
