import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { toErrorMessage } from '../../src/base/errors.ts';

/** What a run of an engine or of a command in a container came to. */
export interface EngineRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
/** A service of `compose.yaml`, as far as ours has it. */
export interface ComposeService {
  readonly command: string;
  readonly restart: string;
  readonly stop_grace_period: string;
  readonly volumes: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly security_opt: readonly string[];
  readonly cap_drop: readonly string[];
}
/** An engine with a storage of its own, in which the image is built. */
export interface ImageStage extends AsyncDisposable {
  readonly engine: (args: readonly string[], input?: string) => Promise<EngineRun>;
  /** Builds the image of this checkout. */
  build(tag: string): Promise<void>;
  /** Makes an image of another version: the same program under another number. */
  buildFormer(tag: string, from: string, version: string): Promise<void>;
  /** Runs `hermes` in a new container that is gone afterwards. */
  hermes(image: string, args: readonly string[], more?: readonly string[]): Promise<EngineRun>;
  /** Runs a shell line in a new container, which gets the text as its input. */
  shell(image: string, line: string, more?: readonly string[], input?: string): Promise<EngineRun>;
  /** Starts the service of `compose.yaml`. */
  up(name: string, image: string): Promise<void>;
}

export const WHY_NOT = findReason();
if (WHY_NOT !== undefined) console.log(`image: skipped, ${WHY_NOT}`);

function findReason(): string | undefined {
  if (process.env['HERMES_PROVE_IMAGE'] !== '1') return 'in full: npm run prove -- image';
  const missing = ['podman', 'runc', 'mmdebstrap', 'npm', 'tar'].filter((name) => findProgram(name) === undefined);
  if (missing.length > 0) return `${missing.join(', ')} not installed`;
  return process.getuid?.() === 0 ? undefined : 'a root file system can be made by root alone';
}

function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export function readService(): ComposeService {
  const { services } = parse(readFileSync('compose.yaml', 'utf8')) as { readonly services: Readonly<Record<string, ComposeService>> };
  const service = services['hermes'];
  if (service === undefined) throw new Error('compose.yaml has no service hermes');
  return service;
}

/** What the image is built from, as `.dockerignore` names it. */
export const readContext = (): readonly string[] =>
  readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));

const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096', '--network', 'host'];
/** As the slim images of Debian are made. */
const SLIM = ['path-exclude=/usr/share/man/*', 'path-exclude=/usr/share/locale/*', 'path-exclude=/usr/share/doc/*'];

export async function openImageStage(): Promise<ImageStage> {
  // Not below /tmp, which may be in memory: images are large.
  const folder = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'hermes-image-'));
  const own = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
  const engine = (args: readonly string[], input = ''): Promise<EngineRun> => run('podman', [...own, ...args], input);
  const must = async (args: readonly string[]): Promise<string> => {
    const { code, out, err } = await engine(args);
    if (code !== 0) throw new Error(`podman ${args.join(' ')} ended with ${code}:\n${out.slice(-2_000)}\n${err.slice(-4_000)}`);
    return out.trim();
  };
  const stage: ImageStage = {
    engine,
    build: async (tag) => {
      const bases = ['--build-arg', 'BASE=localhost/base', '--build-arg', 'BUILDER=localhost/builder'];
      await must(['build', '--format', 'docker', ...LIMITS, ...bases, '-t', tag, '.']);
    },
    buildFormer: async (tag, from, version) => {
      const lines = [`FROM ${from}`, 'USER root', `RUN echo "hermes ${version}" >/opt/hermes/dist/VERSION`, 'USER hermes'];
      const file = join(folder, 'Dockerfile');
      writeFileSync(file, `${lines.join('\n')}\n`);
      await must(['build', '--format', 'docker', ...LIMITS, '-t', tag, '-f', file, '.']);
    },
    hermes: (image, args, more = []) => engine(['run', '--rm', ...LIMITS, ...more, image, ...args]),
    shell: (image, line, more = [], input = '') =>
      engine(['run', '--rm', '-i', ...LIMITS, ...more, '--entrypoint', 'sh', image, '-c', line], input),
    up: async (name, image) =>
      void (await must([
        'run',
        '-d',
        '--name',
        name,
        ...LIMITS,
        ...toRunOptions(readService()),
        image,
        ...readService().command.split(' '),
      ])),
    [Symbol.asyncDispose]: async () => {
      await engine(['rm', '-af']);
      await engine(['rmi', '-af']);
      // The storage may still be mounted on itself.
      spawnSync('umount', [join(folder, 'storage', 'overlay')]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await makeBases(folder, must);
  } catch (error) {
    await stage[Symbol.asyncDispose]();
    throw new Error(`the base of the image could not be made: ${toErrorMessage(error)}`, { cause: error });
  }
  return stage;
}

/** A small Debian, and the same with npm and a Node of this machine in it, in place of the images that are pulled elsewhere. */
async function makeBases(folder: string, engine: (args: readonly string[]) => Promise<string>): Promise<void> {
  const [tar, root] = [join(folder, 'base.tar'), join(folder, 'builder')];
  const made = await run('mmdebstrap', ['--variant=minbase', ...SLIM.map((option) => `--dpkgopt=${option}`), 'bookworm', tar]);
  if (made.code !== 0) throw new Error(made.err.slice(-2_000));
  await engine(['import', tar, 'localhost/base']);
  mkdirSync(root);
  await run('tar', ['-C', root, '--exclude=./dev/*', '-xf', tar]);
  const npm = realpathSync(process.env['npm_execpath'] ?? findProgram('npm') ?? '');
  mkdirSync(join(root, 'usr/lib/node_modules'), { recursive: true });
  cpSync(dirname(dirname(npm)), join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  cpSync(realpathSync(process.execPath), join(root, 'usr/bin/node'));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  // It trusts whom this machine trusts: a registry of packages may be one of a company.
  const trusted = process.env['NODE_EXTRA_CA_CERTS'];
  const change = trusted === undefined ? [] : ['--change', 'ENV=NODE_EXTRA_CA_CERTS=/etc/extra-ca.crt'];
  if (trusted !== undefined) cpSync(trusted, join(root, 'etc/extra-ca.crt'), { dereference: true });
  await run('tar', ['-C', root, '-cf', join(folder, 'builder.tar'), '.']);
  await engine(['import', ...change, join(folder, 'builder.tar'), 'localhost/builder']);
  rmSync(root, { recursive: true });
}

/** What an engine is told by hand of what stands in `compose.yaml`. */
function toRunOptions({
  restart,
  stop_grace_period: grace,
  volumes,
  security_opt: options,
  cap_drop: drops,
}: ComposeService): readonly string[] {
  return [
    `--restart=${restart}`,
    `--stop-timeout=${Number.parseInt(grace, 10)}`,
    ...volumes.map((volume) => `--volume=${volume}`),
    ...options.map((option) => `--security-opt=${option.replace(':true', '')}`),
    ...drops.map((drop) => `--cap-drop=${drop}`),
  ];
}

const run = (program: string, args: readonly string[], input = ''): Promise<EngineRun> =>
  new Promise((done) => {
    const child = execFile(program, args, { maxBuffer: 2 ** 26 }, (error, out, err) =>
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, err }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

/** Waits for what takes a container minutes at most. */
export async function untilTrue(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (await isSo()) return;
    await sleep(250);
  }
  throw new Error(`It never came to this: ${what}`);
}
