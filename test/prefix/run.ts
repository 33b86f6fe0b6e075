import { mkdirSync, rmSync } from 'node:fs';
import type { Agent } from '../../src/agent/agent.ts';
import type { AgentEvent, Outcome } from '../../src/contracts/event.ts';
import type { Entry } from '../../src/contracts/entry.ts';
import { createTextBlock, type UserMessage } from '../../src/contracts/message.ts';
import type { Session } from '../../src/contracts/session-store.ts';
import type { CallRecord } from '../../src/contracts/ledger.ts';
import { type ScriptedAnswer } from '../../src/testing/scripted-provider.ts';
import { testClock } from '../agent/setup.ts';
import { between, earlierSession, type Standing } from './between.ts';
import { furnish, type Place } from './place.ts';
import { openLife, openStoreOf, type Life } from './life.ts';
import { talkingProvider, type Defect } from './provider.ts';
import { HABITS, isSilent, lastReply, replyFor } from './replies.ts';
import { randomRoutes } from './routes.ts';
import type { Call } from './rule.ts';
import type { Deed, SessionPlan, TurnPlan } from './sessions.ts';
import { words } from './words.ts';

/** What a session has left behind. */
export interface Told {
  readonly calls: readonly Call[];
  /** Of the session and, first, of those it branched from. */
  readonly entries: readonly Entry[];
  readonly ledger: readonly CallRecord[];
  readonly outcomes: readonly Outcome[];
  /** Done on purpose, by name: what alone may explain other bytes. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly restarts: number;
  readonly kills: number;
}

/** Runs a planned session in this process, in a folder of its own that is gone afterwards. */
export async function runSession(
  plan: SessionPlan,
  root: string,
  defect: Defect = {},
  arrange: (place: Place) => void = () => {},
): Promise<Told> {
  mkdirSync(root, { recursive: true });
  try {
    const place = furnish(plan.chance.fork('place'), root);
    arrange(place);
    await using run = new Run(plan, place, defect);
    return await run.tell();
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A turn that only ends what was begun. */
const LAST: TurnPlan = { words: '', image: false, steps: 1, before: [], restart: false, deeds: new Map() };
/** Turns left behind by kills and texts left waiting are few. */
const MAX_RESUMES = 40;

class Run {
  readonly calls: Call[] = [];
  readonly #outcomes: Outcome[] = [];
  readonly #standing: Standing;
  readonly #plan: SessionPlan;
  readonly #defect: Defect;
  #restarts = 0;
  #kills = 0;
  #turn = LAST;
  #step = 0;
  #life: Life | undefined;
  #session: Session | undefined;
  /** Sessions the present one branched from. */
  readonly #earlier: string[] = [];
  #stop = new AbortController();
  #lives = 0;

  constructor(plan: SessionPlan, place: Place, defect: Defect = {}) {
    this.#plan = plan;
    this.#defect = defect;
    this.#standing = { chance: plan.chance, place, clock: testClock(), reasons: {}, runtime: plan.runtime, cwd: place.cwd };
  }

  async tell(): Promise<Told> {
    for (const [index, turn] of this.#plan.turns.entries()) await this.turn(turn, index);
    return this.told();
  }

  /** What happens before a turn, then the turn. */
  async turn(turn: TurnPlan, index: number): Promise<void> {
    const { chance, clock, place } = this.#standing;
    if (this.#session === undefined) await earlierSession(chance.fork('earlier'), await openStoreOf(place.home, clock));
    for (const each of turn.before) await between(each, this.#standing, chance.fork(`${each} ${index}`), this.#session?.id);
    if (turn.restart) await this.restart();
    if (turn.back !== undefined) await this.#goBack(turn.back);
    const message = messageOf(turn);
    await this.#live(turn, (agent, session, signal) => agent.send(session, message, signal, sidecarOf(turn)));
  }

  /** Finishes what was cut off and answers what waits; then everything that is left of the session. */
  async told(): Promise<Told> {
    for (let tries = 0; tries < MAX_RESUMES; tries++) {
      const { store } = await this.#opened();
      const id = this.#session?.id ?? '';
      if ((await store.turn(id)) === undefined && (await store.waiting(id)).length === 0) break;
      await this.#live(LAST, (agent, session, signal) => agent.resume(session, signal));
    }
    const { store } = await this.#opened();
    const id = this.#session?.id ?? '';
    const sessions = [...this.#earlier, id];
    const entries = (await Promise.all(sessions.map((each) => store.entries(each)))).flat();
    const ledger = (await Promise.all(sessions.map((sessionId) => store.calls({ sessionId })))).flat();
    const { reasons } = this.#standing;
    return { calls: this.calls, entries, ledger, outcomes: this.#outcomes, reasons, restarts: this.#restarts, kills: this.#kills };
  }

  async restart(): Promise<void> {
    if (this.#life === undefined) return;
    this.#restarts++;
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#life?.[Symbol.asyncDispose]();
    this.#life = undefined;
  }

  async #opened(): Promise<Life> {
    if (this.#life !== undefined) return this.#life;
    const { place, clock, runtime, cwd, toolsets } = this.#standing;
    const own = this.#plan.chance.fork(`life ${this.#lives++}`);
    const life: Life = await openLife({
      home: place.home,
      cwd,
      clock,
      runtime,
      env: own.hits(0.3) ? { HERMES_EPHEMERAL_SYSTEM_PROMPT: `Today: ${words(own).replaceAll('\0', '')}` } : {},
      flags: { ...this.#plan.flags, ...(toolsets !== undefined && { toolsets }) },
      ...(this.#session !== undefined && { sessionId: this.#session.id }),
      routes: randomRoutes(this.#plan.chance.fork('routes')),
      provider: (log) =>
        talkingProvider({
          log,
          calls: this.calls,
          line: () => this.#line(),
          during: () => this.#happens(this.#turn.deeds.get(this.#step)),
          defect: this.#defect,
        }),
    });
    this.#life = life;
    const { model, provider } = runtime;
    this.#session ??= await life.store.create({ source: 'cli', cwd, model, provider });
    return life;
  }

  /** Goes on from before some turns, in the same session or in a branch of it. */
  async #goBack({ by, turns }: NonNullable<TurnPlan['back']>): Promise<void> {
    const { agent, store } = await this.#opened();
    if (this.#session === undefined) return;
    const { reasons } = this.#standing;
    if (by === 'rewind') {
      const taken = await ended(agent.rewind(this.#session, { turns }, this.#stop.signal));
      if (taken.ok) reasons['rewind'] = (reasons['rewind'] ?? 0) + 1;
      return;
    }
    const openings = Object.values(Object.groupBy(await store.entries(this.#session.id), ({ turnId = '' }) => turnId)).map(
      (all) => all?.[0]?.seq ?? 1,
    );
    const result = await agent.branch(this.#session, { throughSeq: openings.at(-turns) ?? 1 });
    if (!result.ok) return;
    reasons['branch'] = (reasons['branch'] ?? 0) + 1;
    this.#earlier.push(this.#session.id);
    this.#session = result.session;
  }

  async #live(
    turn: TurnPlan,
    work: (agent: Agent, session: Session, signal: AbortSignal) => AsyncGenerator<AgentEvent, Outcome | undefined>,
  ) {
    const life = await this.#opened();
    if (this.#session === undefined) throw new Error('a life begins with a session');
    this.#turn = turn;
    this.#step = 0;
    this.#stop = new AbortController();
    const whole = await this.#listen(life, work(life.agent, this.#session, this.#stop.signal), turn.cutAfter);
    if (!whole) await this.restart();
  }

  /** Says whether the turn came to its end; a process may die before, and a face may go away. */
  async #listen(life: Life, turns: AsyncGenerator<AgentEvent, Outcome | undefined>, cutAfter = Infinity): Promise<boolean> {
    for (let heard = 1; ; heard++) {
      const step = await Promise.race([turns.next(), life.over.promise]);
      if (step === 'dead') return false;
      if (step.done === true) return true;
      if (step.value.type === 'settled') this.#outcomes.push(step.value.outcome);
      // A call that runs cannot be left without leaving its process behind.
      if (heard < cutAfter || step.value.type.startsWith('tool_')) continue;
      await turns.return(undefined);
      return false;
    }
  }

  #line(): ScriptedAnswer {
    const { chance } = this.#plan;
    const index = this.calls.length;
    const { lines, steps } = this.#turn;
    const step = this.#step++;
    const line = lines?.[step] ?? (step < steps ? replyFor(chance, index, HABITS) : lastReply(chance, index));
    const { reasons } = this.#standing;
    const trouble = line.fails?.type ?? (isSilent(line) ? 'silence' : undefined);
    if (trouble !== undefined) reasons[trouble] = (reasons[trouble] ?? 0) + 1;
    return line;
  }

  async #happens(deed: Deed | undefined): Promise<void> {
    if (deed === undefined || this.#session === undefined || this.#life === undefined) return;
    if (deed === 'abort') return this.#stop.abort();
    if (deed !== 'kill') {
      const heard = `${deed}: ${words(this.#plan.chance.fork(`post ${this.calls.length}`))}`;
      await this.#life.agent.post({ sessionId: this.#session.id, content: [createTextBlock(heard, 'owner')], mode: deed });
      return;
    }
    this.#kills++;
    this.#life.over.resolve('dead');
    return new Promise(() => undefined);
  }
}

async function ended<Result>(events: AsyncGenerator<AgentEvent, Result>): Promise<Result> {
  for (;;) {
    const step = await events.next();
    if (step.done === true) return step.value;
  }
}

const sidecarOf = ({ overlay }: TurnPlan) => (overlay === undefined ? {} : { overlay: [createTextBlock(overlay, 'foreign')] });
const IMAGE = { type: 'image', mime: 'image/png', data: 'iVBORw0KGgo=', trust: 'owner' } as const;
const messageOf = (turn: TurnPlan): UserMessage => ({
  role: 'user',
  content: [createTextBlock(turn.words, 'owner'), ...(turn.image ? [IMAGE] : [])],
});
