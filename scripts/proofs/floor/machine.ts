import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { encodeLaunchPlan, encodeRules } from '../../../src/parts/terminals/launcher/plan.ts';
import { toFloorPlan } from '../../../src/parts/terminals/sandbox/floor-place.ts';
import { listFloorRules } from '../../../src/parts/terminals/sandbox/floor-rules.ts';
import { ATTEMPTS, OWN_PORT } from './attempts.ts';

/** Names of a machine: in the project, of Debian, of its compiler, and how it is emulated. */
export interface Machine {
  readonly name: 'x64' | 'arm64';
  readonly debian: string;
  readonly compiler: string;
  readonly qemu: string;
  readonly options: readonly string[];
  readonly console: string;
}
export const MACHINES: readonly Machine[] = [
  {
    name: 'x64',
    debian: 'amd64',
    compiler: 'x86_64-linux-gnu-gcc',
    qemu: 'qemu-system-x86_64',
    options: ['-cpu', 'max'],
    console: 'ttyS0',
  },
  {
    name: 'arm64',
    debian: 'arm64',
    compiler: 'aarch64-linux-gnu-gcc',
    qemu: 'qemu-system-aarch64',
    options: ['-machine', 'virt', '-cpu', 'cortex-a72'],
    console: 'ttyAMA0',
  },
];
const CACHE = resolve('.cache/floor');
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const SOURCE = 'scripts/proofs/floor';

export function call(program: string, args: readonly string[], cwd = CACHE): string {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.error?.message ?? done.stderr}`);
  return done.stdout;
}
/** What is needed besides a compiler for each machine, or nothing. */
export const findMissing = (): readonly string[] =>
  [...MACHINES.flatMap(({ qemu, compiler }) => [qemu, compiler]), 'apt-get', 'cpio', 'dpkg-deb'].filter(
    (program) => spawnSync(program, ['--version']).error !== undefined,
  );

/** A kernel and a busybox of a release of Debian, fetched by apt from where this machine has its packages. */
export function fetchKernel(suite: string, { debian }: Machine): { readonly kernel: string; readonly busybox: string } {
  const root = join(CACHE, suite);
  const files = join(root, debian);
  if (!existsSync(join(files, 'boot'))) {
    for (const folder of ['lists/partial', 'archives/partial', debian]) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'status'), '');
    const sites = call('apt-get', ['indextargets', '--format', '$(LABEL) $(SITE)'], '/').split('\n');
    const site = sites.find((line) => line.startsWith('Debian '))?.slice('Debian '.length);
    if (site === undefined) throw new Error('apt has no packages of Debian here.');
    writeFileSync(join(root, 'sources.list'), `deb [arch=amd64,arm64 signed-by=${KEYRING}] ${site} ${suite} main\n`);
    const places = [`Dir::Etc::SourceList=${root}/sources.list`, 'Dir::Etc::SourceParts=/dev/null', `Dir::State::Lists=${root}/lists`];
    const more = [`Dir::State::status=${root}/status`, `Dir::Cache=${root}`, 'APT::Sandbox::User=root'];
    const architectures = ['amd64', 'arm64'].map((each) => `APT::Architectures::=${each}`);
    const options = [...places, ...more, ...architectures].flatMap((each) => ['-o', each]);
    call('apt-get', [...options, 'update', '-q']);
    const found = /Depends: (\S+?)(?::\w+)?$/m.exec(call('apt-cache', [...options, 'depends', `linux-image-cloud-${debian}:${debian}`]));
    call('apt-get', [...options, 'download', `${found?.[1]}:${debian}`, `busybox-static:${debian}`], files);
    for (const packed of globSync(`${files}/*.deb`)) call('dpkg-deb', ['-x', packed, files]);
  }
  const [kernel] = globSync(`${files}/boot/vmlinuz-*`);
  const [busybox] = globSync(`${files}/{usr/bin,bin}/busybox`);
  if (kernel === undefined || busybox === undefined) throw new Error(`There is no kernel of ${suite} for ${debian}.`);
  return { kernel, busybox };
}

const OWN = { tmp: '/own/tmp', home: '/own/home', bin: '/own/bin', room: '/own/room', sockets: '/own/sockets' };
/** The plans and rules of each level, made by what makes them for sessions. */
function writePlans(folder: string, machine: Machine): void {
  const plan = toFloorPlan(
    {
      profile: 'attended',
      system: [{ path: '/bin' }, { path: '/attempts' }],
      kernel: { readable: [], hidden: [] },
      writable: ['/work'],
      readable: [],
      hidden: [{ path: '/home/key', kind: 'file' }],
      home: '/home',
      listed: [{ path: '/home', entries: [{ path: '/home/notes' }, { path: '/home/device' }] }],
      caches: [],
      guarded: [],
      network: false,
      uid: 1000,
      gid: 1000,
    },
    OWN,
  );
  for (let level = 1; level <= 6; level++) {
    const floor = {
      level,
      network: false,
      writable: ['/work', OWN.tmp, OWN.home, OWN.room],
      sockets: [OWN.sockets],
      ports: new Map([[OWN_PORT.asked, OWN_PORT.real]]),
      control: '/run/control',
      ruleset: '/run/ruleset',
    };
    writeFileSync(join(folder, `plan-${level}`), encodeLaunchPlan({ machine: machine.name, dropRights: false, namespaces: true, floor }));
    writeFileSync(
      join(folder, `rules-${level}`),
      encodeRules(
        listFloorRules(plan, () => []),
        { level, network: false },
      ),
    );
  }
}

/** A machine with nothing but busybox, the launcher and the attempts. */
export function buildImage(machine: Machine, busybox: string): string {
  const root = join(CACHE, `image-${machine.name}`);
  rmSync(root, { recursive: true, force: true });
  for (const folder of ['bin', 'proc', 'dev', 'plans', 'attempts']) mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(busybox, join(root, 'bin/busybox'));
  copyFileSync(resolve(`src/parts/terminals/launcher/launcher-${machine.name}`), join(root, 'bin/launcher'));
  copyFileSync(resolve(SOURCE, 'init.sh'), join(root, 'init'));
  call(machine.compiler, ['-O1', '-Wall', '-Werror', '-static', '-o', join(root, 'bin/inside'), resolve(SOURCE, 'inside.c')]);
  for (const file of ['bin/busybox', 'bin/launcher', 'init']) chmodSync(join(root, file), 0o755);
  writePlans(join(root, 'plans'), machine);
  for (const [at, { inside, outside }] of ATTEMPTS.entries()) {
    const folder = join(root, 'attempts', String(at).padStart(2, '0'));
    mkdirSync(folder);
    writeFileSync(join(folder, 'inside'), `${inside}\n`);
    if (outside !== undefined) writeFileSync(join(folder, 'outside'), `${outside}\n`);
  }
  const image = join(CACHE, `image-${machine.name}.gz`);
  call('sh', ['-c', `find . | cpio --quiet -o -H newc | gzip > '${image}'`], root);
  return image;
}

const BOOT_MS = 9 * 60_000;
/** What the machine says until it is turned off. */
export function boot({ qemu, options, console: at, name }: Machine, kernel: string, image: string): string {
  const words = `console=${at} quiet loglevel=1 panic=-1`;
  const args = [...options, '-accel', 'tcg', '-m', '512', '-nographic', '-no-reboot', '-nic', 'none', '-kernel', kernel, '-initrd', image];
  const ran = spawnSync(qemu, [...args, '-append', words], { encoding: 'utf8', timeout: BOOT_MS, stdio: ['ignore', 'pipe', 'pipe'] });
  writeFileSync(join(CACHE, `console-${name}`), `${readFileSync(kernel).length}\n${ran.stdout}${ran.stderr}`);
  return ran.stdout;
}
