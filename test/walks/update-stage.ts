import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { copyBuilt } from '../built.ts';
import { gatewayStage, type GatewayStage } from './gateway-stage.ts';
import { userWords } from './stage.ts';

/** How a checkout gets another version; `rollback` is an update whose new version fails after it was built. */
export const WAYS = ['update', 'rollback', 'npm ci', 'build'] as const;
export type Way = (typeof WAYS)[number];
/** After so many steps (calls of git and npm, and changes of files by the build), or after so many milliseconds. */
export type KillPoint = { readonly step: number } | { readonly afterMs: number };
export interface Round {
  readonly way: Way;
  readonly kill?: KillPoint;
  readonly killed: boolean;
  /** The last step that was begun. */
  readonly last: string;
  readonly steps: number;
  readonly ms: number;
  /** It ended with an error that names what to type, and that was done. */
  readonly byHand: boolean;
  readonly faults: readonly string[];
}
export interface UpdateStage extends AsyncDisposable {
  /** Publishes a version, goes there in a way and is killed; then everything that has to run is used. */
  play(way: Way, kill?: KillPoint): Promise<Round>;
  /** How many programs were started meanwhile, and what the person said. */
  readonly counts: () => { readonly starts: number; readonly messages: number; readonly commands: number };
  version(): string;
}

/** What npm installs: some of our own packages that need no others. */
const PACKAGES = ['ws', 'diff', 'yaml', 'eventsource-parser', 'smol-toml', 'croner'];

/** Ends its whole process group at a step; each step leaves a line. */
const SHIM = `#!/bin/sh
step() {
  printf '%s\\n' "$1" >>"$STEPS"
  [ "$(wc -l <"$STEPS")" -eq "$KILL_AT" ] && kill -KILL 0
}
step "before NAME $1"
PATH=$REAL_PATH NAME "$@"
code=$?
step "after NAME $1"
exit "$code"
`;

/** Takes the place of the bundler: a build that is there already comes under a new name, and goes the way every build goes. */
const BUILD = `import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
const { STEPS = '/dev/null', KILL_AT, PREBUILT, BUILDS } = process.env;
const real = { ...fs };
let isInside = false;
const step = (name) => {
  if (isInside) return;
  isInside = true;
  real.appendFileSync(STEPS, name + '\\n');
  if (real.readFileSync(STEPS, 'utf8').split('\\n').length - 1 === Number(KILL_AT)) process.kill(0, 'SIGKILL');
  isInside = false;
};
for (const name of ['renameSync', 'mkdirSync', 'utimesSync'])
  fs[name] = (...args) => (step(name + ' ' + String(args[0]).replace(process.cwd(), '')), real[name](...args));
syncBuiltinESMExports();
const { keepRuntime, makeBuildFolder, publishBuild, sweepBuilds } = await import(BUILDS);
const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const build = makeBuildFolder('dist', 'fedcba98');
step('copy');
execFileSync('cp', ['-al', PREBUILT + '/.', join('dist', build)]);
fs.rmSync(join('dist', build, 'VERSION'));
fs.writeFileSync(join('dist', build, 'VERSION'), 'hermes ' + version + '\\n');
keepRuntime('dist', build, 'node_modules', ['ws']);
publishBuild('dist', build);
// Builds are swept soon after they were replaced, so that only their marks keep those in use.
sweepBuilds('dist', Date.now() + 595_000);
if (version.endsWith('-broken') && process.env.npm_lifecycle_event === 'prepare') process.exit(3);
`;

export async function openUpdateStage(): Promise<UpdateStage> {
  await using opened = new AsyncDisposableStack();
  const scene = opened.use(await gatewayStage({ answer: (request) => ({ text: `Answer ${findNumber(userWords(request).at(-1))}.` }) }));
  const checkout = opened.use(await openCheckout(scene));
  const person = opened.use(startTalking(scene));
  let starts = 0;
  /** Starts programs from the checkout until this is disposed. */
  const startProbing = (faults: string[]): AsyncDisposable => {
    const over = new AbortController();
    const probing = (async () => {
      for (; !over.signal.aborted; starts += 1) {
        const { code, words } = await checkout.run(['config', 'path']).ended;
        if (code !== 0) faults.push(`a program that was started ended with ${code}: ${words}`);
      }
    })();
    return {
      [Symbol.asyncDispose]: async () => {
        over.abort();
        await probing;
      },
    };
  };
  const kept = opened.move();
  return {
    version: checkout.version,
    counts: () => ({ starts, ...person.counts() }),
    play: async (way, kill) => {
      const faults: string[] = [];
      const begun = checkout.begin(way, kill);
      const began = Date.now();
      const { signal, words } = await (async () => {
        await using _probing = startProbing(faults);
        if (kill !== undefined && 'afterMs' in kill) void pause(kill.afterMs).then(begun.kill);
        return begun.ended;
      })();
      begun.kill();
      const ms = Date.now() - began;
      const steps = checkout.steps();
      const killed = signal === 'SIGKILL';
      if (!killed && way === 'update' && !/runs again/.test(words)) faults.push(`the update ended so: ${words}`);
      faults.push(...(await person.use()), ...(await checkRunning(checkout.run)));
      const { byHand } = begun;
      return { way, ...(kill !== undefined && { kill }), killed, last: steps.at(-1) ?? '', steps: steps.length, ms, byHand, faults };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A source and a checkout of it, from which a gateway runs in the background. */
async function openCheckout({ env: given, place }: GatewayStage) {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-updates-'));
  const at = (...names: readonly string[]): string => join(folder, ...names);
  const [source, root, steps] = [at('source'), at('checkout'), at('steps')];
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  writeSource(folder, source);
  git(folder, 'clone', '-q', source, root);
  mkdirSync(at('shims'));
  for (const name of ['git', 'npm']) writeFileSync(at('shims', name), SHIM.replaceAll('NAME', name), { mode: 0o755 });
  const path = given['PATH'] ?? '';
  const env = {
    // No package comes from a registry.
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '0',
    ...given,
    HERMES_GATEWAY_LOCK_DIR: at('locks'),
    HERMES_GATEWAY_MAX_STARTS: '100000',
    GIT_CONFIG_GLOBAL: '/dev/null',
    PREBUILT: at('prebuilt'),
    BUILDS: resolve('scripts/builds.ts'),
    REAL_PATH: path,
  };
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Ended =>
    start(join(root, 'bin', 'hermes'), args, { cwd: place.cwd, env: { ...env, ...more } });
  await expectGood(start('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, env }));
  await expectGood(run(['gateway', 'start']));
  opened.defer(async () => void (await run(['gateway', 'stop']).ended));
  const go = (way: Way, more: Readonly<Record<string, string>>): Ended => {
    if (way === 'update' || way === 'rollback') return run(['update'], more);
    if (way === 'npm ci') git(root, 'pull', '-q', '--ff-only');
    const args = way === 'npm ci' ? ['ci', '--no-audit', '--no-fund'] : ['run', 'build'];
    return start(at('shims', 'npm'), args, { cwd: root, env: { ...env, ...more } });
  };
  const kept = opened.move();
  let number = 1;
  return {
    run,
    version: () => readFileSync(join(root, 'dist', 'VERSION'), 'utf8').trim(),
    steps: () => readFileSync(steps, 'utf8').trim().split('\n'),
    begin: (way: Way, kill?: KillPoint): Ended & { readonly byHand: boolean } => {
      number += 1;
      if (way !== 'build') release(source, `1.${number}.0${way === 'rollback' ? '-broken' : ''}`);
      writeFileSync(steps, '');
      const byHand = mendCheckout(root);
      const killAt = kill !== undefined && 'step' in kill ? String(kill.step) : '-1';
      return { ...go(way, { STEPS: steps, KILL_AT: killAt, PATH: `${at('shims')}${delimiter}${path}` }), byHand };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function expectGood(program: Ended): Promise<void> {
  const { code, words } = await program.ended;
  if (code !== 0) throw new Error(`ended with ${code}: ${words}`);
}

/** What a message says to do after git was killed while it wrote files. */
function mendCheckout(checkout: string): boolean {
  const lock = join(checkout, '.git', 'index.lock');
  const isDirty = execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], { cwd: checkout, encoding: 'utf8' }) !== '';
  if (!isDirty && !existsSync(lock)) return false;
  rmSync(lock, { force: true });
  git(checkout, 'reset', '-q', '--hard');
  return true;
}

async function checkRunning(run: (args: readonly string[]) => Ended): Promise<readonly string[]> {
  for (let looks = 0; ; looks++) {
    const { words } = await run(['gateway', 'status', '--json']).ended;
    if (/"phase": ?"running"/.test(words)) return [];
    if (looks > 200) return [`the gateway does not run: ${words}`];
    await pause(100);
  }
}

/** A person who says one thing after the other, each when the one before was answered: words and commands. */
function startTalking(scene: GatewayStage) {
  const COMMANDS = ['/status', '/help', '/usage'] as const;
  let [messages, commands] = [0, 0];
  const over = new AbortController();
  const faults: string[] = [];
  const waitFor = async (isAnswered: (said: readonly string[]) => boolean, what: string): Promise<void> => {
    for (let looks = 0; looks < 6_000; looks++) {
      if (isAnswered(scene.said())) return;
      await pause(10);
    }
    faults.push(`no answer to ${what}`);
  };
  const sayNext = async (): Promise<void> => {
    messages += 1;
    const mine = `Answer ${messages}.`;
    scene.say(`This is number ${messages}`);
    await waitFor((said) => said.includes(mine), mine);
    const command = COMMANDS[messages % COMMANDS.length] ?? '/status';
    const before = scene.said().length;
    commands += 1;
    scene.say(command);
    await waitFor((said) => said.length > before, command);
    for (const text of scene.said().slice(before)) if (/cannot find|went wrong|failed/i.test(text)) faults.push(`${command}: ${text}`);
  };
  const talking = (async () => {
    while (!over.signal.aborted) await sayNext();
  })();
  return {
    counts: () => ({ messages, commands }),
    /** Waits for two more answers, and tells what was wrong since the last time. */
    use: async (): Promise<readonly string[]> => {
      const from = messages;
      await waitFor(() => messages >= from + 2, 'two more messages');
      const said = scene.said();
      const wrong = Array.from({ length: from }, (_, index) => `Answer ${index + 1}.`).filter(
        (answer) => said.filter((text) => text === answer).length !== 1,
      );
      return [...faults.splice(0), ...wrong.map((answer) => `not said once: ${answer}`)];
    },
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await talking;
    },
  };
}
const findNumber = (text = ''): string => /number (\d+)/.exec(text)?.[1] ?? text;

interface Ended {
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly words: string }>;
  /** All of its processes. */
  kill(): void;
}
function start(program: string, args: readonly string[], options: { readonly cwd: string; readonly env: Record<string, string> }): Ended {
  const child: ChildProcess = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (words += text));
  return {
    ended: once(child, 'exit').then(([code, signal]: (number | string | null)[]) => ({
      code: typeof code === 'number' ? code : null,
      signal: typeof signal === 'string' ? signal : null,
      words,
    })),
    kill: () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // All of them have ended.
      }
    },
  };
}

function writeSource(folder: string, source: string): void {
  const tarballs = join(folder, 'tarballs');
  for (const each of [tarballs, join(source, 'bin'), join(source, 'scripts'), join(folder, 'node-here', 'bin')])
    mkdirSync(each, { recursive: true });
  copyBuilt(join(folder, 'dist'));
  const [, build = ''] = /"\.\/(build-[^/]+)/.exec(readFileSync(join(folder, 'dist', 'main.cjs'), 'utf8')) ?? [];
  cpSync(join(folder, 'dist', build), join(folder, 'prebuilt'), { recursive: true });
  copyFileSync(process.execPath, join(folder, 'node-here', 'bin', 'node'));
  chmodSync(join(folder, 'node-here', 'bin', 'node'), 0o755);
  writeFileSync(
    join(folder, 'node-here', 'package.json'),
    JSON.stringify({ name: 'node-here', version: '26.10.0', bin: { node: 'bin/node' } }),
  );
  const packed = execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs, ...PACKAGES.map((name) => `./node_modules/${name}`)],
    { encoding: 'utf8' },
  );
  const files = packed.trim().split('\n');
  writeFileSync(join(source, 'scripts', 'build.mjs'), BUILD);
  copyFileSync('bin/hermes', join(source, 'bin', 'hermes'));
  writeFileSync(join(source, '.gitignore'), 'dist\nnode_modules\n.cache\n');
  const dependencies = {
    'node-here': 'file:../node-here',
    ...Object.fromEntries(PACKAGES.map((name, index) => [name, `file:../tarballs/${files[index]}`])),
  };
  const facts = {
    name: 'hermes-ts',
    version: '1.0.0',
    private: true,
    scripts: { prepare: 'node scripts/build.mjs', build: 'node scripts/build.mjs' },
    dependencies,
  };
  writeFileSync(join(source, 'package.json'), JSON.stringify(facts, undefined, 2));
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: source });
  git(source, 'init', '-q');
  release(source, '1.1.0');
}

function release(source: string, version: string): void {
  for (const name of ['package.json', 'package-lock.json']) {
    const path = join(source, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/("name": "hermes-ts",\s+"version": )"[^"]+"/g, `$1"${version}"`));
  }
  git(source, 'add', '.');
  git(source, 'commit', '-qm', `Version ${version}`);
}

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
