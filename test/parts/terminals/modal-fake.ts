import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompatServiceDefinition, CallContext } from 'nice-grpc';
import { readStringAt } from '../../../src/base/json.ts';
import { endAllOf, sandboxEnv } from './far-bash.ts';

/** The wire of Modal on loopback: its control plane and the command router of its sandboxes, whose commands really run. */
export interface FakeModal {
  readonly serverUrl: string;
  readonly sandboxes: Map<string, FakeSandbox>;
  /** Images that can be begun from, by id: a folder with their files. */
  readonly images: Map<string, string>;
  /** Names of the calls so far. */
  readonly asked: string[];
  readonly apps: string[];
  close(): Promise<void>;
}
export interface FakeSandbox {
  readonly id: string;
  readonly home: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly execs: Map<string, FakeExec>;
  ended: boolean;
}
interface FakeExec {
  readonly child: ChildProcess;
  readonly streams: readonly [Heard, Heard];
  readonly exited: Promise<number>;
}
export const TOKEN = { id: 'ak-test', secret: 'as-test' } as const;

/** The SDK keeps its service definitions to itself: a copy of its one file, with two more names on its list of exports. */
async function definitions(
  folder: string,
): Promise<{ readonly control: CompatServiceDefinition; readonly router: CompatServiceDefinition }> {
  const file = createRequire(import.meta.url).resolve('modal');
  const source = readFileSync(join(dirname(file), 'index.js'), 'utf8');
  symlinkSync(join(dirname(file), '..', '..'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'definitions.mjs'),
    `${source}\nexport { ModalClientDefinition as control, TaskCommandRouterDefinition as router };\n`,
  );
  return import(pathToFileURL(join(folder, 'definitions.mjs')).href);
}

export async function startFakeModal(): Promise<FakeModal> {
  const { createServer, ServerError, Status } = await import('nice-grpc');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-modal-')));
  const { control, router } = await definitions(folder);
  const server = createServer({ 'grpc.max_receive_message_length': 64 * 1024 * 1024 }).use(async function* watch(call, context) {
    fake.asked.push(call.method.path.split('/').at(-1) ?? '');
    return yield* call.next(call.request, context);
  });
  const fail: Stage['fail'] = (code, words) => new ServerError(Status[code], words);
  const stage: Stage = { folder, fail, port: 0 };
  const fake: FakeModal = {
    get serverUrl() {
      return `http://127.0.0.1:${stage.port}`;
    },
    sandboxes: new Map(),
    images: new Map(),
    asked: [],
    apps: [],
    close: async () => {
      for (const { home } of fake.sandboxes.values()) endAllOf(home);
      await Promise.race([server.shutdown(), new Promise((resolve) => setTimeout(resolve, 500).unref())]);
      server.forceShutdown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  server.add(control, whole(control, controlPlane(fake, stage), fail));
  server.add(router, whole(router, commandRouter(fake, stage), fail));
  stage.port = await server.listen('127.0.0.1:0');
  return fake;
}
interface Stage {
  readonly folder: string;
  port: number;
  fail(code: 'UNIMPLEMENTED' | 'NOT_FOUND' | 'UNAUTHENTICATED' | 'FAILED_PRECONDITION', words: string): Error;
}
type Message = Readonly<Record<string, unknown>>;
type Handler = (request: never, context: CallContext) => unknown;
const textOf = (message: Message, name: string): string => readStringAt(message, name) ?? '';

/** Every method a service has must have an answer; what no test needs answers that it is not there. */
function whole(
  definition: CompatServiceDefinition,
  handlers: Readonly<Record<string, Handler>>,
  fail: Stage['fail'],
): Record<string, Handler> {
  const names = Object.keys('methods' in definition ? definition.methods : definition);
  const missing =
    (name: string): Handler =>
    () => {
      throw fail('UNIMPLEMENTED', `${name} is not part of the fake`);
    };
  return Object.fromEntries(names.map((name) => [name, handlers[name] ?? missing(name)]));
}

function controlPlane(fake: FakeModal, stage: Stage): Record<string, Handler> {
  const access = () => ({ url: `https://127.0.0.1:${stage.port}`, jwt: tokenFor(Date.now() / 1_000 + 3_600) });
  const known = (context: CallContext) => {
    if (context.metadata.get('x-modal-token-secret') !== TOKEN.secret) throw stage.fail('UNAUTHENTICATED', 'Token validation failed');
  };
  return {
    authTokenGet: () => ({ token: tokenFor(Date.now() / 1_000 + 3_600) }),
    environmentGetOrCreate: () => ({
      environmentId: 'en-1',
      metadata: { name: 'main', settings: { imageBuilderVersion: '2025.06', webhookSuffix: '' } },
    }),
    appGetOrCreate: (request: Message, context) => {
      known(context);
      fake.apps.push(textOf(request, 'appName'));
      return { appId: 'ap-1' };
    },
    imageGetOrCreate: () => ({ imageId: 'im-base', result: { status: 1 } }),
    imageFromId: (request: Message) => {
      const imageId = textOf(request, 'imageId');
      if (!fake.images.has(imageId)) throw stage.fail('NOT_FOUND', `Could not find image with ID ${imageId}`);
      return { imageId };
    },
    sandboxCreateV2: (request: { readonly definition: Message }) => {
      const id = `sb-${ulid()}`;
      const home = join(stage.folder, id);
      const from = fake.images.get(textOf(request.definition, 'imageId'));
      if (from === undefined) mkdirSync(home);
      else cpSync(from, home, { recursive: true });
      fake.sandboxes.set(id, { id, home, definition: request.definition, execs: new Map(), ended: false });
      return { sandboxId: id, taskId: `ta-${id}`, tunnels: [], commandRouterAccess: access(), sandboxToken: '' };
    },
    sandboxGetTaskIdV2: (request: Message) => ({ taskId: `ta-${textOf(request, 'sandboxId')}` }),
    sandboxGetCommandRouterAccess: access,
    sandboxTerminateV2: (request: Message) => {
      const sandbox = fake.sandboxes.get(textOf(request, 'sandboxId'));
      if (sandbox !== undefined) {
        sandbox.ended = true;
        endAllOf(sandbox.home);
      }
      return {};
    },
  };
}

function commandRouter(fake: FakeModal, stage: Stage): Record<string, Handler> {
  const sandboxOf = (request: Message): FakeSandbox => {
    const sandbox = fake.sandboxes.get(textOf(request, 'taskId').slice(3));
    if (sandbox === undefined || sandbox.ended) throw stage.fail('NOT_FOUND', 'the sandbox has ended');
    return sandbox;
  };
  const execOf = (request: Message): FakeExec => {
    const exec = sandboxOf(request).execs.get(textOf(request, 'execId'));
    if (exec === undefined) throw stage.fail('NOT_FOUND', 'no such exec');
    return exec;
  };
  return {
    taskExecStart: (request: Message & { readonly commandArgs: readonly string[] }) => {
      const sandbox = sandboxOf(request);
      sandbox.execs.set(textOf(request, 'execId'), startExec(request.commandArgs, sandbox.home));
      return {};
    },
    taskExecStdinWrite: (request: Message & { readonly data: Uint8Array; readonly eof: boolean }) => {
      const { child } = execOf(request);
      child.stdin?.write(request.data);
      if (request.eof) child.stdin?.end();
      return {};
    },
    taskExecStdioRead: (request: Message & { readonly offset: number; readonly fileDescriptor: 0 | 1 }, { signal }) =>
      following(execOf(request).streams[request.fileDescriptor], request.offset, signal),
    taskExecWait: async (request: Message) => ({ code: await execOf(request).exited }),
    taskSnapshotFilesystem: (request: Message) => {
      const { home, id } = sandboxOf(request);
      const image = `im-${id}-${fake.images.size}`;
      fake.images.set(image, join(stage.folder, image));
      cpSync(home, join(stage.folder, image), { recursive: true });
      return { imageId: image };
    },
  };
}

/** What a stream has said so far, and whoever waits for more. */
interface Heard {
  readonly pieces: Buffer[];
  over: boolean;
  wake(): void;
  more: Promise<void>;
}
function heard(): Heard {
  const state: Heard = { pieces: [], over: false, more: Promise.resolve(), wake: () => {} };
  const next = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    state.more = promise;
    state.wake = () => (next(), resolve());
  };
  next();
  return state;
}

function startExec([file = 'true', ...args]: readonly string[], home: string): FakeExec {
  const child = spawn(file, args, { cwd: home, env: sandboxEnv(home), stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const streams = [heard(), heard()] as const;
  child.stdin?.on('error', () => {});
  for (const [at, stream] of [child.stdout, child.stderr].entries()) {
    const into = streams[at === 0 ? 0 : 1];
    stream?.on('data', (bytes: Buffer) => (into.pieces.push(bytes), into.wake()));
    stream?.once('close', () => ((into.over = true), into.wake()));
  }
  return { child, streams, exited: new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 137))) };
}

async function* following(stream: Heard, offset: number, signal: AbortSignal): AsyncGenerator<{ readonly data: Buffer }> {
  let at = offset;
  while (!signal.aborted) {
    const { more, over } = stream;
    const data = Buffer.concat(stream.pieces).subarray(at);
    at += data.length;
    for (let sent = 0; sent < data.length; sent += 65_536) yield { data: data.subarray(sent, sent + 65_536) };
    if (over && data.length === 0) return;
    if (!over) await Promise.race([more, new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))]);
  }
}

const tokenFor = (exp: number): string => `x.${Buffer.from(JSON.stringify({ exp: Math.floor(exp) })).toString('base64url')}.x`;
let made = 0;
/** The form by which the SDK knows a sandbox of the present kind. */
const ulid = (): string => `01K${String(++made).padStart(23, '0')}`;
