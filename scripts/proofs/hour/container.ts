import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROFILE = '/usr/share/containers/seccomp.json';
const NEW_USER_NAMESPACE = 0x1000_0000;
/** Calls that make namespaces, enter them or mount. What Docker refuses and an older podman does not. */
const REFUSED = new Set(['unshare', 'setns', 'clone', 'clone3', 'mount', 'pivot_root', 'open_tree', 'move_mount', 'fsopen', 'fsmount']);

interface Profile {
  readonly syscalls: readonly { readonly names: readonly string[] }[];
}

/** Podman's own profile, but for user namespaces and what they are good for. */
function makeProfile(): object {
  const profile = JSON.parse(readFileSync(PROFILE, 'utf8')) as Profile;
  const plainClone = {
    names: ['clone'],
    action: 'SCMP_ACT_ALLOW',
    args: [{ index: 0, value: NEW_USER_NAMESPACE, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
  };
  const rest = profile.syscalls.map((rule) => ({ ...rule, names: rule.names.filter((name) => !REFUSED.has(name)) }));
  return { ...profile, syscalls: [...rest, plainClone] };
}

/**
 * Runs a script of this checkout as an ordinary user in a container of podman, and gives what it prints. The container has the
 * files of this machine, with a layer over them that is thrown away, and no user namespaces.
 */
export async function runInContainer(script: string, args: readonly string[]): Promise<string> {
  // Below /tmp a storage may lie in memory.
  const folder = mkdtempSync('/var/tmp/hermes-hour-');
  try {
    const profile = join(folder, 'seccomp.json');
    writeFileSync(profile, JSON.stringify(makeProfile()));
    for (const name of ['storage', 'run']) mkdirSync(join(folder, name));
    const own = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
    const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096', '--network', 'host', '--user', '1000:1000'];
    const mounts = ['.', 'node_modules'].flatMap((name) => ['--volume', `${realpathSync(name)}:${join('/mnt/hermes', name)}:ro`]);
    const env = ['TMPDIR=/tmp', 'HERMES_TEST_MAIN=/mnt/hermes/dist/main.cjs'].flatMap((each) => ['--env', each]);
    const place = ['--security-opt', `seccomp=${profile}`, ...mounts, ...env, '--workdir', '/mnt/hermes', '--rootfs', '/:O'];
    const { stdout } = await promisify(execFile)(
      'podman',
      [...own, 'run', '--rm', '--init', ...limits, ...place, '/mnt/hermes/node_modules/.bin/node', script, ...args],
      { maxBuffer: 1 << 24 },
    );
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
