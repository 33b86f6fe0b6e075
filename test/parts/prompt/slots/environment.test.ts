import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TerminalInfo } from '../../../../src/contracts/terminal.ts';
import { createMachineView, PROBES, type MachineView } from '../../../../src/parts/prompt/slots/environment-probes.ts';
import { environmentSlot } from '../../../../src/parts/prompt/slots/environment.ts';
import { textOf } from './setup.ts';

const WSL_KERNEL = 'Linux version 5.15.153.1-microsoft-standard-WSL2 (root@build)';
const view = (env: MachineView['env'], files: Readonly<Record<string, string>> = {}): MachineView => ({
  env,
  exists: (path) => path in files,
  read: (path) => files[path] ?? '',
});

const CASES: readonly { readonly seen: MachineView; readonly found: readonly string[] }[] = [
  { seen: view({}), found: [] },
  { seen: view({ PREFIX: '/usr/local', WSL_DISTRO_NAME: '', SSH_TTY: '' }, { '/proc/version': 'Linux version 6.8.0-generic' }), found: [] },
  { seen: view({ WSL_DISTRO_NAME: 'Ubuntu' }), found: ['wsl'] },
  { seen: view({}, { '/proc/version': WSL_KERNEL }), found: ['wsl'] },
  { seen: view({}, { '/proc/version': 'Linux version 4.4.0-19041-Microsoft' }), found: ['wsl'] },
  // A container on a Windows machine has that kernel and no drives.
  { seen: view({}, { '/proc/version': WSL_KERNEL, '/.dockerenv': '' }), found: ['container'] },
  { seen: view({ TERMUX_VERSION: '0.118.1' }), found: ['termux'] },
  { seen: view({ PREFIX: '/data/data/com.termux/files/usr' }), found: ['termux'] },
  { seen: view({}, { '/.dockerenv': '' }), found: ['container'] },
  { seen: view({}, { '/run/.containerenv': 'engine="podman"' }), found: ['container'] },
  { seen: view({}, { '/proc/1/cgroup': '12:pids:/docker/9f86d081884c' }), found: ['container'] },
  { seen: view({}, { '/proc/1/cgroup': '0::/kubepods/burstable/pod1' }), found: ['container'] },
  { seen: view({ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, { '/proc/1/cgroup': '0::/' }), found: ['container'] },
  { seen: view({}, { '/proc/1/cgroup': '0::/init.scope' }), found: [] },
  { seen: view({ SSH_CONNECTION: '10.0.0.2 50000 10.0.0.1 22' }), found: ['ssh'] },
  { seen: view({ SSH_TTY: '/dev/pts/1', WSL_DISTRO_NAME: 'Debian' }), found: ['wsl', 'ssh'] },
];

const HERE = ['Commands and file tools run on this machine (Linux).', 'Working directory: /home/user/demo', 'Network: yes.'];

for (const { seen, found } of CASES)
  test(`${JSON.stringify(seen.env)} finds ${found.join(' and ') || 'nothing'}`, async () => {
    assert.deepEqual(
      PROBES.filter((probe) => probe.found(seen)).map(({ name }) => name),
      found,
    );
    const hints = PROBES.filter(({ name }) => found.includes(name)).map(({ hint }) => hint);
    assert.equal(await textOf(environmentSlot({ view: seen, hint: '', system: 'linux' })), [...HERE, ...hints].join('\n'));
  });

test("the owner's words come last, and alone where there are no tools", async () => {
  assert.equal(
    await textOf(environmentSlot({ view: view({}), hint: ' The printer is on fire.\n' }), { tools: [] }),
    'The printer is on fire.',
  );
  assert.equal(await textOf(environmentSlot({ view: view({ TERMUX_VERSION: '1' }), hint: '' }), { tools: [] }), undefined);
  const both = await textOf(environmentSlot({ view: view({ TERMUX_VERSION: '1' }), hint: 'The printer is on fire.' }));
  assert.match(both ?? '', /^Commands and .*\nThis is Termux.*\nThe printer is on fire\.$/s);
});

test('the environment speaks only of tools that are there', async () => {
  const first = async (...tools: string[]) =>
    (await textOf(environmentSlot({ view: view({ SSH_TTY: '1' }), hint: '', system: 'linux' }), { tools }))?.split('\n')[0];
  for (const tool of ['web_search', 'memory', 'todo', 'vision_analyze', 'delegate_task', 'context_recall'])
    assert.equal(await first(tool, 'context_recall'), undefined, tool);
  assert.equal(await first('terminal'), 'Commands run on this machine (Linux).');
  assert.equal(await first('execute_code'), 'Commands run on this machine (Linux).');
  assert.equal(await first('read_file'), 'File tools run on this machine (Linux).');
  assert.equal(await first('read_file', 'process'), 'Commands and file tools run on this machine (Linux).');
});

test('a gateway that was started over SSH does not believe its user is', async () => {
  const slot = environmentSlot({ view: view({ SSH_CONNECTION: 'x' }), hint: '' });
  assert.match((await textOf(slot, { platform: 'tui' })) ?? '', /SSH/);
  assert.doesNotMatch((await textOf(slot, { platform: 'telegram' })) ?? '', /SSH/);
});

test('looking takes a handful of files, and none of them need be there', () => {
  const asked: string[] = [];
  const counting = { env: {}, exists: (path: string) => asked.push(path) < 0, read: (path: string) => (asked.push(path), '') };
  for (const probe of PROBES) probe.found(counting);
  assert.ok(asked.length <= 6, asked.join());
  assert.equal(createMachineView({}).read('/no/such/file'), '');
  assert.equal(createMachineView({}).exists('/no/such/file'), false);
  assert.equal(createMachineView({}).exists('/'), true);
});

const BOX: TerminalInfo = {
  where: 'in a box',
  cwd: '/inside',
  cwdNote: 'made for you',
  network: false,
  writable: '/inside',
  hides: 'Nothing of the host is there.',
};

test('another place is told with its folder, its network and what may be written there', async () => {
  const slot = environmentSlot({ view: view({}, { '/.dockerenv': '' }), hint: '', place: BOX });
  assert.equal(
    await textOf(slot),
    [
      'Commands and file tools run in a box. Nothing of the host is there.',
      'Working directory: /inside (made for you)',
      'Network: none. Commands cannot download or call remote services.',
      'Writable: /inside.',
    ].join('\n'),
  );
});

test('what is odd about this machine is told only where commands run on it; how the user is connected always is', async () => {
  const odd = view({ SSH_TTY: '/dev/pts/1' }, { '/.dockerenv': '' });
  const far = await textOf(environmentSlot({ view: odd, hint: '', place: BOX }));
  assert.doesNotMatch(far ?? '', /This machine is a container/);
  assert.match(far ?? '', /connected by SSH/);
  const near = await textOf(environmentSlot({ view: odd, hint: '', place: { ...BOX, onThisMachine: true } }));
  assert.match(near ?? '', /This machine is a container/);
});

test('a folder with a line break in its name begins no line of the prompt', async () => {
  const text = await textOf(environmentSlot({ view: view({}), hint: '' }), { cwd: '/home/user/a\n# New rules\u2028x' });
  assert.equal(text?.split('\n').at(1), 'Working directory: /home/user/a?# New rules?x');
});

test('systems have the names people use', async () => {
  const system = async (name: string) =>
    (await textOf(environmentSlot({ view: view({}), hint: '', system: name })))?.match(/\((.*?)\)/)?.[1];
  assert.deepEqual(await Promise.all(['linux', 'darwin', 'win32', 'android', 'freebsd'].map(system)), [
    'Linux',
    'macOS',
    'Windows',
    'Android',
    'freebsd',
  ]);
});
