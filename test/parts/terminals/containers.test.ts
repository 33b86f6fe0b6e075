import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { adoptInContainer } from '../../../src/parts/terminals/containers/container.ts';
import { testFilesConformance } from '../../../src/testing/conformance/files.ts';
import { retryUntil, run } from '../../../src/testing/conformance/terminal-commands.ts';
import { testTerminalConformance } from '../../../src/testing/conformance/terminal.ts';
import { onlyThese } from '../../size.ts';
import { engine, engineSays, hostFolder, noEngine, openContained, removeStage } from './container-stage.ts';

after(async () => {
  for (const id of noEngine === undefined ? (await engineSays('ps', '-aq', '--filter', 'label=hermes.task=shared')).split('\n') : [])
    if (id !== '') await engineSays('rm', '-f', '-t', '0', id);
  await removeStage();
});
if (noEngine !== undefined) test('a container', { skip: noEngine }, () => {});
else {
  // One container for all of them, in folders of their own: starting one for each would take minutes.
  let count = 0;
  const inFolder = async () => {
    const terminal = await openContained({ persistent: true }, {}, 'shared');
    const folder = `/root/empty-${count++}`;
    await run(terminal, `mkdir -p ${folder} && cd ${folder}`);
    return { terminal, folder };
  };
  testTerminalConformance('a container of podman', inFolder, {
    begunWithinMs: 3_000,
    adopt: (trace, options) => adoptInContainer(trace, { PATH: process.env['PATH'] ?? '', HERMES_DOCKER_BINARY: engine }, options),
    // How a command is brought in, ended and followed is of containers alone; shell and snapshots are those of this machine.
    leftOut: onlyThese(
      'what a signal ended',
      'a command gives its output',
      'input is handed over whole',
      'a time-out also ends what left the group',
      'an abort is through',
      'what a started command writes',
      'closing its input',
      'closing the terminal',
      'what is to outlive',
      'variables, functions, aliases',
      'with a pseudo-terminal',
    ),
  });
  const openFiles = async () => {
    const { terminal, folder } = await inFolder();
    return {
      files: terminal.files,
      folder,
      shell: async (command: string) => (await run(terminal, command)).output,
      close: async () => terminal[Symbol.asyncDispose](),
    };
  };
  testFilesConformance('a container', openFiles, onlyThese('text is written', 'a folder is listed', 'what is not there'));
}

describe('a container of podman', { skip: noEngine ?? false }, () => {
  test('is shut in: few rights, no new ones, no network, a private /tmp, bounds', async () => {
    await using terminal = await openContained();
    const { output } = await run(
      terminal,
      'grep -E "CapEff|NoNewPrivs" /proc/self/status; cat /proc/net/dev | wc -l; ls /dev | grep -c "^sd\\|^vd"; grep " /tmp " /proc/mounts',
    );
    // DAC_OVERRIDE, CHOWN, FOWNER, SETUID and SETGID are bits 1, 0, 3, 7 and 6.
    assert.match(output, /CapEff:\s+00000000000000cb\nNoNewPrivs:\s+1\n3\n0\ntmpfs \/tmp tmpfs .*nosuid.*size=524288k/);
  });

  test('is gone when the terminal is closed, unless it is to stay', async () => {
    const task = `task${process.pid}`;
    const ids = () => engineSays('ps', '-aq', '--filter', `label=hermes.task=${task}`);
    const first = await openContained({}, {}, task);
    assert.notEqual(await ids(), '');
    await first[Symbol.asyncDispose]();
    assert.equal(await ids(), '');

    const second = await openContained({ persistent: true }, {}, task);
    await run(second, 'echo kept > ~/note; export A=1; cd /workspace');
    const running = await second.start('echo begun; while [ ! -e /tmp/go ]; do sleep 0.1; done; echo "over $A"; exit 9', {
      maxOutput: 1_000,
      outlive: true,
    });
    await second[Symbol.asyncDispose]();
    const stays = await ids();
    assert.notEqual(stays, '');
    assert.equal(readFileSync(join(hostFolder, 'sandboxes/docker', task, 'home/note'), 'utf8'), 'kept\n');

    try {
      await using third = await openContained({ persistent: true }, {}, task);
      assert.equal(await ids(), stays);
      assert.equal((await run(third, 'cat ~/note')).output, 'kept\n');
      assert.ok(running.trace !== undefined);
      const adopted = await adoptInContainer(
        running.trace,
        { PATH: process.env['PATH'] ?? '', HERMES_DOCKER_BINARY: engine },
        { maxOutput: 1_000 },
      );
      assert.ok(adopted !== undefined);
      const heard: string[] = [];
      adopted.onOutput((text) => heard.push(text));
      await retryUntil('its first words are there', async () => adopted.output() === 'begun\n' || (await pause()));
      await run(third, 'touch /tmp/go');
      await retryUntil('it is over', async () => adopted.status().state === 'exited' || (await pause()));
      assert.deepEqual([await adopted.exited, adopted.output(), heard.join('')], [9, 'begun\nover 1\n', 'begun\nover 1\n']);

      const stubborn = await third.start("trap '' TERM; sleep 4242 & while :; do sleep 1; done", { maxOutput: 1_000, outlive: true });
      await stubborn.kill();
      await retryUntil('all of its group is gone', async () => !(await run(third, 'ps -eo args')).output.includes('sleep 4242'));
    } finally {
      await engineSays('rm', '-f', '-t', '0', stays);
    }
    assert.equal(
      await adoptInContainer(running.trace, { PATH: process.env['PATH'] ?? '', HERMES_DOCKER_BINARY: engine }, { maxOutput: 1_000 }),
      undefined,
    );
  });

  test('has the folder of the session, variables that are forwarded or set, and no others', async () => {
    writeFileSync(join(hostFolder, 'here'), 'from the host\n');
    await using terminal = await openContained(
      { mountCwd: true, forwardEnv: ['MY_TOKEN'], env: { COLOUR: 'blue' } },
      { MY_TOKEN: 'secret-1', OTHER: 'x' },
    );
    assert.equal(terminal.cwd, '/workspace');
    assert.equal(
      (await run(terminal, 'cat here; echo "$MY_TOKEN|$COLOUR|${OTHER-}"; export SET=1; echo made > made')).output,
      'from the host\nsecret-1|blue|\n',
    );
    assert.equal(existsSync(join(hostFolder, 'made')), true);
    assert.equal((await run(terminal, 'grep -rl secret-1 /tmp /root || echo nowhere')).output, 'nowhere\n');
    assert.doesNotMatch(await engineSays('ps', '-a', '--format', '{{.Command}} {{.Labels}}'), /secret-1/);
  });

  test('that cannot be started says what was tried and what came back', async () => {
    await assert.rejects(
      openContained({ image: 'localhost/hermes-none:1' }),
      /could not be started: .*hermes-none.*terminal\.docker_image/s,
    );
    await assert.rejects(
      openContained({}, { HERMES_DOCKER_BINARY: '/no/such/engine' }),
      /\/no\/such\/engine \(HERMES_DOCKER_BINARY\) is not there/,
    );
  });
});

const pause = async (): Promise<false> => {
  await new Promise((resolve) => setTimeout(resolve, 100));
  return false;
};
