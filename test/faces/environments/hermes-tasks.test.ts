import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { hermesTasks, readOwnTasks } from '../../../src/faces/environments/library/hermes-tasks.ts';
import type { ScoredAttempt } from '../../../src/contracts/environment.ts';
import type { HarborTask } from '../../../src/faces/environments/harbor/read-task.ts';
import type { Script } from '../../../src/testing/scripted-provider.ts';
import { engine, noEngine, removeStage, SETTINGS } from '../../parts/terminals/container-stage.ts';
import { sized } from '../../size.ts';
import { CHEATS, cheatCommand } from './cheats.ts';
import { commandPlayer, listWrongSolutions, nopPlayer, oraclePlayer, scriptCommand } from './players.ts';
import { stagePlays } from './play.ts';
import { noSandbox } from './scene.ts';

after(removeStage);

const FOLDER = resolve('test/fixtures/tasks');
const tasks = await readOwnTasks(FOLDER, 'tune');

/** Every task of the fixtures, played one after the other. */
async function stageTasks() {
  const stage = await stagePlays(hermesTasks, { dataset_name: FOLDER });
  const play = async (by: Script, only: readonly HarborTask[] = tasks) => {
    const rows = [];
    for (const task of only) rows.push(await stage.play(task, by));
    return rows;
  };
  return { play, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
}

test(
  'the solution of a task is worth 1, nothing is worth 0, and a solution that only looks right is too',
  { skip: noSandbox },
  async () => {
    assert.deepEqual(
      tasks.map(({ id, category, difficulty, outputs }) => [id, category, difficulty, outputs]),
      [
        ['count-fruit', 'data', 'easy', ['counts.txt']],
        ['double-script', 'scripting', 'medium', ['double.sh']],
      ],
    );
    await using stage = await stageTasks();
    const told = (rows: readonly ScoredAttempt[]) => rows.map(({ reward, error }) => [reward, error]);
    assert.deepEqual(told(await stage.play(oraclePlayer(tasks))), [
      [1, undefined],
      [1, undefined],
    ]);
    const idle = await stage.play(nopPlayer);
    assert.deepEqual(told(idle), [
      [0, undefined],
      [0, undefined],
    ]);
    assert.match(idle[0]?.note ?? '', /Not there: counts\.txt/);
    for (const task of tasks)
      for (const wrong of listWrongSolutions(task)) {
        const rows = await stage.play(
          commandPlayer(tasks, (one) => scriptCommand(one, wrong)),
          [task],
        );
        assert.deepEqual(told(rows), [[0, undefined]], wrong);
      }
  },
);

test('cheats are worth 0', { skip: noSandbox }, async () => {
  assert.ok(CHEATS.length >= 20);
  const [data, script] = tasks;
  assert.ok(data && script);
  await using stage = await stageTasks();
  for (const cheat of CHEATS.filter((_, index) => index % sized(3, 1) === 0)) {
    const rows = await stage.play(
      commandPlayer(tasks, (task) => cheatCommand(cheat, task)),
      [cheat.name.startsWith('an output') ? script : data],
    );
    assert.deepEqual(
      rows.map(({ reward, turnsUsed }) => [reward, turnsUsed]),
      [[0, 2]],
      `${cheat.name}: ${JSON.stringify(rows)}`,
    );
  }
});

test('a container that names files outside of an output writes none of them to this machine', { skip: noEngine }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-elsewhere-'));
  try {
    const elsewhere = join(folder, 'file');
    const cheat = CHEATS.find(({ name }) => name === 'has the place list a file that lies elsewhere');
    const task = tasks.find(({ id }) => id === 'double-script');
    assert.ok(cheat && task);
    const env = { dataset_name: FOLDER, image: SETTINGS.image, terminal_backend: 'docker' };
    await using stage = await stagePlays(hermesTasks, env, ['terminal'], { HERMES_DOCKER_BINARY: engine });
    const scored = await stage.play(
      task,
      commandPlayer(tasks, (one) => cheatCommand(cheat, one, elsewhere)),
    );
    assert.deepEqual([scored.reward, scored.turnsUsed, existsSync(elsewhere)], [0, 2, false], JSON.stringify(scored));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
