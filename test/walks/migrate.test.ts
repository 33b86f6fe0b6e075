import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { sized } from '../size.ts';
import { hermes, tempHome, toServer } from './hermes.ts';
import { noPty, onTerminal } from './on-terminal.ts';
import { countSteps, killAndFinish, OTHER_HOMES, runMigrate, snapshotFolder, takeOver, unpackOtherHome } from './other-homes.ts';

/** The older of two homes of one program holds nothing that the newer does not. */
for (const name of sized(
  OTHER_HOMES.filter((each) => each !== 'hermes-0.13.0'),
  OTHER_HOMES,
)) {
  test(`the home of ${name}: looking changes nothing, all is taken once, and search finds every message`, async () => {
    const root = tempHome();
    const { wrong } = await takeOver(join(root, 'ours'), unpackOtherHome(name, join(root, 'other')));
    assert.deepEqual(wrong, []);
    assert.equal(statSync(join(root, 'ours', '.env')).mode & 0o777, 0o600);
  });
}

test('a run that is killed at any line is finished by the next, and no half of a session is ever seen', { timeout: 300_000 }, async () => {
  const root = tempHome();
  const [other, whole] = [unpackOtherHome('hermes-0.19.0', join(root, 'other')), join(root, 'whole')];
  mkdirSync(whole);
  const steps = countSteps((await runMigrate(whole, other, '--yes', '--json')).out);
  assert.ok(steps > 10, `${steps} steps`);
  const moments = [{ ms: 150 }, ...sized([9, steps], [1, 3, 6, 9, 12, steps]).map((line) => ({ line }))];
  for (const [index, moment] of moments.entries())
    assert.deepEqual(await killAndFinish(join(root, `killed-${index}`), other, moment, whole), []);
});

test('a home both programs share: their files stay, their sessions are here, can be gone on with, and hold no key', async () => {
  const root = tempHome();
  const { folder: home } = unpackOtherHome('hermes-0.19.0', root);
  const theirs = snapshotFolder(home);
  const run = (...args: string[]) => hermes(args, { home, env: { HOME: root } });
  const found = await run('migrate');
  assert.match(found.out, /the home both programs share/);
  assert.deepEqual(snapshotFolder(home), theirs);
  assert.equal((await run('migrate', '--yes')).code, 0);
  const kept = snapshotFolder(home).filter((line) => theirs.includes(line));
  assert.deepEqual(
    theirs.filter((line) => !kept.includes(line)).map((line) => line.split(' ')[0]),
    ['.'],
    'only the folder itself has got more in it',
  );

  await using server = await startWireServer({ answer: () => ({ text: 'Storks, then.' }) });
  const turn = await run('chat', '--resume', '20251013_100000_beef01', '-q', 'And now?', ...toServer(server.url));
  assert.deepEqual([turn.code, turn.out], [0, 'Storks, then.\n'], turn.err);
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  assert.match(sent, /Name a stork.*dalmatian pelican.*And now/);
  assert.doesNotMatch(sent, /wattled crane/, 'what was taken back there is not shown here');
  const key = /OPENROUTER_API_KEY=(\S+)/.exec(readFileSync(join(home, '.env'), 'utf8'))?.[1] ?? '';
  assert.ok(key !== '' && !readFileSync(join(home, 'sessions.db'), 'latin1').includes(key));
  assert.equal((await run('replay', '20251013_100000_beef01')).code, 0);
  const list = await run('sessions', 'list');
  assert.doesNotMatch(list.err, /hermes migrate/, 'nobody is told of what was done');
});

test('whoever meets a store of the Python version is told of it in one line that names the command, and it stays as it is', async () => {
  const root = tempHome();
  const { folder: home } = unpackOtherHome('hermes-0.19.0', root);
  const theirs = snapshotFolder(join(home)).filter((line) => line.startsWith('state.db'));
  for (const args of [
    ['sessions', 'list'],
    ['sessions', 'search', 'heron'],
    ['usage'],
    ['insights'],
    ['chat', '--resume', 'beef', '-q', 'Hi'],
  ]) {
    const { err } = await hermes(args, { home, env: { HOME: root } });
    assert.equal(err.match(/state\.db contains sessions of the Python version.*To take them over: hermes migrate\n/g)?.length, 1, err);
  }
  assert.deepEqual(
    snapshotFolder(home).filter((line) => line.startsWith('state.db')),
    theirs,
  );
});

test('what has no room, no name or no readable text is told before and after, and the next run finds nothing to do', async () => {
  const root = tempHome();
  const [other, home] = [unpackOtherHome('hermes-0.13.0', join(root, 'other')), join(root, 'ours')];
  const notes = Array.from({ length: 20 }, (_, index) => `\n§\nNote ${index} ${'of a long watch '.repeat(12)}`);
  appendFileSync(join(other.folder, 'memories', 'MEMORY.md'), notes.join(''));
  writeFileSync(join(other.folder, 'SOUL.md'), Buffer.from([0xff, 0xfe, 0]));
  const put = (name: string, text: string) => {
    mkdirSync(join(other.folder, 'skills', 'more', name), { recursive: true });
    writeFileSync(join(other.folder, 'skills', 'more', name, 'SKILL.md'), text);
  };
  put('folder-name', '---\nname: own-name\ndescription: Has another name than its folder\n---\n\nLook.\n');
  put('headless', 'No head at all.\n');
  const plan = await runMigrate(home, other);
  assert.match(plan.out, /soul +1 not taken\n +- SOUL\.md: it could not be read: it is binary/);
  assert.match(plan.out, /memories +1\d to take, \d not taken\n +- memories\/MEMORY\.md entry \d+, .*memory_char_limit is 2,400/);
  assert.match(plan.out, /- headless: SKILL\.md needs a head/);
  assert.equal(existsSync(home), false, 'looking makes no home');
  const taken = await runMigrate(home, other, '--yes');
  const counts = (out: string) => out.match(/\d+ (?:to take|taken)/g)?.map((words) => Number.parseInt(words, 10));
  assert.deepEqual(counts(taken.out), counts(plan.out.replace(/To take over.*/, '')), 'the plan was kept');
  const after = snapshotFolder(home);
  assert.match((await runMigrate(home, other, '--yes')).out, /There is nothing left to take\./);
  assert.deepEqual(snapshotFolder(home), after);
});

test('a session that went on in both programs stays as it is here, is told once and then left alone; a damaged store keeps nothing else out', async () => {
  const root = tempHome();
  const [other, home] = [unpackOtherHome('hermes-0.13.0', join(root, 'other')), join(root, 'ours')];
  assert.equal((await runMigrate(home, other, '--yes')).code, 0);
  const id = '20251009_091500_a1b2c3';
  await using server = await startWireServer({ answer: () => ({ text: 'Eighteen by now.' }) });
  assert.equal((await hermes(['chat', '--resume', id, '-q', 'And now?', ...toServer(server.url)], { home })).code, 0);
  const there = new DatabaseSync(join(other.folder, 'state.db'));
  there.prepare("INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', 'One flew away.', 1760001000)").run(id);
  there.close();
  const again = await runMigrate(home, other, '--yes');
  assert.match(again.out, /sessions +\d+ already here, 1 not taken\n +- 20251009_091500_a1b2c3 Heron survey: it went on here/);
  const after = snapshotFolder(home);
  assert.match((await runMigrate(home, other, '--yes')).out, /it went on here[\s\S]*There is nothing left to take\./);
  assert.deepEqual(snapshotFolder(home), after);

  writeFileSync(join(other.folder, 'state.db'), 'SQLite format 3\0 and then nothing that could be read'.repeat(200));
  const damaged = await runMigrate(join(root, 'third'), other, '--yes');
  assert.match(damaged.out, /memories +3 taken[\s\S]*- state\.db: it could not be read:/);
});

test('what is here stays: values, memories and skills of ours win, are saved first, and the difference is told', async () => {
  const root = tempHome();
  const [other, home] = [unpackOtherHome('hermes-0.13.0', join(root, 'other')), join(root, 'ours')];
  mkdirSync(join(home, 'skills', 'mine', 'count-herons'), { recursive: true });
  cpSync(join(other.folder, 'skills', 'field-work', 'count-herons', 'SKILL.md'), join(home, 'skills', 'mine', 'count-herons', 'SKILL.md'));
  const run = (...args: string[]) => hermes(args, { home });
  await run('config', 'set', 'agent.max_turns', '7');
  await run('config', 'set', 'TAVILY_API_KEY', 'tvly-mine-0123456789');
  await run('memory', 'add', 'memory', 'Mine comes first');
  const taken = await runMigrate(home, other, '--yes', '--only', 'secrets,config,memories,skills');
  assert.equal(taken.code, 0, taken.err);
  assert.match(taken.out, /agent\.max_turns: your own value stays/);
  assert.match(taken.out, /TAVILY_API_KEY: your own value stays/);
  assert.match(taken.out, /skills +1 taken, 1 already here, 1 not taken/);
  assert.match(readFileSync(join(home, 'config.yaml'), 'utf8'), /max_turns: 7[\s\S]*claude-sonnet/);
  const memory = readFileSync(join(home, 'memories', 'MEMORY.md'), 'utf8');
  assert.match(memory, /^Mine comes first\n§\nThe heron survey/);
  assert.equal(existsSync(join(home, 'sessions.db')), false, 'only what was asked for');
  const backup = /what was here before +(\S+)/.exec(taken.out)?.[1] ?? '';
  assert.equal(readFileSync(join(backup, 'memories', 'MEMORY.md'), 'utf8'), 'Mine comes first\n');
  assert.match(readFileSync(join(backup, 'config.yaml'), 'utf8'), /max_turns: 7/);
});

test('on a terminal the plan is shown and one question asked; a no changes nothing', { skip: noPty }, async () => {
  const root = tempHome();
  const other = unpackOtherHome('openclaw-2026.9.6', join(root, 'other'));
  const home = join(root, 'ours');
  mkdirSync(home);
  const args = ['migrate', '--from', other.folder];
  const no = await onTerminal(args, home, 'n\r');
  assert.match(stripVTControlCharacters(no.shown), /sessions +2 to take[\s\S]*Take over \d+ things\?[\s\S]*Nothing was changed\.\s*$/);
  assert.deepEqual(snapshotFolder(home).length, 1);
  const yes = await onTerminal(args, home, 'y\r');
  assert.match(stripVTControlCharacters(yes.shown), /sessions +2 taken/);
  assert.match(readFileSync(join(home, 'config.yaml'), 'utf8'), /key_env: WIRE_API_KEY[\s\S]*mcp-server-time/);
  assert.match(readFileSync(join(home, 'memories', 'MEMORY.md'), 'utf8'), /^Projects: The stork census/);
  assert.ok(existsSync(join(home, 'skills', 'installed', 'count-storks', 'SKILL.md')));
});

test('where nothing is found, and where a folder is none, it says what to do', async () => {
  const root = tempHome();
  const home = join(root, 'ours');
  const run = (...args: string[]) => hermes(args, { home, cwd: root, env: { HOME: root } });
  const none = await run('migrate');
  assert.equal(none.code, 2);
  assert.match(none.err, /found no home.*hermes migrate hermes --from DIR/);
  assert.match((await run('migrate', 'openclaw', '--from', root)).err, /is not a home of openclaw/);
  assert.match((await run('migrate', '--from', join(root, 'nowhere'))).err, /there is no folder/);
  assert.match((await run('migrate', '--only', 'memries')).err, /there is no kind memries; did you mean memories\?/);
  assert.equal(existsSync(home), false);
});
