import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../src/app/config/config.ts';
import type { CommandLocation } from '../../src/contracts/safety.ts';
import { createConsentJudge } from '../../src/parts/safety/judge/consent-judge.ts';
import { createCommandJudge } from '../../src/parts/safety/judge/judge.ts';

const disk = realpathSync(mkdtempSync(join(tmpdir(), 'remembering-judge-')));
after(() => rmSync(disk, { recursive: true, force: true }));
const [workspace, home] = [join(disk, 'work'), join(disk, 'me')];
mkdirSync(workspace);
mkdirSync(home);
const ground = { kind: 'local', workspace, profile: join(home, 'agent') };
const { settings } = await loadConfig(join(disk, 'none.yaml'), {}, () => {});
const HERE: CommandLocation = { cwd: workspace, home };

/** The judge of a run, and how often it had to judge. */
function counted() {
  let times = 0;
  const judge = createCommandJudge(settings, ground);
  const counting = createConsentJudge((line, place) => {
    times += 1;
    return judge(line, place);
  }, ground);
  return { judge: counting, times: () => times };
}

test('the same line in the same place is judged once', () => {
  const { judge, times } = counted();
  for (const line of ['ls -l', 'rm -rf ../old'])
    assert.deepEqual(
      judge(line, { ...HERE, carried: [{ type: 'held', script: 'A=1' }] }),
      judge(line, { ...HERE, carried: [{ type: 'held', script: 'A=1' }] }),
    );
  assert.equal(times(), 2);
});

test('what the shell took up meanwhile counts, and so does where it stands', () => {
  const { judge, times } = counted();
  const places: readonly CommandLocation[] = [
    HERE,
    { ...HERE, cwd: home },
    { ...HERE, carried: [{ type: 'held', script: 'true () { sudo false; }' }] },
    { ...HERE, home: disk },
  ];
  assert.deepEqual(
    places.map((place) => judge('true', place).type),
    ['fine', 'fine', 'ask', 'fine'],
  );
  assert.equal(times(), places.length);
});

test('a script that changed in between is named with what it holds now, and no verdict hangs on it', () => {
  const { judge, times } = counted();
  const script = join(workspace, 'run.sh');
  writeFileSync(script, 'echo fine\n');
  const before = judge('sh run.sh', HERE);
  writeFileSync(script, 'sudo true\n');
  const [asked, again] = [judge('sh run.sh', HERE), judge('sh run.sh', HERE)];
  assert.ok(asked.type === 'ask' && asked.key === 'project_code' && asked.read?.[0]?.path === script);
  assert.deepEqual(again, asked);
  assert.notDeepEqual(before, asked);
  assert.equal(times(), 1);
});

test('a link that leads elsewhere by now is followed anew', () => {
  const { judge } = counted();
  const link = join(workspace, 'out');
  mkdirSync(join(workspace, 'build'));
  symlinkSync(join(workspace, 'build'), link);
  assert.equal(judge('rm -rf out/*', HERE).type, 'fine');
  unlinkSync(link);
  symlinkSync(home, link);
  assert.notEqual(judge('rm -rf out/*', HERE).type, 'fine');
});
