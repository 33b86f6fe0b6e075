import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createEnvironmentService } from '../../../src/app/services/environments.ts';
import { tblite, terminalBench } from '../../../src/faces/environments/library/terminal-bench.ts';
import { selectTasks } from '../../../src/faces/environments/evaluate.ts';
import { readRunSettings } from '../../../src/faces/environments/read-settings.ts';
import { startWireServer } from '../../../src/testing/wire-server/index.ts';
import { engine, engineSays, hostFolder, noEngine, removeStage, SETTINGS } from '../../parts/terminals/container-stage.ts';
import { commandPlayer, nopPlayer } from './players.ts';
import { stagePlays } from './play.ts';

after(removeStage);

const load = (env: Readonly<Record<string, unknown>>, environment = terminalBench) => {
  const run = readRunSettings({ environment: { env: environment.defaults ?? {} }, flag: { env } }, environment.fields);
  const folder = mkdtempSync(join(tmpdir(), 'hermes-load-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    run,
    loaded: environment.load({
      settings: run.env,
      own: run.own,
      folder,
      downloads: folder,
      signal: new AbortController().signal,
      notice: () => {},
    }),
  };
};
const ROWS = 'test/fixtures/tasks/two-rows.parquet';

test('tasks are chosen and skipped by name, and what cannot be run is told with what to do', async () => {
  const { run, loaded } = load({ dataset_name: ROWS, task_filter: 'count-fruit' });
  assert.deepEqual(
    selectTasks((await loaded).evaluation, run.env).map(({ id }) => id),
    ['count-fruit'],
  );
  const { place } = await loaded;
  const [task] = (await loaded).evaluation;
  assert.ok(task);
  assert.deepEqual([place?.(task).image, place?.(task).agentSeconds, place?.(task).rewardSeconds], ['localhost/count-fruit:1', 60, 140]);
  await assert.rejects(load({}, tblite).loaded, /must name the tasks.*--env\.dataset_name NousResearch\/openthoughts-tblite/);
  await assert.rejects(load({ dataset_name: ROWS, terminal_backend: 'local' }).loaded, /run in images, which local does not/);
  await assert.rejects(
    load({ dataset_name: ROWS, terminal_backend: 'modal' }).loaded,
    /no-image names no image, and modal builds none here/,
  );
  const folder = mkdtempSync(join(tmpdir(), 'hermes-gpu-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const needy = join(folder, 'needy');
  cpSync('test/fixtures/tasks/tune/count-fruit', needy, { recursive: true });
  writeFileSync(join(needy, 'task.toml'), '[environment]\ndocker_image = "localhost/none:1"\ngpus = 1\n');
  await assert.rejects(load({ dataset_name: folder }).loaded, /needy wants a GPU .*--env\.skip_tasks needy/);
  assert.equal((await load({ dataset_name: folder, skip_tasks: ['needy'] }).loaded).evaluation.length, 1);
  const skipped = load({ dataset_name: ROWS, terminal_backend: 'modal', skip_tasks: ['no-image'] });
  assert.equal((await skipped.loaded).evaluation.length, 2);
});

test('a task runs in its image and is verified there, as Harbor does', { skip: noEngine }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-harbor-'));
  try {
    const task = join(folder, 'double-script');
    cpSync('test/fixtures/tasks/tune/double-script', task, { recursive: true });
    const toml = readFileSync(join(task, 'task.toml'), 'utf8');
    writeFileSync(join(task, 'task.toml'), toml.replace('[environment]\n', `[environment]\ndocker_image = "${SETTINGS.image}"\n`));
    await using stage = await stagePlays(terminalBench, { dataset_name: folder, engine }, ['terminal'], { HERMES_DOCKER_BINARY: engine });
    const [only] = stage.tasks;
    assert.ok(only);
    const solve = "pwd; printf '#!/bin/bash\\nread -r n\\necho $((n * 2))\\n' > double.sh; chmod +x double.sh; cd /";
    const solved = await stage.play(
      only,
      commandPlayer(stage.tasks, () => solve),
    );
    assert.deepEqual([solved.reward, solved.error, solved.note], [1, undefined, 'Verified in the place the model worked in.']);
    const idle = await stage.play(only, nopPlayer);
    assert.deepEqual([idle.reward, idle.error], [0, undefined], JSON.stringify(idle));
    assert.match(idle.note ?? '', /^Verified in the place the model worked in\. ./);
    assert.equal(await engineSays('ps', '-aq', '--filter', `ancestor=${SETTINGS.image}`), '', 'no container is left');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test(
  'a task begins, and its tests run, with its variables in the working directory of its image, or in the folder that is named',
  { skip: noEngine },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-workdir-'));
    const image = `localhost/hermes-workdir-test:${process.pid}`;
    try {
      await engineSays('import', '--change', 'WORKDIR /srv/site', join(hostFolder, 'image.tar'), image);
      const task = join(folder, 'double-script');
      cpSync('test/fixtures/tasks/tune/double-script', task, { recursive: true });
      const toml = readFileSync(join(task, 'task.toml'), 'utf8');
      writeFileSync(
        join(task, 'task.toml'),
        toml.replace('[environment]\n', `[environment]\ndocker_image = "${image}"\nenv = { MOOD = "well done" }\n`),
      );
      writeFileSync(
        join(task, 'tests', 'test.sh'),
        'echo "the model: $(cat /tmp/where), the tests: $PWD $MOOD"; echo 0 > /logs/verifier/reward.txt\n',
      );
      for (const working_directory of [undefined, '/work it']) {
        const env = { dataset_name: folder, engine, ...(working_directory !== undefined && { working_directory }) };
        await using stage = await stagePlays(terminalBench, env, ['terminal'], { HERMES_DOCKER_BINARY: engine });
        const [only] = stage.tasks;
        assert.ok(only);
        const scored = await stage.play(
          only,
          commandPlayer(stage.tasks, () => 'echo "$PWD $MOOD" > /tmp/where; unset MOOD; cd /'),
        );
        const wanted = working_directory ?? '/srv/site';
        assert.ok(scored.note?.endsWith(`the model: ${wanted} well done, the tests: ${wanted} well done`), JSON.stringify(scored));
      }
    } finally {
      await engineSays('rmi', '-f', image);
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test('containers of a run that was killed are gone when the same command has been given again', { skip: noEngine }, async () => {
  await using model = await startWireServer({ answer: () => ({ text: 'Done.' }) });
  const folder = mkdtempSync(join(tmpdir(), 'hermes-left-'));
  try {
    const environment = join(folder, 'labels.mjs');
    writeFileSync(
      environment,
      `import { execFileSync } from 'node:child_process';
const list = () => execFileSync('${engine}', ['ps', '-a', '--filter', 'label=hermes.run', '--format', '{{.Labels}}'], { encoding: 'utf8' });
export default { name: 'labels', description: 'Says what its container carries', load: async () => ({
  evaluation: [{ id: 'one' }],
  format: () => 'Say yes.',
  place: () => ({ image: '${SETTINGS.image}' }),
  reward: async (_task, _result, { terminal }) => { await terminal('true'); return { reward: 1, note: list() }; },
}) };`,
    );
    const processEnv = { PATH: process.env['PATH'], HERMES_HOME: folder, HERMES_DOCKER_BINARY: engine };
    const { evaluate } = createEnvironmentService({ processEnv, notice: () => {} }, folder);
    const run = (attempts: number) =>
      evaluate(
        {
          environment,
          set: ['env.terminal_backend=docker', `env.attempts=${attempts}`, `openai.base_url=${model.url}/v1`, 'openai.model_name=m'],
          unconfined: false,
        },
        { signal: new AbortController().signal, onProgress: () => {} },
      );
    const [first] = (await run(1)).attempts;
    const [, label] = /hermes\.run:([0-9a-f]+)/.exec(first?.note ?? '') ?? [];
    assert.ok(label, JSON.stringify(first));
    const left = ['run', '-d', '--network', 'none', '--label', `hermes.run=${label}`, SETTINGS.image, 'sleep', '1000'];
    await engineSays(...left);
    const second = await run(2);
    assert.deepEqual(
      second.attempts.map(({ error }) => error),
      [undefined, undefined],
    );
    assert.equal(await engineSays('ps', '-aq', '--filter', `label=hermes.run=${label}`), '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
