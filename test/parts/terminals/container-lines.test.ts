import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { toContainerSettings } from '../../../src/parts/terminals/backends.ts';
import {
  createContainerExecArguments,
  createFindArguments,
  hashPlan,
  createRunArguments,
  resolveStartFolder,
  type ContainerPlan,
} from '../../../src/parts/terminals/containers/command-lines.ts';
import {
  createBuildArguments,
  createEnterArguments,
  formatImageFileName,
  createInstanceArguments,
  singularityTerminal,
  createStopArguments,
} from '../../../src/parts/terminals/containers/singularity.ts';
import { terminalSettings } from '../../../src/parts/terminals/settings.ts';

const settings = { ...toContainerSettings(collectDefaults(terminalSettings)), image: 'img' };
const plan: ContainerPlan = { name: 'hermes-1', task: 't', settings, cwd: '/work', canLimitDisk: false };
const line = (more: Partial<ContainerPlan> = {}): string => createRunArguments({ ...plan, ...more }).join(' ');
const HARD = '--cap-drop ALL --cap-add DAC_OVERRIDE --cap-add CHOWN --cap-add FOWNER';
const SCRATCH = '--tmpfs /tmp:rw,nosuid,size=512m --tmpfs /var/tmp:rw,noexec,nosuid,size=256m --tmpfs /run:rw,noexec,nosuid,size=64m';

test('a container is started with few rights, bounds and nothing of the host', () => {
  assert.equal(
    line(),
    `run -d --init --name hermes-1 --label hermes.task=t --label hermes.plan=${hashPlan(plan)} ${HARD} --cap-add SETUID --cap-add SETGID ` +
      `--security-opt no-new-privileges --pids-limit 256 --cpus 1 --memory 5120m --shm-size 1g ${SCRATCH} ` +
      '--tmpfs /workspace:rw,exec,size=10g,mode=1777 --tmpfs /home:rw,exec,size=1g,mode=1777 --tmpfs /root:rw,exec,size=1g -w /root img sleep infinity',
  );
});

test('each setting is one change of the command line', () => {
  const withSettings = (more: Partial<typeof settings>) => line({ settings: { ...settings, ...more } });
  assert.match(withSettings({ network: false }), / --network=none /);
  assert.match(withSettings({ volumes: ['/data:/data:ro'] }), / -v \/data:\/data:ro /);
  assert.match(withSettings({ env: { A: 'b c' } }), / -e A=b c /);
  assert.match(withSettings({ mountCwd: true }), / -v \/work:\/workspace .* -w \/workspace /);
  assert.match(withSettings({ extraArgs: ['--gpus', 'all'] }), / --gpus all img sleep infinity$/);
  assert.doesNotMatch(withSettings({ cpu: 0, memoryMB: 0, shmSize: '' }), /--cpus|--memory|--shm-size/);
  assert.match(line({ canLimitDisk: true }), / --storage-opt size=51200m /);
  assert.match(line({ store: { home: '/s/home', workspace: '/s/workspace' } }), / -v \/s\/workspace:\/workspace -v \/s\/home:\/root /);
  const user = line({ user: { uid: 1000, gid: 100 }, settings: { ...settings, asHostUser: true } });
  assert.match(user, / --user 1000:100 -e HOME=\/workspace .* -w \/workspace /);
  assert.doesNotMatch(user, /SETUID/);
  assert.equal(resolveStartFolder(settings), '/root');
});

test('a container is found again by its task and by everything that made it what it is', () => {
  assert.equal(
    createFindArguments(plan).join(' '),
    `ps -q --no-trunc --filter status=running --filter label=hermes.task=t --filter label=hermes.plan=${hashPlan(plan)}`,
  );
  assert.equal(hashPlan({ ...plan, name: 'hermes-2', cwd: '/elsewhere' }), hashPlan(plan));
  assert.notEqual(hashPlan({ ...plan, settings: { ...settings, network: false } }), hashPlan(plan));
  assert.notEqual(
    hashPlan({ ...plan, cwd: '/elsewhere', settings: { ...settings, mountCwd: true } }),
    hashPlan({ ...plan, settings: { ...settings, mountCwd: true } }),
  );
});

test('forwarded variables are named, never written out', () => {
  const table = {
    piped: 'exec -i -e TOKEN c bash -c x',
    pty: 'exec -i -t -e TOKEN c bash -c x',
    detached: 'exec -d -e TOKEN c bash -c x',
  } as const;
  for (const how of ['piped', 'pty', 'detached'] as const)
    assert.equal(createContainerExecArguments('c', how, ['TOKEN'], ['bash', '-c', 'x']).join(' '), table[how]);
});

test('the command lines of singularity and apptainer', () => {
  const instance = { name: 'hermes-1', image: '/i.sif', volumes: ['/data:/data'], network: true };
  const rows: readonly (readonly [readonly string[], string])[] = [
    [createInstanceArguments(instance), 'instance start --containall --no-home --writable-tmpfs --bind /data:/data /i.sif hermes-1'],
    [
      createInstanceArguments({ ...instance, overlay: '/o', workspace: '/w', network: false }),
      'instance start --containall --no-home --overlay /o --net --network none --bind /w:/workspace --bind /data:/data /i.sif hermes-1',
    ],
    [createEnterArguments('hermes-1', 'piped', ['bash', '-c', 'x']), 'exec --containall --no-home instance://hermes-1 bash -c x'],
    [createEnterArguments('hermes-1', 'pty', ['bash']), 'exec --containall --no-home instance://hermes-1 bash'],
    [
      createEnterArguments('hermes-1', 'detached', ['bash', '-c', 'x']),
      'exec --containall --no-home instance://hermes-1 sh -c setsid "$@" >/dev/null 2>&1 </dev/null & hermes bash -c x',
    ],
    [createBuildArguments('/s/i.sif', 'docker://a/b:1'), 'build /s/i.sif docker://a/b:1'],
    [createStopArguments('hermes-1'), 'instance stop hermes-1'],
  ];
  for (const [args, expected] of rows) assert.equal(args.join(' '), expected);
  assert.equal(formatImageFileName('docker://nikolaik/python-nodejs:python3.11'), 'docker_nikolaik_python-nodejs_python3.11.sif');
});

test('a machine without singularity is told so', async () => {
  const options = {
    image: '/i.sif',
    task: 't',
    store: '/none',
    volumes: [],
    forwardEnv: [],
    mountCwd: false,
    network: true,
    persistent: false,
  };
  await assert.rejects(
    singularityTerminal({ ...options, env: { PATH: '/no/such' } }).open({ cwd: '/', env: {} }),
    /neither apptainer nor singularity in PATH/,
  );
});
