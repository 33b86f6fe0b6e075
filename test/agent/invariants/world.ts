import { join } from 'node:path';
import { setImmediate as nextLap } from 'node:timers/promises';
import { createAgent, type Agent } from '../../../src/agent/agent.ts';
import type { AgentDeps } from '../../../src/agent/deps.ts';
import { RECOVERIES } from '../../../src/agent/recoveries/table.ts';
import { agentSettings } from '../../../src/agent/settings.ts';
import type { AgentEvent, Outcome } from '../../../src/contracts/event.ts';
import type { Entry } from '../../../src/contracts/entry.ts';
import { createTextBlock } from '../../../src/contracts/message.ts';
import type { EncodedRequest, Provider } from '../../../src/contracts/provider.ts';
import { StoreError, type LogChange, type InboxItem, type Session, type SessionStore } from '../../../src/contracts/session-store.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import type { ApprovalRequest, ApprovalVerdict } from '../../../src/contracts/consent.ts';
import type { Runtime } from '../../../src/contracts/runtime.ts';
import type { ToolContext } from '../../../src/contracts/tool.ts';
import type { TurnState } from '../../../src/contracts/turn.ts';
import { windowEngine } from '../../../src/parts/context/window.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { scriptedProvider } from '../../../src/testing/scripted-provider.ts';
import { says } from '../setup.ts';
import { toolkitOf, type Stage } from './stage.ts';
import { type Deed, type OwnersDeed, type Story, withNatives } from './story.ts';
import { randomTools } from './tools.ts';

/** What a test may look at while a story goes on. A throw ends the story as a failure. */
export interface Watch {
  sending?(encoded: EncodedRequest, entries: readonly Entry[], turn: TurnState | undefined): void;
  committed?(change: LogChange, entries: readonly Entry[], turn: TurnState | undefined): void;
  /** Somebody is asked for consent. */
  asked?(action: ApprovalRequest, entries: readonly Entry[], turn: TurnState | undefined): void;
  toolStarted?(context: ToolContext, replay: 'safe' | 'never', entries: readonly Entry[], turn: TurnState | undefined): void;
}
/** What a story has left behind. */
export interface Told {
  readonly session: Session;
  readonly events: readonly AgentEvent[];
  readonly outcomes: readonly Outcome[];
  readonly entries: readonly Entry[];
  readonly inbox: readonly InboxItem[];
  readonly posted: number;
  readonly kills: number;
  /** What each process told, and how long the log was when it started. */
  readonly lives: readonly ToldLife[];
}
export interface ToldLife {
  readonly entriesBefore: number;
  readonly events: readonly AgentEvent[];
}

/** Lives after lives of the process until every message has its outcome; throws what a watch threw. */
export async function tell(story: Story, stage: Stage, watch: Watch = {}): Promise<Told> {
  const { store } = stage;
  const session = await store.create({ source: 'test', cwd: '/', model: story.runtime.model, provider: story.runtime.provider });
  const world = new World(story, stage, session, watch);
  for (const [index, words] of story.messages.entries()) {
    await world.live((agent, signal) => agent.send(session, story.message?.(words, index) ?? says(words), signal));
    await world.interlude(story.between?.(index));
  }
  while ((await store.turn(session.id)) !== undefined || (await store.waiting(session.id)).length > 0) {
    await world.live((agent, signal) => agent.resume(session, signal));
  }
  const [entries, inbox] = [await store.entries(session.id), await store.inbox(session.id)];
  return { session, entries, inbox, ...world.told };
}

interface Life {
  readonly stop: AbortController;
  readonly over: PromiseWithResolvers<'dead'>;
  alive: boolean;
  agent?: Agent;
}
const never = (): Promise<never> => new Promise(() => undefined);

class World {
  readonly told = { events: [] as AgentEvent[], outcomes: [] as Outcome[], posted: 0, kills: 0, lives: [] as ToldLife[] };
  readonly #story: Story;
  readonly #stage: Stage;
  readonly #session: Session;
  readonly #watch: Watch;
  #moment = 0;
  #calls = 0;
  #full = 0;
  #runtime: Runtime;

  constructor(story: Story, stage: Stage, session: Session, watch: Watch) {
    this.#story = story;
    this.#stage = stage;
    this.#session = session;
    this.#watch = watch;
    this.#runtime = story.runtime;
  }

  /** One process from its start to the end of its work or its death. */
  async live(work: (agent: Agent, signal: AbortSignal) => AsyncGenerator<AgentEvent, unknown>): Promise<void> {
    const life: Life = { stop: new AbortController(), over: Promise.withResolvers(), alive: true };
    const agent = createAgent(this.#store(life), await this.#deps(life), this.#runtime);
    life.agent = agent;
    const turn = work(agent, life.stop.signal);
    const events: AgentEvent[] = [];
    this.told.lives.push({ entriesBefore: (await this.#stage.store.entries(this.#session.id)).length, events });
    for (;;) {
      const step = await Promise.race([turn.next(), life.over.promise]);
      if (step === 'dead' || step.done === true) return;
      this.told.events.push(step.value);
      events.push(step.value);
      if (step.value.type === 'settled') this.told.outcomes.push(step.value.outcome);
      await Promise.race([this.#passes(life), life.over.promise]);
      if (!life.alive) return;
    }
  }

  /** What the owner does between two turns. A turn that was cut off is ended by it. */
  async interlude(deed: OwnersDeed | undefined): Promise<void> {
    const session = this.#session;
    if (deed === 'compact') await this.live((agent, signal) => agent.compact(session, signal));
    if (deed === 'undo') await this.live((agent, signal) => agent.rewind(session, { turns: 1 }, signal));
    if (deed === 'undo two') await this.live((agent, signal) => agent.rewind(session, { turns: 2 }, signal));
    if (deed === 'change model') this.#runtime = { ...this.#runtime, model: `${this.#runtime.model}-next` };
  }

  /** Time goes on by one moment; what is to happen now, happens. Who is dead never hears the clock again. */
  async #passes(life: Life): Promise<void> {
    if (!life.alive) return never();
    const deed = this.#story.deeds.get(this.#moment++);
    if (deed !== undefined) await this.#do(deed, life);
    return life.alive ? undefined : never();
  }

  async #do(deed: Deed, life: Life): Promise<void> {
    switch (deed) {
      case 'kill':
        life.alive = false;
        this.told.kills++;
        return life.over.resolve('dead');
      case 'abort':
        return life.stop.abort();
      case 'terminate':
        return life.stop.abort('terminated');
      case 'full':
        this.#full = 1;
        return;
      case 'steer':
      case 'queue':
      case 'interrupt':
        this.told.posted++;
        await life.agent?.post({
          sessionId: this.#session.id,
          content: [createTextBlock(`${deed} ${this.told.posted}`, 'owner')],
          mode: deed,
        });
    }
  }

  #store(life: Life): SessionStore {
    const { store } = this.#stage;
    return {
      ...store,
      commit: async (claim, change) => {
        await this.#passes(life);
        if (this.#full-- > 0) throw new StoreError('full', 'The disk is full.');
        const added = await store.commit(claim, change);
        await this.#watching(life, this.#watch.committed?.bind(undefined, change));
        await this.#passes(life);
        return added;
      },
    };
  }

  /** What a watch finds wrong must reach the test, not the agent, which would make an outcome of it. */
  async #watching(life: Life, look: ((entries: readonly Entry[], turn: TurnState | undefined) => void) | undefined): Promise<void> {
    if (look === undefined) return;
    const { store } = this.#stage;
    try {
      look(await store.entries(this.#session.id), await store.turn(this.#session.id));
    } catch (error) {
      life.over.reject(error);
      throw error;
    }
  }

  #provider(life: Life): Provider {
    const formatOf = createWireFormats(() => undefined);
    const { story, world } = { story: this.#story, world: this };
    return {
      encode: (request) => formatOf(request.runtime).encode(request),
      async *stream(encoded, call) {
        const line = story.line(world.#calls++);
        // Timers get their turn too: without this an endless turn could not even be found out.
        await nextLap();
        await world.#passes(life);
        await world.#watching(life, world.#watch.sending?.bind(undefined, encoded));
        for await (const event of scriptedProvider([line]).stream(encoded, call)) {
          yield event.type === 'done' ? { ...event, message: withNatives(event.message, encoded.request.runtime) } : event;
        }
      },
    };
  }

  /** A person who takes a while, and says yes or no by chance; who dies meanwhile has heard nothing. */
  async #answer(life: Life, action: ApprovalRequest, signal: AbortSignal): Promise<ApprovalVerdict> {
    await this.#watching(life, this.#watch.asked?.bind(undefined, action));
    await this.#passes(life);
    await nextLap();
    await this.#passes(life);
    if (signal.aborted) return { allow: false, by: 'policy', reason: 'the question was interrupted' };
    return this.#story.chance.fork(`answer ${action.callId}`).hits(0.7)
      ? { allow: true, by: 'the owner' }
      : { allow: false, by: 'the owner', reason: 'the user said no' };
  }

  async #deps(life: Life): Promise<AgentDeps> {
    const { chance, settings, routes, details } = this.#story;
    const { clock, folder } = this.#stage;
    const started = async (context: ToolContext, replay: 'safe' | 'never') => {
      await this.#watching(life, this.#watch.toolStarted?.bind(undefined, context, replay));
      await this.#passes(life);
    };
    const tools = randomTools(chance, { started, ended: () => this.#passes(life), ...(details !== undefined && { details }) });
    return {
      provider: this.#provider(life),
      routes,
      context: windowEngine,
      toolkit: await toolkitOf(tools, join(folder, 'spill', this.#session.id), {
        ask: (action, signal) => this.#answer(life, action, signal),
      }),
      recoveries: RECOVERIES,
      settings: { ...collectDefaults(agentSettings), ...settings },
      clock: { ...clock, sleep: async (ms, signal) => (await clock.sleep(ms, signal), this.#passes(life)) },
      random: () => 0.5,
      price: () => this.#story.price(),
      prompt: { render: async () => ({ slots: [{ name: 'identity', lifetime: 'session', text: 'You help.' }], notices: [] }) },
    };
  }
}
