import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Environment } from '../../../src/contracts/environment.ts';
import { evaluate } from '../../../src/faces/environments/evaluate.ts';
import { isLost } from '../../../src/faces/environments/result-file.ts';
import { runRollout } from '../../../src/faces/environments/rollout.ts';
import { terminalTest } from '../../../src/faces/environments/library/terminal-test.ts';
import { engine, engineSays, noEngine, removeStage, SETTINGS } from '../../parts/terminals/container-stage.ts';
import { noSandbox, stageRollouts } from './scene.ts';

after(removeStage);

const never = new AbortController().signal;
const command = (words: string) => ({ calls: [{ id: 'c1', name: 'terminal', input: { command: words } }] });

test('an attempt that does the task is scored by what lies in its own folder', { skip: noSandbox }, async () => {
  await using stage = await stageRollouts(terminalTest, [command('printf 42 > result.txt'), { text: 'Done.', thinking: 'I am sure.' }]);
  const [task] = stage.deps.environment.evaluation;
  assert.ok(task);
  const { scored, result } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.deepEqual(
    [scored.reward, scored.error, scored.turnsUsed, scored.finishedNaturally, result.reasoningPerTurn],
    [1, undefined, 2, true, [null, 'I am sure.']],
  );
  assert.deepEqual(
    result.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant'],
  );
  const second = await runRollout(stage.deps, { task, attempt: 2, toolsets: ['terminal'], signal: never });
  assert.equal(second.scored.reward, 1);
});

test('nobody guards the folder of an attempt: the model hears what its command said, and nothing else', { skip: noSandbox }, async () => {
  const line = 'printf 42 > result.txt; mkdir -p .git/hooks; echo : > .git/hooks/pre-commit; echo : > .envrc; rm .envrc; ls -A .git/hooks';
  await using stage = await stageRollouts(terminalTest, [command(line), { text: 'Done.' }]);
  const [task] = stage.deps.environment.evaluation;
  assert.ok(task);
  const { result } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.equal(result.messages.find(({ role }) => role === 'tool')?.content, 'pre-commit');
});

test('a model that runs out of calls is told nothing and has not finished of its own accord', { skip: noSandbox }, async () => {
  await using stage = await stageRollouts(terminalTest, () => command('echo again'), { flag: { env: { max_agent_turns: 3 } } });
  const [task] = stage.deps.environment.evaluation;
  assert.ok(task);
  const { scored, result } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.deepEqual([scored.reward, scored.turnsUsed, scored.finishedNaturally], [0, 3, false]);
  assert.deepEqual(
    result.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool'],
  );
  assert.ok(!result.messages.some(({ content }) => content.includes('Nothing new will come')), 'the loop guard says nothing');
});

test('what breaks is a failure with its reason, and what was stopped is no attempt', { skip: noSandbox }, async () => {
  await using stage = await stageRollouts(terminalTest, [{ fails: { type: 'forbidden', detail: 'no such key' } }]);
  const [task] = stage.deps.environment.evaluation;
  assert.ok(task);
  const { scored } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
  assert.equal(scored.reward, 0);
  assert.match(scored.error ?? '', /key/);
  await assert.rejects(runRollout(stage.deps, { task, attempt: 2, toolsets: ['terminal'], signal: AbortSignal.abort() }));
});

test('a model that its server cut off is no result: the next run makes the attempt again', { skip: noSandbox }, async () => {
  let asked = 0;
  const answers = [
    command('true'),
    { fails: { type: 'unauthorized', detail: 'the key was revoked' } } as const,
    command('printf 42 > result.txt'),
  ];
  await using stage = await stageRollouts(terminalTest, () => answers[asked++] ?? { text: 'Done.' });
  const run = () =>
    evaluate({ ...stage.deps, out: join(stage.folder, 'out'), runId: 'run', configHash: 'hash', signal: never, onProgress: () => {} });
  const [cut] = (await run()).attempts;
  assert.ok(cut);
  assert.deepEqual([cut.reward, cut.turnsUsed, cut.lost, isLost(cut)], [0, 1, true, true]);
  const again = await run();
  assert.deepEqual([again.resumed, again.attempts.map(({ reward, error }) => [reward, error])], [0, [[1, undefined]]]);
  assert.equal((await run()).resumed, 1);
});

/** An engine that stops to answer when a file is there. */
const breakableEngine = (folder: string): string => {
  const path = join(folder, 'engine');
  const script = `#!/bin/sh\nif [ -e '${folder}/down' ]; then echo 'Cannot connect to the daemon.' >&2; exit 125; fi\nexec '${engine}' "$@"\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
};

test('without a place for commands no model is asked, and one that loses it on the way has no score', { skip: noEngine }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-down-'));
  const [down, label] = [join(folder, 'down'), `hermes.test=${process.pid}`];
  let asked = 0;
  const script = () => {
    asked++;
    if (asked % 2 === 1) return command('true');
    writeFileSync(down, '');
    return { text: 'Done.' };
  };
  try {
    const environment = {
      ...terminalTest,
      load: async (...given: Parameters<typeof terminalTest.load>) => ({
        ...(await terminalTest.load(...given)),
        place: () => ({ image: SETTINGS.image }),
      }),
    };
    await using stage = await stageRollouts(
      environment,
      script,
      { flag: { env: { terminal_backend: 'docker' } } },
      { HERMES_DOCKER_BINARY: breakableEngine(folder) },
    );
    const [task] = stage.deps.environment.evaluation;
    assert.ok(task);
    const play = async (attempt: number) =>
      (await runRollout({ ...stage.deps, containerLabel: label }, { task, attempt, toolsets: ['terminal'], signal: never })).scored;
    const onTheWay = await play(1);
    assert.deepEqual([onTheWay.reward, onTheWay.turnsUsed, onTheWay.lost, asked], [0, 2, true, 2], JSON.stringify(onTheWay));
    assert.match(onTheWay.error ?? '', /could not be opened/);
    assert.ok(existsSync(down));
    const before = await play(2);
    assert.deepEqual([before.reward, isLost(before), asked], [0, true, 2], JSON.stringify(before));
  } finally {
    const left = await engineSays('ps', '-aq', '--filter', `label=${label}`);
    if (left !== '') await engineSays('rm', '-f', ...left.split('\n'));
    rmSync(folder, { recursive: true, force: true });
  }
});

test(
  'a judge searches from where the model began: it finds lines, none, or is told that there is nothing to search',
  { skip: noSandbox },
  async () => {
    const setup =
      "printf 'one\\ntwo words\\n' > found.txt; mkdir deep; printf 'two words' > deep/more; ln -s nowhere broken; seq 1 3000 | sed 's/$/ many/' > many; cd /";
    const seen: Record<string, unknown> = {};
    const environment: Environment = {
      name: 'searches',
      description: 'Looks for words',
      load: async () => ({
        evaluation: [{ id: 'one' }],
        format: () => 'Go.',
        reward: async (_task, _result, { search }) => {
          seen['found'] = (await search('two words')).toSorted();
          seen['none'] = await search('three words');
          seen['many'] = (await search('many', './many')).length;
          seen['missing'] = await search('two', './nowhere').catch((error: unknown) => String(error));
          return 1;
        },
      }),
    };
    await using stage = await stageRollouts(environment, [command(setup), { text: 'Done.' }]);
    const { scored } = await runRollout(stage.deps, { task: { id: 'one' }, attempt: 1, toolsets: ['terminal'], signal: never });
    assert.equal(scored.error, undefined);
    assert.deepEqual(seen, {
      found: ['./deep/more:1:two words', './found.txt:2:two words'],
      none: [],
      many: 1_000,
      missing: 'Error: the search in ./nowhere failed: it is not there.',
    });
  },
);
