import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { createTextBlock as block } from '../../src/contracts/message.ts';
import type { SessionStore } from '../../src/contracts/session-store.ts';
import { startWireServer, type RecordedRequest, type Reply } from '../../src/testing/wire-server/index.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { hermes, jsonLines, toServer, type Ran } from '../walks/hermes.ts';
import { between, type Standing } from './between.ts';
import { openStoreOf } from './life.ts';
import type { Place } from './place.ts';
import { lastReply, replyFor, type Habits } from './replies.ts';
import type { Told } from './run.ts';
import type { Deed, SessionPlan, TurnPlan } from './sessions.ts';
import { words } from './words.ts';

/** A session through the real program. */
export interface RanProgram extends Omit<Told, 'calls'> {
  readonly requests: readonly RecordedRequest[];
  /** What went wrong besides. */
  readonly troubles: readonly string[];
}

/** Nothing that is waited for by the clock on the wall. */
const QUICK: Habits = { calls: 70, answer: 8, thinking: 3, empty: 0, blank: 0, length: 5, broken: 3, cut: 3, fails: 5 };
const API_MODES = {
  'openai-chat': 'chat_completions',
  'anthropic-messages': 'anthropic_messages',
  'openai-responses': 'responses',
} as const;
const OVERFLOW: Reply = { fault: { type: 'overflow', tokens: 210_000, limit: 200_000 } };
const MAX_RESUMES = 10;

export async function runProgram(plan: SessionPlan, place: Place): Promise<RanProgram> {
  await using store = await openStoreOf(place.home, systemClock);
  const program = new Program(plan, place, store);
  await using server = await startWireServer({ answer: (request) => program.answer(request) });
  return await program.run(server.url, server.requests);
}

class Program {
  readonly #plan: SessionPlan;
  readonly #standing: Standing;
  readonly #store: SessionStore;
  readonly #troubles: string[] = [];
  readonly #outcomes: Told['outcomes'][number][] = [];
  #turn: TurnPlan | undefined;
  #step = 0;
  #index = 0;
  #child: ChildProcess | undefined;
  #id: string | undefined;
  #processes = 0;
  #kills = 0;

  constructor(plan: SessionPlan, place: Place, store: SessionStore) {
    this.#plan = plan;
    this.#store = store;
    this.#standing = { chance: plan.chance, place, clock: systemClock, reasons: {}, runtime: plan.runtime, cwd: place.cwd };
  }

  async run(url: string, requests: readonly RecordedRequest[]): Promise<RanProgram> {
    for (const [index, turn] of this.#plan.turns.entries()) await this.#begin(turn, index, url);
    for (let tries = 0; tries < MAX_RESUMES && (await this.#isUnfinished()); tries++) await this.#chat([], url);
    const id = this.#id ?? '';
    const [entries, ledger] = [await this.#store.entries(id), await this.#store.calls({ sessionId: id })];
    await this.#replay(id);
    const { reasons } = this.#standing;
    const [restarts, kills] = [this.#processes - 1, this.#kills];
    return { requests, entries, ledger, reasons, restarts, kills, outcomes: this.#outcomes, troubles: this.#troubles };
  }

  async #begin(turn: TurnPlan, index: number, url: string): Promise<void> {
    const { chance } = this.#plan;
    // Time and keys are the machine's own here, and another provider is another server.
    const possible = turn.before.filter((each) => each !== 'time' && each !== 'key' && each !== 'provider');
    for (const each of possible) await between(each, this.#standing, chance.fork(`${each} ${index}`), this.#id);
    this.#turn = turn;
    this.#step = 0;
    await this.#chat(['-q', turn.words.replaceAll('\0', '')], url);
  }

  async #chat(more: readonly string[], url: string): Promise<void> {
    const { runtime, cwd, toolsets, place } = this.#standing;
    const flags = [...toServer(url, API_MODES[runtime.protocol]).slice(0, -1), runtime.model, '--cwd', cwd, '--json'];
    const rest = [...(toolsets === undefined ? [] : ['-t', toolsets]), ...(this.#plan.flags.yolo ? ['--yolo'] : [])];
    const resume = this.#id === undefined ? [] : ['--resume', this.#id];
    const own = this.#plan.chance.fork(`life ${this.#processes}`);
    const env = own.hits(0.3) ? { HERMES_EPHEMERAL_SYSTEM_PROMPT: `Today: ${words(own).replaceAll('\0', '')}` } : {};
    this.#processes++;
    const started = (child: ChildProcess) => (this.#child = child);
    this.#heard(await hermes(['chat', ...more, ...resume, ...flags, ...rest], { home: place.home, cwd: place.cwd, env, started }));
  }

  #heard({ out, err, code, signal }: Ran): void {
    const lines = jsonLines(out);
    const id = lines[0]?.['id'];
    if (typeof id === 'string') this.#id ??= id;
    if (code === 2 || /bug in hermes/.test(err)) this.#troubles.push(`the program ended with ${code}: ${err.trim()}`);
    for (const { type, outcome, exit_reason: exitReason, text } of lines)
      if (type === 'outcome') this.#outcomes.push({ type: outcome, exitReason, text } as Told['outcomes'][number]);
    if (signal !== null && signal !== 'SIGKILL') this.#troubles.push(`the program ended by ${signal}`);
  }

  async #isUnfinished(): Promise<boolean> {
    const id = this.#id ?? '';
    return (await this.#store.turn(id)) !== undefined || (await this.#store.waiting(id)).length > 0;
  }

  async #replay(id: string): Promise<void> {
    const { home } = this.#standing.place;
    const { code, out } = await hermes(['replay', id, '--json'], { home });
    if (code !== 0) this.#troubles.push(`hermes replay: ${out.replaceAll(/\s+/g, ' ').slice(0, 600)}`);
  }

  /** What the model says; deeds are done while it is asked. */
  async answer(_request: RecordedRequest): Promise<Reply> {
    const { chance } = this.#plan;
    const index = this.#index++;
    const step = this.#step++;
    await this.#happens(this.#turn?.deeds.get(step));
    const line = step < (this.#turn?.steps ?? 0) ? replyFor(chance, index, QUICK) : lastReply(chance, index);
    if (line.fails === undefined) return replyOf(line, index);
    this.#standing.reasons['context_overflow'] = (this.#standing.reasons['context_overflow'] ?? 0) + 1;
    return OVERFLOW;
  }

  async #happens(deed: Deed | undefined): Promise<void> {
    if (deed === undefined || this.#id === undefined) return;
    if (deed === 'abort') return void this.#child?.kill('SIGINT');
    if (deed !== 'kill') {
      await this.#store.post({
        sessionId: this.#id,
        content: [block(`${deed}: ${words(this.#plan.chance.fork(`post ${this.#index}`))}`, 'owner')],
        mode: deed,
      });
      return;
    }
    this.#kills++;
    this.#child?.kill('SIGKILL');
    await pause(20);
  }
}

const replyOf = ({ text, thinking, calls, finish, chunk }: ScriptedAnswer, index: number): Reply => ({
  ...(text !== undefined && { text }),
  ...(thinking !== undefined && { thinking, signature: `sig-${index}` }),
  ...(calls !== undefined && {
    calls: calls.map(({ id, name, input, malformed }) => ({ id: id || null, name: name || 'no_such_tool', arguments: malformed ?? input })),
  }),
  ...(finish !== undefined && { finish }),
  ...(chunk !== undefined && { chunk }),
});
