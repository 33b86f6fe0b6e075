import { randomBytes } from 'node:crypto';
import { toErrorMessage } from '../../../base/errors.ts';
import { parseJson, readPath, readStringAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import { readLines } from '../result-file.ts';
import type { MetricsSink } from './sink.ts';

const ANSWER_MS = 30_000;

export interface WandbServer {
  readonly key: string;
  /** `https://api.wandb.ai`, or a server of one's own. */
  readonly url: string;
}
export interface WandbDeps extends WandbServer {
  /** The file that has every line; what is sent is always a piece of it. */
  readonly path: string;
  /** What it remembers of the run between processes. */
  readonly notebook: WandbNotebook;
  readonly name: string;
  readonly config: JsonObject;
  readonly now: () => number;
  readonly askProject: () => Promise<{ readonly project?: string; readonly group?: string }>;
  readonly onNews: (words: string) => void;
}
/** Where metrics are sent, and how many lines of them have been. */
export interface WandbNotes {
  readonly wandb?: { readonly runId: string; readonly sent: number };
}
export interface WandbNotebook {
  readonly notes: WandbNotes;
  write(changes: WandbNotes): void;
}
/** A run as the server knows it. */
interface WandbRun {
  readonly entity: string;
  readonly project: string;
  readonly id: string;
}

/** Opens a run, or goes on with the one of that name. The server ignores what it does not know. */
const UPSERT = `mutation UpsertBucket($name: String, $project: String, $groupName: String, $displayName: String, $config: JSONString) {
  upsertBucket(input: { name: $name, modelName: $project, groupName: $groupName, displayName: $displayName, config: $config }) {
    bucket { name project { name entity { name } } }
  }
}`;

/**
 * Sends the lines of the metrics file that have not been sent, at their places: a line that arrives twice replaces itself. What
 * cannot be sent now goes with the next line, or when the next process begins.
 */
export function createWandbSink({ key, url, path, notebook, name, config, now, askProject, onNews }: WandbDeps): MetricsSink {
  const runId = notebook.notes.wandb?.runId ?? randomBytes(4).toString('hex');
  let run: WandbRun | undefined;
  let sending = Promise.resolve();
  const begun = now();
  const post = async (where: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}${where}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
    return parseJson(text === '' ? '{}' : text);
  };
  const open = async (): Promise<WandbRun> => {
    const { project, group } = await askProject();
    if (project === undefined) throw new Error('the trainer has not told its project');
    const displayName = `${name}-${new Date(now()).toISOString().slice(0, 10)}-${runId.slice(0, 6)}`;
    const variables = { name: runId, project, groupName: group ?? null, displayName, config: JSON.stringify(toConfig(config)) };
    const given = await post('/graphql', { query: UPSERT, variables });
    const bucket = ['data', 'upsertBucket', 'bucket'] as const;
    const entity = readStringAt(readPath(given, ...bucket, 'project', 'entity'), 'name');
    if (entity === undefined) throw new Error(`the server opened no run: ${JSON.stringify(readPath(given, 'errors') ?? given)}`);
    return { entity, project: readStringAt(readPath(given, ...bucket, 'project'), 'name') ?? project, id: runId };
  };
  const send = async (more: object = {}): Promise<void> => {
    run ??= await open();
    const sent = notebook.notes.wandb?.sent ?? 0;
    const lines = readLines(path);
    const files = toFiles(lines, sent, begun / 1_000);
    await post(`/files/${[run.entity, run.project, run.id].map(encodeURIComponent).join('/')}/file_stream`, { ...files, ...more });
    notebook.write({ wandb: { runId, sent: lines.length } });
  };
  let isTold = false;
  const tryToSend = (more?: object): Promise<void> =>
    (sending = sending.then(() =>
      send(more).then(
        () => void (isTold = false),
        (error: unknown) => {
          if (!isTold)
            onNews(`Weights & Biases could not be reached: ${toErrorMessage(error)}. Metrics are in ${path} and are sent later.`);
          isTold = true;
        },
      ),
    ));
  return {
    log: () => void tryToSend(),
    [Symbol.asyncDispose]: async () => {
      // Who has measured nothing opens no run.
      const isAnything = run !== undefined || readLines(path).length > (notebook.notes.wandb?.sent ?? 0);
      await sending;
      if (isAnything) await tryToSend({ complete: true, exitcode: 0 });
    },
  };
}

const toConfig = (values: JsonObject): JsonObject => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]));

/** The history has one line for each of ours, at the same place; the summary is the newest value of each name. */
function toFiles(lines: readonly JsonObject[], from: number, begun: number): object {
  if (lines.length <= from) return {};
  const history = lines.map(({ time, step, ...values }, index) => ({
    ...values,
    'trainer/step': step,
    _step: index,
    _timestamp: time,
    _runtime: Math.max(0, Number(time) - begun),
  }));
  return {
    files: {
      'wandb-history.jsonl': { offset: from, content: history.slice(from).map((line) => JSON.stringify(line)) },
      'wandb-summary.json': { offset: 0, content: [JSON.stringify(Object.assign({}, ...history))] },
    },
  };
}
