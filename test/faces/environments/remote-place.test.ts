import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { terminalTest } from '../../../src/faces/environments/library/terminal-test.ts';
import { runRollout, type Rollout } from '../../../src/faces/environments/rollout.ts';
import { noSshd, startHost } from '../../parts/terminals/ssh-stage.ts';
import { stageRollouts } from './scene.ts';

const never = new AbortController().signal;
const command = (words: string) => ({ calls: [{ id: 'c1', name: 'terminal', input: { command: words } }] });
/** Processes that were started in this folder of an attempt. */
const listProcessesOf = (folder: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });

if (noSshd !== undefined) test('attempts on another machine', { skip: noSshd }, () => {});
else {
  const host = await startHost([`SetEnv TMPDIR=/tmp`]);
  after(() => host.close());
  const { settings } = host;
  const terminal = {
    'terminal.ssh_host': settings.host,
    'terminal.ssh_user': settings.user ?? '',
    'terminal.ssh_port': settings.port ?? 0,
    'terminal.ssh_key': settings.key ?? '',
    'terminal.ssh_options': [...(settings.options ?? [])],
  };
  const environment = {
    ...terminalTest,
    load: async (context: Parameters<typeof terminalTest.load>[0]) => ({
      ...(await terminalTest.load(context)),
      place: () => ({ terminal }),
    }),
  };
  const flag = { env: { terminal_backend: 'ssh' } };
  const homeThere = () => readdirSync(join(host.folder, 'home'));

  test('on ssh each attempt has a folder and a home of its own, and nothing of it stays', async () => {
    const line = 'pwd; ls -A; ls -A ~; printf 42 > result.txt; echo mine > ~/planted; mkdir locked; touch locked/f; chmod 500 locked';
    const background = { calls: [{ id: 'c0', name: 'terminal', input: { command: 'sleep 600', background: true } }] };
    await using stage = await stageRollouts(environment, [background, command(line), { text: 'Done.' }], { flag });
    const [task] = stage.deps.environment.evaluation;
    assert.ok(task);
    const heard: string[] = [];
    for (const attempt of [1, 2]) {
      const { scored, result }: Rollout = await runRollout(stage.deps, { task, attempt, toolsets: ['terminal'], signal: never });
      const output: string = result.messages.findLast(({ role }) => role === 'tool')?.content ?? '';
      assert.deepEqual([scored.reward, scored.error], [1, undefined], output);
      assert.doesNotMatch(output, /planted|result\.txt/);
      heard.push(/^\/\S+$/m.exec(output)?.[0] ?? '');
    }
    assert.notEqual(heard[0], heard[1]);
    assert.deepEqual(homeThere(), []);
    for (const folder of heard) {
      assert.throws(() => readdirSync(folder), /ENOENT/);
      assert.deepEqual(listProcessesOf(folder), []);
    }
  });

  test('on ssh an attempt that does nothing fails, also after one that did the work', async () => {
    let asked = 0;
    await using stage = await stageRollouts(
      environment,
      () => [command('printf 42 > result.txt'), { text: 'Done.' }][asked++] ?? { text: 'No.' },
      { flag },
    );
    const [task] = stage.deps.environment.evaluation;
    assert.ok(task);
    const rewards = [];
    for (const attempt of [1, 2, 3])
      rewards.push((await runRollout(stage.deps, { task, attempt, toolsets: ['terminal'], signal: never })).scored.reward);
    assert.deepEqual(rewards, [1, 0, 0]);
  });

  test('on ssh a fresh place is not the one the model worked in', async () => {
    const fresh: string[] = [];
    const judged = {
      ...environment,
      load: async (loading: Parameters<typeof terminalTest.load>[0]) => ({
        ...(await environment.load(loading)),
        reward: async (...[, , context]: Parameters<Awaited<ReturnType<typeof terminalTest.load>>['reward']>) => {
          const other = await context.freshPlace();
          fresh.push((await other.terminal('ls -A . ~')).output, await other.workingDirectory(), await context.workingDirectory());
          return 1;
        },
      }),
    };
    await using stage = await stageRollouts(judged, [command('touch here ~/there'), { text: 'Done.' }], { flag });
    const [task] = stage.deps.environment.evaluation;
    assert.ok(task);
    const { scored } = await runRollout(stage.deps, { task, attempt: 1, toolsets: ['terminal'], signal: never });
    assert.deepEqual([scored.reward, scored.error], [1, undefined]);
    const [listed = '', freshFolder, folder] = fresh;
    assert.doesNotMatch(listed, /here|there/);
    assert.notEqual(freshFolder, folder);
  });
}
