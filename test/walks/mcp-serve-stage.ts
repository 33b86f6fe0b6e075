import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { MAIN } from './hermes.ts';
import { stage, type Stage } from './stage.ts';

/** A home whose model is a server of the test. */
export function placeWith(url: string, settings: object = {}): Stage {
  const made = stage({ model: { default: 'test-model', base_url: `${url}/v1`, api_mode: 'chat_completions' }, ...settings });
  mkdirSync(join(made.cwd, 'build'));
  return made;
}

const envOf = ({ home }: Stage): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', HOME: home, HERMES_HOME: home });

/** What tools answer with; each has some of it. */
export interface ToolAnswer {
  readonly refused?: string;
  readonly conversations: readonly { readonly id: string; readonly source: string }[];
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly messages: readonly { readonly id: string; readonly role: string; readonly text: string }[];
  readonly attachments: readonly unknown[];
  readonly channels: readonly unknown[];
  readonly events: readonly ServedEvent[];
  readonly permissions: readonly Readonly<Record<'permission_id' | 'tool' | 'summary' | 'conversation_id', string>>[];
  readonly conversation_id: string;
  readonly cursor: string;
  readonly status: string;
  readonly text: string;
}
export interface ServedEvent {
  readonly type: string;
  readonly conversation_id: string;
  readonly exit_reason?: string;
  readonly message?: { readonly role: string; readonly text: string };
}

export interface ServedClient extends AsyncDisposable {
  readonly client: Client;
  /** The object a tool answers with, or the words of its refusal. */
  call(name: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
}

function toServed(client: Client): ServedClient {
  return {
    client,
    call: async (name, input = {}) => {
      const result = await client.callTool({ name, arguments: input });
      const [first] = result.content as { readonly text?: string }[];
      return (result.isError === true ? { refused: first?.text } : result.structuredContent) as ToolAnswer;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** A client of the SDK at a server it starts. */
export async function serveOnStdio(place: Stage, ...options: readonly string[]): Promise<ServedClient> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [MAIN, 'mcp', 'serve', ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: place.cwd, env: envOf(place), stderr: 'ignore' }));
  return toServed(client);
}

export interface HttpServed extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
  connect(): Promise<ServedClient>;
}

/** The real program over HTTP, on a port of its own. */
export async function serveOverHttp(place: Stage, ...options: readonly string[]): Promise<HttpServed> {
  const child = spawn(process.execPath, [MAIN, 'mcp', 'serve', '--http', '--port', '0', '--json', ...options], {
    cwd: place.cwd,
    env: envOf(place),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'close').then(() => [''])])) as [string];
  if (line === '') throw new Error(`the server did not start: ${err}`);
  const { url, token_file: file } = JSON.parse(line) as { readonly url: string; readonly token_file: string };
  const token = readFileSync(file, 'utf8').trim();
  return {
    url,
    token,
    child,
    connect: async () => {
      const client = new Client({ name: 'test', version: '1' });
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      return toServed(client);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}

/** Passes requests on as they came, with the token: programs that test servers cannot send one. */
export async function startTokenProxy({ url, token }: HttpServed): Promise<{ readonly url: string } & AsyncDisposable> {
  const target = new URL(url);
  const proxy = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const onward = request({ port: target.port, host: target.hostname, path: incoming.url, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('a server that listens has a port');
  return {
    url: `http://localhost:${address.port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
    },
  };
}
