import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, MAIN, toServer } from './hermes.ts';
import { judge } from './kill.ts';
import { WAITING } from './on-terminal.ts';

/** What one kill around a question did to a turn whose calls need consent. */
export interface ConsentKill {
  readonly when: string;
  readonly hit: boolean;
  /** The question that stood open when the process died, if one did, and what was answered to it by its id. */
  readonly waiting?: 'allowed' | 'denied' | 'left open';
  readonly firedTwice: number;
  /** Calls that ran without consent, or did not run although it was given before the kill left them waiting. */
  readonly wronglyRun: number;
  readonly outcomes: number;
  readonly unpaired: number;
  readonly problem?: string;
}

const STEPS = 3;

/** Each step asks for a command that needs consent and leaves its mark, then comes the answer. */
function stepper(request: RecordedRequest): Reply {
  const step = request.text.match(/"tool_call_id":|"type":"tool_result"|"type":"function_call_output"/g)?.length ?? 0;
  if (step >= STEPS) return { text: 'All steps are done.' };
  return { calls: [{ id: `w${step}`, name: 'terminal', arguments: { command: `chmod -R 777 build && echo mark-${step} >> marks` } }] };
}

/** When to kill: so many milliseconds after so many questions stood there; the person takes a while over each. */
interface Moment {
  readonly questions: number;
  readonly afterMs: number;
  readonly thinksMs: number;
}
const randomMoment = (): Moment => ({
  questions: 1 + Math.floor(Math.random() * STEPS),
  afterMs: Math.random() * 160,
  thinksMs: Math.random() * 160,
});

/** Kills turns around their questions, answers some of those by their id while no process lives, resumes each and counts. */
export async function killConsents(
  count: number,
  apiModes: readonly string[],
  onResult: (result: ConsentKill) => void = () => {},
): Promise<ConsentKill[]> {
  await using server = await startWireServer({ answer: stepper });
  const folder = mkdtempSync(join(tmpdir(), 'hermes-kill-consent-'));
  const results: ConsentKill[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const home = join(folder, String(index));
      mkdirSync(join(home, 'build'), { recursive: true });
      // The home is the working directory as well, and a sandbox does not let commands write to a home.
      writeFileSync(join(home, 'config.yaml'), 'terminal: {backend: local}\n');
      const result = await killOnce(home, toServer(server.url, apiModes[index % apiModes.length]), randomMoment());
      results.push(result);
      onResult(result);
      rmSync(home, { recursive: true, force: true });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ANSWERS = ['allowed', 'denied', 'left open'] as const;
const VERBS = { allowed: 'allow', denied: 'deny' } as const;

async function killOnce(home: string, flags: readonly string[], moment: Moment): Promise<ConsentKill> {
  const hit = await killedOnTerminal(['chat', '-q', 'go', ...flags], home, moment);
  const when = `${Math.round(moment.afterMs)} ms after question ${moment.questions}, answered after ${Math.round(moment.thinksMs)} ms`;
  const run = (...args: string[]) => hermes(args, { home, ...(args[1] === 'allow' && { onTerminal: true }) });
  const [open] = JSON.parse((await run('approvals', 'list', '--json')).out) as readonly { readonly id: string; readonly summary: string }[];
  const before = marks(home);
  const waiting = open && ANSWERS[Math.floor(Math.random() * ANSWERS.length)];
  if (open !== undefined && waiting !== undefined && waiting !== 'left open') await run('approvals', VERBS[waiting], open.id);
  const [session] = JSON.parse((await run('sessions', 'list', '--json')).out) as readonly { readonly id: string }[];
  if (session === undefined) return { when, hit, firedTwice: 0, wronglyRun: before.length, outcomes: 0, unpaired: 0 };
  const resumed = await run('chat', '--resume', session.id, ...flags);
  const { firedTwice, outcomes, unpaired } = judge([], (await run('sessions', 'show', session.id, '--json')).out, home);
  const asked = /mark-\d/.exec(open?.summary ?? '')?.[0] ?? '';
  const ran = marks(home).filter((mark) => mark === asked).length;
  // Whoever waits has not run; afterwards it runs by a late yes alone, once.
  const wronglyRun = open === undefined ? 0 : Number(before.includes(asked)) + Math.abs(ran - (waiting === 'allowed' ? 1 : 0));
  const problem = resumed.code !== 0 && !resumed.err.includes('nothing to') ? `resume: ${resumed.code} ${resumed.err}` : undefined;
  return { when, hit, ...(waiting && { waiting }), firedTwice, wronglyRun, outcomes, unpaired, ...(problem !== undefined && { problem }) };
}

function marks(home: string): string[] {
  try {
    return readFileSync(join(home, 'marks'), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Runs on a terminal where every question is answered with yes after a while; whether the kill came before the end. */
async function killedOnTerminal(args: readonly string[], home: string, { questions, afterMs, thinksMs }: Moment): Promise<boolean> {
  const { spawn } = await import('@lydell/node-pty');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HERMES_HOME: home, TERM: 'xterm' };
  const terminal = spawn(process.execPath, [MAIN, ...args], { cwd: home, env, cols: 100, rows: 30 });
  const over = Promise.withResolvers<boolean>();
  let [shown, asked] = ['', 0];
  terminal.onData((data) => {
    shown += data;
    const found = WAITING.exec(shown);
    if (found === null) return;
    shown = shown.slice(found.index + found[0].length);
    setTimeout(() => terminal.write('y\r'), thinksMs);
    if (++asked === questions) setTimeout(() => terminal.kill('SIGKILL'), afterMs);
  });
  terminal.onExit(({ signal }) => over.resolve(signal === 9));
  return over.promise;
}
