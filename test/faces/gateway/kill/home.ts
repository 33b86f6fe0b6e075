import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openHost } from '../../../../src/app/open-host.ts';
import { resolveHome } from '../../../../src/base/home.ts';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import type { Host } from '../../../../src/contracts/host.ts';
import { startWireServer, type RecordedRequest, type Reply, type WireServer } from '../../../../src/testing/wire-server/index.ts';
import { program } from '../../../program.ts';

const HERE = import.meta.dirname;
/** The gateway; the long proofs, which start it thousands of times, name a bundle of it. */
const findProgram = (): string => process.env['HERMES_KILL_PROGRAM'] ?? program(join(HERE, 'program.ts'));
/** Shows what the gateway says. */
const isLoud = process.env['HERMES_KILL_DEBUG'] === '1';

/** A home with platforms and a model around it; gateways, each a process of its own, come and go. */
export interface GatewayHome extends AsyncDisposable {
  readonly root: string;
  readonly model: WireServer;
  start(points?: KillPoints): GatewayProcess;
  /** The lines that the commands of all chats have left. */
  effects(): readonly string[];
  /** What lies in the home, seen by another process. */
  look<Seen>(see: (host: Host) => Promise<Seen>): Promise<Seen>;
}
export interface KillPoints {
  /** Where its moments are written down. */
  readonly log: string;
  /** The moment at which it dies; none when absent. */
  readonly at?: number;
  /** Moments count from when this file is there. */
  readonly from?: string;
}
export interface GatewayProcess {
  readonly pid: number;
  readonly isOver: boolean;
  /** When it ended, by the clock of this process. */
  readonly endedAt: number | undefined;
  readonly ready: Promise<unknown>;
  kill(): Promise<void>;
  /** As a service manager ends it. */
  stop(): Promise<void>;
}
export interface GatewayHomeOptions {
  /** Platforms, with what stands below their names in the settings. */
  readonly stages: readonly { readonly platform: string; readonly settings: JsonObject }[];
  readonly answer: (request: RecordedRequest) => Reply;
  readonly config?: JsonObject;
  /** The heap a gateway may use, in megabytes: one that keeps more than that dies of it. */
  readonly heapMb?: number;
}

export async function openGatewayHome({ stages, answer, config = {}, heapMb }: GatewayHomeOptions): Promise<GatewayHome> {
  const model = await startWireServer({ answer });
  const root = mkdtempSync(join(tmpdir(), 'hermes-gateway-kill-'));
  const env = { PATH: process.env['PATH'], HOME: root, HERMES_HOME: join(root, 'home'), OPENAI_API_KEY: 'test-key' };
  // The sources are read and compiled once, by the first gateway that ends in peace.
  const processEnv = { ...env, NODE_COMPILE_CACHE: join(root, 'compiled') };
  const settings = {
    model: { provider: 'custom', default: 'wire-model', base_url: `${model.url}/v1`, context_length: 64_000 },
    terminal: { backend: 'local' },
    display: { busy_input_mode: 'queue' },
    platforms: Object.fromEntries(stages.map((stage) => [stage.platform, stage.settings])),
    ...config,
  };
  mkdirSync(env.HERMES_HOME);
  // JSON is YAML.
  writeFileSync(join(env.HERMES_HOME, 'config.yaml'), JSON.stringify(settings));
  const started: GatewayProcess[] = [];
  return {
    root,
    model,
    start: (points) => {
      const gateway = watchProcess(spawnGateway(processEnv, points, heapMb));
      started.push(gateway);
      return gateway;
    },
    effects: () =>
      globSync(join(env.HERMES_HOME, 'workspaces', '*', 'effects.txt')).flatMap((file) => readFileSync(file, 'utf8').trim().split('\n')),
    look: async (see) => {
      await using host = await openHost({ env, home: resolveHome(env) });
      return await see(host);
    },
    [Symbol.asyncDispose]: async () => {
      const ends = await Promise.allSettled(started.map((gateway) => gateway.kill()));
      await model[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

function spawnGateway(env: NodeJS.ProcessEnv, points: KillPoints | undefined, heapMb: number | undefined): ChildProcess {
  const file = pathToFileURL(join(HERE, 'points.ts'));
  if (points !== undefined)
    file.search = new URLSearchParams({
      log: points.log,
      ...(points.at !== undefined && { at: String(points.at) }),
      ...(points.from !== undefined && { from: points.from }),
    }).toString();
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
  const preload = points === undefined ? heap : [...heap, '--import', file.href];
  return spawn(process.execPath, [...preload, findProgram()], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

const MAX_LAST_WORDS = 4_000;
function keepLastWords({ stderr }: ChildProcess): () => string {
  let words = '';
  stderr?.setEncoding('utf8').on('data', (more: string) => {
    words = `${words}${more}`.slice(-MAX_LAST_WORDS);
    if (isLoud) process.stderr.write(more);
  });
  return () => words;
}

function watchProcess(child: ChildProcess): GatewayProcess {
  let endedAt: number | undefined;
  const lastWords = keepLastWords(child);
  const over = once(child, 'exit').then(async () => {
    // What it sent before it died has arrived here, but may not have been read: it is noted as earlier than the end, on any machine.
    for (let turns = 0; turns < 20; turns++) await new Promise((done) => setImmediate(done));
    endedAt = Date.now();
  });
  const isOver = (): boolean => endedAt !== undefined;
  // One that ends without being told to has a fault that no kill explains.
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!isOver()) child.kill(signal);
    await over;
    if (child.signalCode !== 'SIGKILL' && child.exitCode !== 0)
      throw new Error(`The gateway ended by itself with ${child.exitCode ?? child.signalCode}. Its last words:\n${lastWords()}`);
  };
  const ready = child.stdout === null ? over : Promise.race([once(child.stdout, 'data'), over]);
  return {
    pid: child.pid ?? 0,
    get isOver() {
      return isOver();
    },
    get endedAt() {
      return endedAt;
    },
    ready,
    kill: () => end('SIGKILL'),
    // Before it is ready a signal ends it like any program.
    stop: async () => {
      await ready;
      await end('SIGTERM');
    },
  };
}
