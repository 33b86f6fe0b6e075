import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject, parseJson, readStringAt } from '../../../src/base/json.ts';
import { randomHex } from '../../../src/base/ids.ts';
import { endAllOf, runShell } from './far-bash.ts';

/** The wire of Daytona on loopback: its API and the toolbox of its sandboxes, whose commands really run. */
export interface FakeDaytona {
  readonly apiUrl: string;
  readonly sandboxes: Map<string, FakeSandbox>;
  /** Requests so far: method and path. */
  readonly asked: string[];
  /** Requests to the toolbox fail from now on, or work again. */
  broken: boolean;
  close(): Promise<void>;
}
export interface FakeSandbox {
  readonly id: string;
  readonly home: string;
  readonly body: Readonly<Record<string, unknown>>;
  state: 'started' | 'stopped';
}
export const KEY = 'daytona-test-key';

export async function startFakeDaytona(): Promise<FakeDaytona> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-daytona-')));
  const server = createServer((request, response) => {
    answer(request, fake, folder).then(
      ([status, body]) => reply(response, status, body),
      (error: unknown) => reply(response, 500, { message: String(error) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const fake: FakeDaytona = {
    apiUrl: `http://127.0.0.1:${port}/api`,
    sandboxes: new Map(),
    asked: [],
    broken: false,
    close: async () => {
      for (const { home } of fake.sandboxes.values()) endAllOf(home);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return fake;
}

type Answer = readonly [status: number, body: unknown];
const reply = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function answer(request: IncomingMessage, fake: FakeDaytona, folder: string): Promise<Answer> {
  const url = new URL(request.url ?? '/', fake.apiUrl);
  const body = await bodyOf(request);
  fake.asked.push(`${request.method} ${url.pathname}`);
  if (request.headers.authorization !== `Bearer ${KEY}`) return [401, { message: 'Invalid credentials' }];
  const [, base, first = '', ...rest] = url.pathname.split('/');
  if (base === 'toolbox') return fake.broken ? [502, { message: 'Bad gateway' }] : toolbox(fake, first, rest.join('/'), body, request);
  const [id = '', verb] = rest;
  return id === ''
    ? request.method === 'POST'
      ? create(fake, folder, body)
      : list(fake, url)
    : change(fake, id, `${request.method} ${verb ?? ''}`);
}

function create(fake: FakeDaytona, folder: string, body: Buffer): Answer {
  const asked = parseJson(body.toString());
  if (!isObject(asked)) return [400, { message: 'no body' }];
  const id = `sandbox-${randomHex(8)}`;
  const home = join(folder, id);
  mkdirSync(home);
  const sandbox: FakeSandbox = { id, home, body: asked, state: 'started' };
  fake.sandboxes.set(id, sandbox);
  return [200, dto(fake, sandbox)];
}

function list(fake: FakeDaytona, url: URL): Answer {
  const wanted = Object.entries(parseJson(url.searchParams.get('labels') ?? '{}') ?? {});
  const items = [...fake.sandboxes.values()].filter(({ body }) =>
    wanted.every(([name, value]) => readStringAt(body, 'labels', name) === value),
  );
  return [200, { items: items.map((each) => dto(fake, each)), nextCursor: null }];
}

function change(fake: FakeDaytona, id: string, verb: string): Answer {
  const sandbox = fake.sandboxes.get(id);
  if (sandbox === undefined) return [404, { message: 'Sandbox not found' }];
  if (verb === 'POST start') sandbox.state = 'started';
  if (verb === 'POST stop' || verb === 'DELETE ') {
    sandbox.state = 'stopped';
    endAllOf(sandbox.home);
  }
  if (verb === 'DELETE ') fake.sandboxes.delete(id);
  return [200, dto(fake, sandbox)];
}

const dto = (fake: FakeDaytona, { id, body, state }: FakeSandbox) => ({
  ...body,
  id,
  name: readStringAt(body, 'name') ?? id,
  organizationId: 'org',
  user: 'daytona',
  public: false,
  state,
  desiredState: state,
  toolboxProxyUrl: `${new URL(fake.apiUrl).origin}/toolbox`,
});

async function toolbox(fake: FakeDaytona, id: string, path: string, body: Buffer, request: IncomingMessage): Promise<Answer> {
  const sandbox = fake.sandboxes.get(id);
  if (sandbox?.state !== 'started') return [400, { message: 'Sandbox is not running' }];
  if (path === 'process/execute') return [200, await runShell(readStringAt(parseJson(body.toString()), 'command') ?? '', sandbox.home)];
  if (path === 'files/bulk-upload') {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const [target, file] = [form.get('files[0].path'), form.get('files[0].file')];
    if (typeof target !== 'string' || file === null || typeof file === 'string') return [400, { message: 'no file' }];
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, Buffer.from(await file.arrayBuffer()));
    return [200, {}];
  }
  return [404, { message: `no such thing in the toolbox: ${path}` }];
}
