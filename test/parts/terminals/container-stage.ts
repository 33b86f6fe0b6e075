import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { toErrorMessage } from '../../../src/base/errors.ts';
import { containerTerminal } from '../../../src/parts/terminals/containers/container.ts';
import type { ContainerSettings } from '../../../src/parts/terminals/containers/command-lines.ts';

const execute = promisify(execFile);
/** Of this process alone: another file's stage is taken down while this one is in use. */
const IMAGE = `localhost/hermes-terminal-test:${process.pid}`;
const PROGRAMS =
  'bash sh sleep cat ls rm mv cp mkdir rmdir stat readlink base64 head tail tr wc chmod seq env id ps kill touch ln mkfifo sync true false grep date timeout setsid'.split(
    ' ',
  );
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-containers-')));

/** Podman as it has to be called where limits cannot be raised and control groups are of the old kind. */
function wrapper(podman: string): string {
  const path = join(folder, 'engine');
  writeFileSync(
    path,
    `#!/bin/sh\nif [ "$1" = run ]; then shift; set -- run --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 "$@"; fi\nexec ${podman} --cgroup-manager cgroupfs --runtime runc "$@"\n`,
    { mode: 0o755 },
  );
  return path;
}

/** An image of this machine's own shell and a few programs: nothing is fetched from anywhere. */
async function importImage(engine: string): Promise<void> {
  const root = join(folder, 'root');
  for (const name of ['usr/bin', 'tmp', 'root', 'etc', 'proc', 'sys', 'dev', 'run', 'var/tmp', 'home', 'workspace'])
    mkdirSync(join(root, name), { recursive: true });
  symlinkSync('usr/bin', join(root, 'bin'));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/bash\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
  const libraries = new Set<string>();
  for (const name of PROGRAMS) {
    const file = [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path));
    if (file === undefined) throw new Error(`there is no ${name} here to put into an image`);
    copyFileSync(realpathSync(file), join(root, 'usr/bin', name));
    const { stdout } = await execute('ldd', [file]).catch(() => ({ stdout: '' }));
    for (const [path] of stdout.matchAll(/\/\S+/g)) libraries.add(path);
  }
  for (const path of libraries) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  await execute('tar', ['-C', root, '-cf', join(folder, 'image.tar'), '.']);
  await execute(engine, ['import', join(folder, 'image.tar'), IMAGE]);
}

async function probe(): Promise<{ readonly engine: string } | { readonly why: string }> {
  const podman = ['/usr/bin/podman', '/usr/local/bin/podman'].find((path) => existsSync(path));
  if (podman === undefined) return { why: 'podman is not installed' };
  const engine = wrapper(podman);
  try {
    await importImage(engine);
    await execute(engine, ['run', '--rm', '--init', '--network', 'none', IMAGE, 'true']);
    return { engine };
  } catch (error) {
    return { why: `podman does not run here: ${toErrorMessage(error).slice(0, 400)}` };
  }
}

const found = await probe();
export const noEngine: string | undefined = 'why' in found ? found.why : undefined;
if (noEngine !== undefined) console.log(`containers: skipped, ${noEngine}`);
export const engine = 'engine' in found ? found.engine : '';
export const engineSays = async (...args: string[]): Promise<string> => (await execute(engine, args)).stdout.trim();

export async function removeStage(): Promise<void> {
  if (engine !== '') await execute(engine, ['rmi', '-f', IMAGE]).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}

export const SETTINGS: ContainerSettings = {
  image: IMAGE,
  volumes: [],
  forwardEnv: [],
  env: {},
  network: false,
  mountCwd: false,
  asHostUser: false,
  shmSize: '64m',
  extraArgs: [],
  cpu: 1,
  memoryMB: 512,
  diskMB: 51_200,
  persistent: false,
};
let count = 0;
export const openContained = async (
  settings: Partial<ContainerSettings> = {},
  env: Readonly<Record<string, string>> = {},
  task = `t${process.pid}-${count++}`,
) => {
  const own = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/root', HERMES_DOCKER_BINARY: engine, ...env };
  const backend = containerTerminal({ settings: { ...SETTINGS, ...settings }, task, store: join(folder, 'sandboxes'), env: own });
  return backend.open({ cwd: folder, env: {} });
};
export const hostFolder = folder;
