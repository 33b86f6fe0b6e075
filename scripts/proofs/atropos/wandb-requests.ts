import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isObject, parseJson, readPath, readStringAt } from '../../../src/base/json.ts';
import type { Json } from '../../../src/base/json-types.ts';
import { openMetricsFile } from '../../../src/faces/environments/metrics/sink.ts';
import { openNotebook } from '../../../src/faces/environments/serve/notes.ts';
import { createWandbSink } from '../../../src/faces/environments/metrics/wandb.ts';
import { closeServer, listenLocally, originOf } from '../../../src/testing/loopback/local-server.ts';

const VENV = resolve('.cache/venvs/wandb');
const WANDB = 'wandb==0.31.0';
const KEY = '0'.repeat(40);
const RUN = 'abcd1234';

/** The same two lines as ours, by the official client. */
const OFFICIAL = `
import wandb
settings = wandb.Settings(console='off', x_disable_stats=True, save_code=False, disable_git=True)
run = wandb.init(project='project', group='group', name='mine', id='${RUN}', config={'group_size': 2}, settings=settings)
run.log({'train/avg_reward': 0.5})
run.log({'train/avg_reward': 0.25})
run.finish()
`;

interface Recorded {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Json | undefined;
}

/** How the requests of our client differ from those of the official one; nothing when they say the same in the same way. */
export async function compareWandbRequests(): Promise<readonly string[]> {
  const trouble = installWandb();
  if (trouble !== undefined) return [trouble];
  const [official, ours] = [await record(runOfficial), await record(runOurs)];
  const [theirs, mine] = [toFacts(official), toFacts(ours)];
  return Object.entries(mine).flatMap(([what, value]) => {
    const expected = theirs[what];
    return JSON.stringify(value) === JSON.stringify(expected)
      ? []
      : [`${what}: ${JSON.stringify(value)}, official ${JSON.stringify(expected)}`];
  });
}

function installWandb(): string | undefined {
  if (existsSync(join(VENV, 'bin/wandb'))) return undefined;
  mkdirSync(dirname(VENV), { recursive: true });
  if (spawnSync('python3', ['-m', 'venv', VENV], { stdio: 'inherit' }).status !== 0) return 'there is no python3 with venv';
  return spawnSync(join(VENV, 'bin/pip'), ['install', '-q', WANDB], { stdio: 'inherit' }).status === 0
    ? undefined
    : `pip install ${WANDB} failed`;
}

async function record(run: (url: string, folder: string) => Promise<void>): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = Buffer.concat(await request.toArray());
    const isJson = request.headers['content-type']?.includes('json') === true;
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
    if (isJson) recorded.push({ path: request.url ?? '', key: request.headers.authorization, body: parseJson(text) });
    const bucket = { id: 'b', name: RUN, displayName: 'mine', config: '{}', historyLineCount: 0, project: PROJECT };
    const data = { upsertBucket: { bucket, inserted: true }, createRunFiles: { runID: 'r', uploadHeaders: [], files: [] } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await listenLocally(server);
  const folder = mkdtempSync(join(tmpdir(), 'hermes-wandb-'));
  await run(originOf(server), folder);
  await closeServer(server);
  rmSync(folder, { recursive: true, force: true });
  return recorded;
}
const PROJECT = { id: 'p', name: 'project', entity: { id: 'e', name: 'team' } };

async function runOfficial(url: string, folder: string): Promise<void> {
  const env = { ...process.env, WANDB_BASE_URL: url, WANDB_API_KEY: KEY, WANDB_DIR: folder, HOME: folder, WANDB_SILENT: 'true' };
  await once(spawn(join(VENV, 'bin/python'), ['-c', OFFICIAL], { env, stdio: 'ignore' }), 'exit');
}

async function runOurs(url: string, folder: string): Promise<void> {
  const path = join(folder, 'metrics.jsonl');
  const notebook = openNotebook(folder, () => 's');
  notebook.write({ wandb: { runId: RUN, sent: 0 } });
  await using file = openMetricsFile(path, Date.now);
  const askProject = async () => ({ project: 'project', group: 'group' });
  const config = { group_size: 2 };
  await using sink = createWandbSink({
    key: KEY,
    url,
    path,
    notebook,
    name: 'mine',
    config,
    now: Date.now,
    askProject,
    onNews: console.log,
  });
  for (const value of [0.5, 0.25]) for (const each of [file, sink]) each.log({ step: 1, values: { 'train/avg_reward': value } });
}

/** What must be the same: where, with which key, and the shape and places of lines. */
function toFacts(recorded: readonly Recorded[]): Readonly<Record<string, unknown>> {
  const upsert = recorded.find(({ body }) => readStringAt(body, 'query')?.includes('upsertBucket') === true);
  const streams = recorded.filter(({ path }) => path.endsWith('/file_stream'));
  const chunks = (name: string) => streams.flatMap(({ body }) => readPath(body, 'files', name) ?? []);
  const history = chunks('wandb-history.jsonl').flatMap((chunk) => {
    const content = readPath(chunk, 'content');
    return (Array.isArray(content) ? content : []).map((line, index) => ({
      place: Number(readPath(chunk, 'offset')) + index,
      line: toLine(line),
    }));
  });
  const last = chunks('wandb-summary.json').at(-1);
  return {
    'where a run is opened': upsert?.path,
    'the key': [upsert?.key, ...new Set(streams.map(({ key }) => key))],
    'name, project and group': ['name', 'project', 'groupName'].map((name) => readPath(upsert?.body, 'variables', name)),
    'the settings': readPath(toLine(readPath(upsert?.body, 'variables', 'config')), 'group_size'),
    'where lines go': [...new Set(streams.map(({ path }) => path))],
    'lines and their places': [...new Map(history.map(({ place, line }) => [place, pick(line, ['train/avg_reward', '_step'])]))],
    'the times of lines': history
      .map(({ line }) => ['_timestamp', '_runtime'].every((name) => typeof readPath(line, name) === 'number'))
      .every(Boolean),
    'the summary': [readPath(last, 'offset'), pick(toLine(readPath(last, 'content', 0)), ['train/avg_reward', '_step'])],
    'the end': ['complete', 'exitcode'].map((name) => readPath(streams.at(-1)?.body, name)),
  };
}

const toLine = (text: Json | undefined): Json | undefined => (typeof text === 'string' ? parseJson(text) : undefined);
const pick = (line: Json | undefined, names: readonly string[]): readonly unknown[] =>
  isObject(line) ? names.map((name) => line[name]) : [];
