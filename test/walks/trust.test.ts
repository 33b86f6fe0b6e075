import assert from 'node:assert/strict';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { toServer } from './hermes.ts';
import { noPty, onTerminal } from './on-terminal.ts';
import { call, command, resultsIn, rowsOf, stage, type Stage } from './stage.ts';

const NO_WALL = { terminal: { backend: 'local' } };

/** A project whose one script leaves a mark. */
function project(place: Stage): void {
  writeFileSync(place.at('mark.js'), "require('node:fs').appendFileSync('marks', 'ran\\n');\n");
}
/** What came of one command that nobody can approve, and what the owner was told. */
async function unattended(place: Stage, line: string, cwd = place.cwd): Promise<{ readonly result: string; readonly told: string }> {
  await using server = await startWireServer({ replies: [command(line), { text: 'done' }] });
  const { err } = await place.run(['chat', '-q', 'go', ...toServer(server.url)], { cwd });
  return { result: resultsIn(server.requests.at(-1))[0] ?? '', told: err };
}

test('without a wall code of a folder runs unattended once the owner trusts it, and no longer when not', async () => {
  const place = stage(NO_WALL);
  project(place);
  const folder = realpathSync(place.cwd);
  const before = await unattended(place, 'node mark.js');
  assert.match(
    before.result,
    new RegExp(`^Not run: .*hermes approvals allow \\w+, or allow all code of this folder with: hermes trust '${folder}'$`),
  );
  assert.match(before.told, new RegExp(`To let the tests, builds and scripts of this folder run: hermes trust '${folder}'`));
  assert.match((await place.run(['trust'])).out, new RegExp(`^Trusted: ${folder}\nIts tests, builds and scripts run without asking`));
  assert.deepEqual(rowsOf(await place.run(['trust', 'list', '--json'])), [{ folder, exists: true }]);
  await unattended(place, 'node mark.js && node -e "process.exit(0)"');
  mkdirSync(place.at('packages'));
  await unattended(place, 'node ../mark.js', place.at('packages'));
  assert.deepEqual([place.marks(), existsSync(place.at('packages/marks'))], [['ran'], true]);
  assert.equal((await place.run(['trust', 'remove', '.'])).out, `No longer trusted: ${folder}\n`);
  await unattended(place, 'node mark.js');
  assert.deepEqual(place.marks(), ['ran']);
  await place.run(['trust']);
  assert.equal((await place.run(['trust', 'remove'])).out, `No longer trusted: ${folder}\n`);
});

test('an option is no file with that name: tests run in a trusted folder although the session has read its files', async () => {
  const place = stage(NO_WALL);
  project(place);
  await place.run(['trust']);
  const replies = [call('read_file', { path: 'mark.js' }), command('node --no-warnings mark.js'), { text: 'done' }];
  await using server = await startWireServer({ replies });
  const { err } = await place.run(['chat', '-q', 'go', ...toServer(server.url)]);
  assert.deepEqual(place.marks(), ['ran'], err);
});

test('what is more than the code of the folder is asked about there all the same', async () => {
  const place = stage(NO_WALL);
  await place.run(['trust']);
  const { result, told } = await unattended(place, 'node -v && sudo true');
  assert.match(result, /^Not run: it runs as another user/);
  assert.doesNotMatch(result + told, /hermes trust/);
});

test('the home, what holds it and the disk are never trusted as a whole', async () => {
  const place = stage(NO_WALL);
  for (const folder of [place.home, join(place.home, '..'), '/', '/usr/lib', '/tmp']) {
    const { code, err } = await place.run(['trust', folder]);
    assert.deepEqual([code, /cannot be trusted as a whole: .* hermes trust ~\/my-project/.test(err)], [2, true], `${folder}: ${err}`);
  }
  assert.match((await place.run(['trust', 'nowhere'])).err, /^hermes: there is no folder .*nowhere\.\n$/);
  assert.equal((await place.run(['trust', 'list'])).out, 'No folder is trusted. To trust one: hermes trust DIR\n');
});

test('an agent cannot trust a folder for itself, not even one it already runs code of', async () => {
  const place = stage(NO_WALL);
  await place.run(['trust']);
  mkdirSync(place.at('../elsewhere'));
  const asked = await unattended(place, 'hermes trust ../elsewhere');
  assert.match(asked.result, /^Not run: it changes the agent's own settings/);
  writeFileSync(
    place.at('own.js'),
    `require('node:child_process').execFileSync(${JSON.stringify(process.execPath)}, [${JSON.stringify(resolve(process.env['HERMES_TEST_MAIN'] ?? 'src/main.ts'))}, 'trust', '../elsewhere'], { stdio: 'inherit' });\n`,
  );
  assert.match(
    (await unattended(place, 'node own.js')).result,
    /trust is only for the owner, and this was started by a command of an agent/,
  );
  assert.deepEqual(
    rowsOf<{ readonly folder: string }>(await place.run(['trust', 'list', '--json'])).map((row) => row.folder),
    [realpathSync(place.cwd)],
  );
});

test('a yes for always to the code of a folder is the trust in it', { skip: noPty }, async () => {
  const place = stage(NO_WALL);
  project(place);
  await using server = await startWireServer({ replies: [command('node mark.js'), { text: 'done' }] });
  const { shown } = await onTerminal(['chat', '-q', 'go', ...toServer(server.url)], place.home, 'always\r', place.cwd);
  assert.match(shown, /running code of the project \(tests, builds, scripts,\s+installs\) in /);
  assert.deepEqual(
    [place.marks(), rowsOf<{ readonly folder: string }>(await place.run(['trust', 'list', '--json'])).map((row) => row.folder)],
    [['ran'], [realpathSync(place.cwd)]],
  );
});

for (const [choice, trusted, says] of [
  ['trust', true, /Folder: .* is trusted: its code runs without asking/],
  ['ask', false, /Folder: .*: you are asked before its code runs/],
  ['install', false, /Sandbox: For a sandbox/],
] as const)
  test(`setup asks once about the folder where nothing contains commands: ${choice}`, { skip: noPty }, async () => {
    const place = stage(NO_WALL);
    const keys = [[/May the agent run the code of[^]*Enter/, `${choice}\r`]] as const;
    const { code, shown } = await onTerminal(['setup', 'terminal', '--terminal', 'local'], place.home, keys, place.cwd, undefined, {
      columns: 200,
    });
    assert.equal(code, 0, shown);
    assert.match(shown, says);
    assert.equal(rowsOf(await place.run(['trust', 'list', '--json'])).length === 1, trusted);
  });
