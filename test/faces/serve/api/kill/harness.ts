import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseJson, readStringAt } from '../../../../../src/base/json.ts';
import { MAIN, readEvents, type ApiStream } from '../stage.ts';
import { program } from '../../../../program.ts';

const HERE = import.meta.dirname;
const POINTS = join(HERE, '../../../gateway/kill/points.ts');
/** A run that is not over by then never will be. */
const MAX_WAIT_MS = 60_000;

/** What became of one run whose server was killed at a moment. */
export interface KilledRun {
  readonly at: number;
  readonly moment: string;
  readonly wasKilled: boolean;
  /** How often the command took effect. */
  readonly effects: number;
  /** What must not be, in words; empty when all is well. */
  readonly faults: readonly string[];
}
export interface ApiKillStage extends AsyncDisposable {
  /** Asks for a run, kills the server at a moment (0: at none), starts it again and reads on. */
  round(at: number): Promise<KilledRun>;
  /** The moments of the last round, in order, and how many of them the start took. */
  moments(): { readonly all: readonly string[]; readonly atStart: number };
}

export function openApiKillStage(): ApiKillStage {
  const root = mkdtempSync(join(tmpdir(), 'hermes-api-kill-'));
  writeFileSync(join(root, 'config.yaml'), JSON.stringify({ terminal: { backend: 'local' } }));
  const log = join(root, 'moments');
  const started = new Set<ChildProcess>();
  let [rounds, atStart] = [0, 0];
  const start = async (at?: number): Promise<RunningApi> => {
    const file = pathToFileURL(POINTS);
    file.search = new URLSearchParams({
      log: at === undefined ? `${log}-again` : log,
      ...(at !== undefined && at > 0 && { at: String(at) }),
    }).toString();
    const env = { PATH: process.env['PATH'], HOME: root, HERMES_HOME: root };
    const child = spawn(process.execPath, ['--import', file.href, program(join(HERE, 'program.ts'))], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.add(child);
    const over = once(child, 'exit');
    const [line] = await Promise.race([once(child.stdout, 'data'), over.then(() => [''])]);
    return { child, over, port: Number(String(line).trim()) };
  };
  const readMoments = (): string[] => readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return {
    moments: () => ({ all: readMoments(), atStart }),
    round: async (at) => {
      writeFileSync(log, '');
      const nonce = `n${++rounds}`;
      const first = await start(at);
      atStart = at === 0 ? readMoments().length : atStart;
      const told = await followRun(nonce, first, start);
      await end(told.api);
      const effects = globSync(join(root, 'workspaces', '*', 'effects.txt')).flatMap((path) =>
        readFileSync(path, 'utf8').trim().split('\n'),
      );
      const count = effects.filter((line) => line === nonce).length;
      return { at, moment: readMoments().at(-1) ?? '', wasKilled: told.kills > 0, effects: count, faults: judge(told, count, nonce) };
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of started) child.kill('SIGKILL');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

interface RunningApi {
  readonly child: ChildProcess;
  readonly over: Promise<unknown>;
  readonly port: number;
}
async function end({ child, over }: RunningApi): Promise<void> {
  child.kill('SIGTERM');
  await over;
}

interface ToldRun {
  readonly api: RunningApi;
  readonly kills: number;
  /** What was read, piece by piece, and all of it once more. */
  readonly pieces: readonly string[];
  readonly whole: string;
  readonly runs: ReadonlySet<string>;
}

/** A client that comes back until it has read the end: with its key, and with the id of the last event it read. */
async function followRun(nonce: string, first: RunningApi, start: () => Promise<RunningApi>): Promise<ToldRun> {
  let [api, kills, last] = [first, 0, ''];
  const [pieces, runs]: [string[], Set<string>] = [[], new Set()];
  const deadline = Date.now() + MAX_WAIT_MS;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${api.port}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${MAIN.key}`, 'content-type': 'application/json', 'idempotency-key': nonce },
    });
  for (;;) {
    if (Date.now() > deadline) throw new Error(`run ${nonce} never came to its end; read so far:\n${pieces.join('')}`);
    try {
      const begun = await ask('/v1/runs', { method: 'POST', body: JSON.stringify({ input: `go ${nonce}` }) });
      const id = readStringAt(parseJson(await begun.text()), 'id') ?? '';
      runs.add(id);
      const read = await readWhole(await ask(`/v1/runs/${id}/events?after=${last}`));
      if (read !== '') pieces.push(read);
      last = readEvents(read).at(-1)?.id ?? last;
      if (/^event: run\./m.test(read)) return { api, kills, pieces, whole: await readWhole(await ask(`/v1/runs/${id}/events`)), runs };
    } catch {
      await sleep(20);
    }
    if (api.child.exitCode === null && api.child.signalCode === null) continue;
    kills++;
    api = await start();
  }
}

/** The whole events of a stream, also of one that breaks off. */
async function readWhole(response: Response): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  } catch {}
  return text.slice(0, text.lastIndexOf('\n\n') + 2);
}

function judge({ pieces, whole, runs }: ToldRun, effects: number, nonce: string): string[] {
  const events: ApiStream['events'] = readEvents(whole);
  const of = (type: string) => events.filter(({ event }) => event === type).map(({ data }) => JSON.parse(data));
  const [completed] = of('tool.completed');
  const finals = events.filter(({ event }) => event?.startsWith('run.'));
  return [
    ...(pieces.join('') === whole ? [] : [`what was read is not what is kept:\n${pieces.join('--\n')}\n====\n${whole}`]),
    ...(runs.size === 1 ? [] : [`one key was ${runs.size} runs`]),
    ...(finals.length === 1 && of('run.completed')[0]?.output.startsWith(`Done ${nonce},`)
      ? []
      : [`it ended with ${finals.map(({ data }) => data).join()}`]),
    ...(of('tool.started').length === 1 && of('tool.completed').length === 1 ? [] : ['a call was not told once']),
    ...(effects === 1 || (effects === 0 && completed?.error === true) ? [] : [`the command took effect ${effects} times`]),
    ...(shownWords(events) === `I run ${nonce}.\n\nDone ${nonce}, and this is a longer answer in several pieces.`
      ? []
      : [`it said ${shownWords(events)}`]),
  ];
}

/** What a reader who takes back what is void has before the eyes in the end. */
function shownWords(events: ApiStream['events']): string {
  const messages = [''];
  for (const { event, data } of events) {
    if (event === 'message.delta') messages[messages.length - 1] += JSON.parse(data).delta;
    if (event === 'message.discarded') messages[messages.length - 1] = '';
    if (event === 'message.completed') messages.push('');
  }
  return messages.filter((text) => text !== '').join('\n\n');
}
