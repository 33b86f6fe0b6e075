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
import type { ChatStage } from '../stages/contract.ts';

const HERE = import.meta.dirname;
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
}
export interface GatewayProcess {
  readonly pid: number;
  readonly isOver: boolean;
  readonly ready: Promise<unknown>;
  kill(): Promise<void>;
  /** As a service manager ends it. */
  stop(): Promise<void>;
}
export interface GatewayHomeOptions {
  readonly stages: readonly ChatStage[];
  readonly answer: (request: RecordedRequest) => Reply;
  readonly config?: JsonObject;
  /** The heap a gateway may use, in megabytes: one that keeps more than that dies of it. */
  readonly heapMb?: number;
}

export async function openGatewayHome({ stages, answer, config = {}, heapMb }: GatewayHomeOptions): Promise<GatewayHome> {
  const model = await startWireServer({ answer });
  const root = mkdtempSync(join(tmpdir(), 'hermes-gateway-kill-'));
  const env = { PATH: process.env['PATH'], HOME: root, HERMES_HOME: join(root, 'home'), OPENAI_API_KEY: 'test-key' };
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
      const gateway = watchProcess(spawnGateway(env, points, heapMb));
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
      await Promise.all(started.map((gateway) => gateway.kill()));
      await model[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function spawnGateway(env: NodeJS.ProcessEnv, points: KillPoints | undefined, heapMb: number | undefined): ChildProcess {
  const file = pathToFileURL(join(HERE, 'points.ts'));
  if (points !== undefined)
    file.search = new URLSearchParams({ log: points.log, ...(points.at !== undefined && { at: String(points.at) }) }).toString();
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`];
  const preload = points === undefined ? heap : [...heap, '--import', file.href];
  return spawn(process.execPath, [...preload, join(HERE, 'program.ts')], { env, stdio: ['ignore', 'pipe', isLoud ? 'inherit' : 'ignore'] });
}

function watchProcess(child: ChildProcess): GatewayProcess {
  const over = once(child, 'exit');
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  // One that ends without being told to has a fault that no kill explains.
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!isOver()) child.kill(signal);
    await over;
    if (child.signalCode !== 'SIGKILL' && child.exitCode !== 0)
      throw new Error(`The gateway ended by itself with ${child.exitCode ?? child.signalCode}; HERMES_KILL_DEBUG=1 shows what it said.`);
  };
  const ready = child.stdout === null ? over : Promise.race([once(child.stdout, 'data'), over]);
  return {
    pid: child.pid ?? 0,
    get isOver() {
      return isOver();
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
