import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

export const RIGHT_KEY = 'sk-right-0123456789abcdef';
export const WRONG_KEY = 'sk-wrong-0123456789abcdef';

/** A home somebody may run the setup in. */
export interface SetupHome {
  readonly name: string;
  /** Makes the folder what it is. */
  write?(home: string): void;
  readonly env?: Readonly<Record<string, string>>;
  /** The provider that is chosen; `openai-api` when left out. */
  readonly provider?: string;
  /** What the setup ends with; 0 when left out. */
  readonly code?: number;
}

const config =
  (text: string) =>
  (home: string): void =>
    writeFileSync(join(home, 'config.yaml'), text);
const secrets =
  (text: string) =>
  (home: string): void =>
    writeFileSync(join(home, '.env'), text, { mode: 0o600 });

export const HOMES: readonly SetupHome[] = [
  { name: 'empty' },
  { name: 'not there yet', write: (home) => rmSync(home, { recursive: true }) },
  { name: 'with comments alone', write: config('# mine\n\n# later\n') },
  { name: 'of the Python system', write: (home) => copyFileSync('test/fixtures/homes/python/config.yaml', join(home, 'config.yaml')) },
  { name: 'with the right key', write: secrets(`# keys\nOPENAI_API_KEY=${RIGHT_KEY}\n`) },
  { name: 'with a wrong key', write: secrets(`OPENAI_API_KEY=${WRONG_KEY}\n`) },
  { name: 'with a provider and no key', write: config('model:\n  provider: openai-api # work\n  default: gpt-5.5\n') },
  { name: "with another provider's address", write: config('model: {base_url: "http://127.0.0.1:1/v1", default: old}\n') },
  { name: 'in CRLF with a model in short form', write: config('# ours\r\nmodel: old-model # why\r\nagent:\r\n    max_turns: 9\r\n') },
  { name: 'with a file that is no YAML', write: config('model: [\n'), code: 2 },
  { name: 'with a model server on this machine', provider: 'ollama' },
  {
    name: 'that cannot be written',
    write: (home) => {
      rmSync(home, { recursive: true });
      writeFileSync(home, 'a file');
    },
    code: 2,
  },
];

/** How one run ended that held. */
export interface RecordedSetup {
  readonly home: string;
  readonly way: string;
  readonly code: number | null;
  readonly questions: number;
  readonly next: string;
}
/** Keeps it for the page of the proof, which names the file. */
export function recordSetup(run: RecordedSetup): void {
  const file = process.env['HERMES_SETUP_RECORD'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(run)}\n`);
}

/** Ollama's own questions answered, everything else passed on to a server that speaks the wire. */
export async function startOllama(wire: string): Promise<{ readonly address: string } & AsyncDisposable> {
  const own: Readonly<Record<string, unknown>> = {
    '/api/tags': { models: [{ name: 'qwen3' }] },
    '/api/ps': { models: [] },
    '/api/show': { model_info: { 'qwen3.context_length': 65_536 } },
  };
  const server: Server = createServer((incoming, response) => {
    const told = own[incoming.url ?? ''];
    if (told !== undefined) return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
    const { method = 'GET', headers, url = '' } = incoming;
    const onward = request(`${wire}${url}`, { method, headers: { ...headers, authorization: `Bearer ${RIGHT_KEY}` } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    address: typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '',
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function makeHomeFolder(root: string, { write }: SetupHome): string {
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  write?.(home);
  return home;
}
