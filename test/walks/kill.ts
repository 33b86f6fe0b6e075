import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, toServer } from './hermes.ts';

/** What one kill at a random moment did to a turn with side effects. */
export interface KillResult {
  readonly when: string;
  /** The process was still running when it was killed. */
  readonly hit: boolean;
  /** The last thing it had told. */
  readonly during: string;
  readonly lostEntries: number;
  readonly firedTwice: number;
  /** Outcomes beyond or short of one per user message. */
  readonly outcomes: number;
  readonly unpaired: number;
  readonly problem?: string;
}

const STEPS = 3;
/** Turns started for each kill: on a busy machine some are over when their moment comes. */
const MAX_TRIES = 4;

/**
 * A model that works in steps: each asks for a command that leaves its mark in a file, a harmless look beside it, and the
 * last gives the answer. The mark names the step by the number of results it has seen, so a repeated effect shows.
 */
function stepper(request: RecordedRequest): Reply {
  const done = request.text.match(/"tool_call_id":|"type":"tool_result"|"type":"function_call_output"/g)?.length ?? 0;
  const step = Math.floor(done / 2);
  if (step >= STEPS) return { text: 'All steps are done.', chunk: 4, paceMs: 2 };
  return {
    text: `Step ${step}.`,
    calls: [
      { id: `w${step}`, name: 'terminal', arguments: { command: `echo mark-${step} >> marks; sleep 0.05` } },
      { id: `r${step}`, name: 'terminal', arguments: { command: 'ls' } },
    ],
    paceMs: 2,
  };
}

/** Starts turns until `count` were killed while they ran, resumes each and counts what was lost or done twice. */
export async function killTurns(
  count: number,
  apiModes: readonly string[],
  onResult: (result: KillResult) => void = () => {},
): Promise<KillResult[]> {
  await using server = await startWireServer({ answer: stepper });
  const folder = mkdtempSync(join(tmpdir(), 'hermes-kill-'));
  const results: KillResult[] = [];
  try {
    const whole = await undisturbed(join(folder, 'whole'), server.url);
    const hits = (): number => results.filter(({ hit }) => hit).length;
    for (let index = 0; hits() < count && index < MAX_TRIES * count; index++) {
      const place = join(folder, String(index));
      const result = await killOnce(place, server.url, apiModes[index % apiModes.length] ?? 'chat_completions', randomMoment(index, whole));
      results.push(result);
      onResult(result);
      rmSync(place, { recursive: true, force: true });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When to kill: so long after the start, or so long after having told so many events. */
interface Moment {
  readonly events: number;
  readonly afterMs: number;
}
interface Life {
  readonly ms: number;
  readonly events: number;
}

/** Starting up takes most of a short life; every second kill is counted in events, so that the turn itself is hit as often. */
const randomMoment = (index: number, whole: Life): Moment =>
  index % 2 === 0
    ? { events: 0, afterMs: Math.random() * whole.ms * 1.05 }
    : { events: 1 + Math.floor(Math.random() * whole.events), afterMs: Math.random() * 40 };

/** How long a run takes that nobody disturbs, and how much it tells. */
async function undisturbed(home: string, url: string): Promise<Life> {
  mkdirSync(home);
  const started = performance.now();
  const ran = await hermes(['chat', '-q', 'go', '--json', ...toServer(url)], { home });
  if (ran.code !== 0) throw new Error(`the undisturbed run failed: ${ran.err}`);
  return { ms: performance.now() - started, events: jsonLines(ran.out).length };
}

/** Sends SIGKILL at the moment. */
function killAt({ events, afterMs }: Moment): (child: ChildProcess) => void {
  return (child) => {
    let heard = 0;
    const arm = () => setTimeout(() => child.kill('SIGKILL'), afterMs);
    if (events === 0) return void arm();
    child.stdout?.on('data', (chunk: string | Buffer) => {
      const before = heard;
      heard += chunk.toString().split('\n').length - 1;
      if (before < events && heard >= events) arm();
    });
  };
}

async function killOnce(home: string, url: string, apiMode: string, moment: Moment): Promise<KillResult> {
  mkdirSync(home);
  const flags = toServer(url, apiMode);
  const killed = await hermes(['chat', '-q', 'go', '--json', ...flags], { home, started: killAt(moment) });
  const told = jsonLines(killed.out);
  const last = told.at(-1)?.['type'];
  const when = `${Math.round(moment.afterMs)} ms after ${moment.events === 0 ? 'the start' : `event ${moment.events}`}`;
  const result = { when, hit: killed.signal === 'SIGKILL', during: typeof last === 'string' ? last : 'start' };
  const session = told[0]?.['id'];
  if (typeof session !== 'string') return { ...result, lostEntries: 0, firedTwice: marks(home), outcomes: 0, unpaired: 0 };
  const resumed = await hermes(['chat', '--resume', session, ...flags], { home });
  const shown = await hermes(['sessions', 'show', session, '--json'], { home });
  return { ...result, ...judge(told, shown.out, home), ...(resumed.code !== 0 && { problem: `resume: ${resumed.code} ${resumed.err}` }) };
}

/** How many marks stand more than once. */
function marks(home: string): number {
  const lines = readIfThere(join(home, 'marks')).split('\n').filter(Boolean);
  return lines.length - new Set(lines).size;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

interface StoredEntry {
  readonly id: string;
  readonly type: string;
  readonly message?: {
    readonly role: string;
    readonly call_id?: string;
    readonly content: readonly { readonly type: string; readonly id?: string }[];
  };
}

/** What the log and the marks say of it. */
export function judge(told: readonly Record<string, unknown>[], shown: string, home: string) {
  const entries = (JSON.parse(shown) as { readonly entries: readonly StoredEntry[] }).entries;
  const stored = new Set(entries.map((entry) => entry.id));
  const promised = told.flatMap((event) => (event['type'] === 'entry' ? [(event['entry'] as StoredEntry).id] : []));
  const calls = entries.flatMap((entry) => entry.message?.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])) ?? []);
  const answered = entries.flatMap((entry) => (entry.message?.role === 'tool' ? [entry.message.call_id] : []));
  const turns = entries.filter((entry) => entry.message?.role === 'user').length;
  const outcomes = entries.filter((entry) => entry.type === 'outcome').length;
  return {
    lostEntries: promised.filter((id) => !stored.has(id)).length,
    firedTwice: marks(home),
    outcomes: outcomes - turns,
    unpaired: calls.filter((id) => answered.filter((other) => other === id).length !== 1).length,
  };
}
