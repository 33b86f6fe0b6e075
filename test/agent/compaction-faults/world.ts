import { join } from 'node:path';
import { createAgent, type Agent } from '../../../src/agent/agent.ts';
import type { AgentDeps } from '../../../src/agent/deps.ts';
import { RECOVERIES } from '../../../src/agent/recoveries/table.ts';
import { agentSettings } from '../../../src/agent/settings.ts';
import type { ContextEngine } from '../../../src/contracts/context-engine.ts';
import type { Entry } from '../../../src/contracts/entry.ts';
import type { AgentEvent, Outcome } from '../../../src/contracts/event.ts';
import type { Provider } from '../../../src/contracts/provider.ts';
import type { Session, SessionStore } from '../../../src/contracts/session-store.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { createWireFormats } from '../../../src/parts/providers/wire-format.ts';
import { scriptedProvider } from '../../../src/testing/scripted-provider.ts';
import { toolkitOf, type Stage } from '../invariants/stage.ts';
import { NO_ROUTES, says } from '../setup.ts';
import { engineOf, summarisersOf } from './engine.ts';
import { momentsWith, newLife, type Fault, type Life, type Moment, type Moments } from './moments.ts';
import { faultyStore, newTrace, type Trace } from './trace.ts';
import { MESSAGES, nextLine, SMALL, wordsOf } from './script.ts';
import { toolsOf } from './tools.ts';

/** A part of the world as it should be, made wrong on purpose: the checks must see it. */
export interface Plant {
  readonly engine?: (engine: ContextEngine) => ContextEngine;
  readonly store?: (store: SessionStore) => SessionStore;
  /** Declares what must not be done twice as harmless. */
  readonly careless?: true;
}
/** All that a story with one fault leaves behind. */
export interface Told extends Trace {
  readonly session: Session;
  readonly fault: Fault | undefined;
  readonly moments: readonly Moment[];
  /** The log as the store gives it at the end. */
  readonly entries: readonly Entry[];
  readonly lives: number;
}
/** More processes than any story needs. */
const MAX_LIVES = 12;

interface World {
  readonly stage: Stage;
  readonly session: Session;
  readonly moments: Moments;
  readonly trace: Trace;
  readonly plant: Plant;
}

/** Tells the whole story with one fault in it: process after process until every message has its outcome. */
export async function tell(stage: Stage, fault: Fault | undefined, plant: Plant = {}): Promise<Told> {
  const { store } = stage;
  const session = await store.create({ source: 'test', cwd: '/', model: SMALL.model, provider: SMALL.provider });
  const world: World = { stage, session, moments: momentsWith(fault), trace: newTrace(), plant };
  let lives = 0;
  const life = async (work: Work): Promise<void> => {
    if (++lives > MAX_LIVES) throw new Error('the story does not come to an end');
    await live(world, work);
  };
  const finish = async () => {
    while ((await store.turn(session.id)) !== undefined) await life((agent, signal) => agent.resume(session, signal));
  };
  for (const words of MESSAGES) {
    // Who was never told that a message is kept says it again.
    while (!world.trace.log.some((entry) => wordsOf(entry) === words))
      await life((agent, signal) => agent.send(session, says(words), signal));
    // A cut-off turn is finished by itself, or by the message that comes after it.
    if ((fault?.at ?? 0) % 2 === 0) await finish();
  }
  await finish();
  return { ...world.trace, session, fault, moments: world.moments.passed, entries: await store.entries(session.id), lives };
}

type Work = (agent: Agent, signal: AbortSignal) => AsyncGenerator<AgentEvent, Outcome | undefined>;

/** One process from its start to the end of its work, or to its death. */
async function live(world: World, work: Work): Promise<void> {
  const life = newLife();
  world.moments.compacting = false;
  world.moments.mute = false;
  const store = faultyStore(world.plant.store?.(world.stage.store) ?? world.stage.store, life, world.moments, world.trace);
  const turn = work(createAgent(store, await depsOf(world, life), SMALL), life.stop.signal);
  try {
    for (;;) {
      const step = await Promise.race([turn.next(), life.over.promise]);
      if (step === 'dead' || step.done === true) return;
      if (step.value.type === 'entry') world.trace.heard.push(step.value.entry);
      if (await leaves(step.value, life, world.moments)) return void (await Promise.race([turn.return(undefined), life.over.promise]));
    }
  } catch (error) {
    world.trace.thrown.push(error);
  }
}

/** Whether the one who listens goes away after this event; a process that dies here is caught by its own end. */
async function leaves(event: AgentEvent, life: Life, { reach }: Moments): Promise<boolean> {
  try {
    await Promise.race([reach(life, `event ${event.type}`), life.over.promise]);
    return false;
  } catch {
    return true;
  }
}

async function depsOf(world: World, life: Life): Promise<AgentDeps> {
  const { stage, moments, trace, session, plant } = world;
  const engine = engineOf(stage.clock, life, moments);
  return {
    provider: providerOf(world, life),
    routes: NO_ROUTES,
    context: plant.engine?.(engine) ?? engine,
    summarisers: () => summarisersOf(life, moments),
    toolkit: await toolkitOf(toolsOf(life, moments, trace, plant.careless === true), join(stage.folder, 'spill', session.id)),
    recoveries: RECOVERIES,
    settings: { ...collectDefaults(agentSettings) },
    clock: stage.clock,
    random: () => 0.5,
    price: () => undefined,
    prompt: { render: async () => ({ slots: [{ name: 'identity', lifetime: 'session', text: 'You help.' }], notices: [] }) },
  };
}

function providerOf({ moments, trace }: World, life: Life): Provider {
  const formatOf = createWireFormats(() => undefined);
  return {
    encode: (request) => formatOf(request.runtime).encode(request),
    async *stream(encoded, call) {
      await moments.reach(life, 'provider asked');
      moments.compacting = false;
      trace.requests.push({ request: encoded.request, at: moments.passed.length, through: trace.log.length });
      const line = nextLine(trace.log, encoded.request);
      for await (const event of scriptedProvider([line]).stream(encoded, call)) {
        // A refusal for its size is where the other way into a compaction begins.
        moments.compacting = event.type === 'failed' && event.failure.type === 'context_overflow';
        await moments.reach(life, `provider ${event.type}`);
        yield event;
      }
    },
  };
}
