import { createAgent, type Agent } from '../../src/agent/agent.ts';
import type { AgentDeps } from '../../src/agent/deps.ts';
import { createSummariserFactory } from '../../src/app/host/side-models.ts';
import type { ContextEngine } from '../../src/contracts/context-engine.ts';
import type { AgentEvent } from '../../src/contracts/event.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import type { CallRecord } from '../../src/contracts/ledger.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import { compressorEngine } from '../../src/parts/context/compressor/engine.ts';
import { contextSettings } from '../../src/parts/context/settings.ts';
import { scriptedProvider, type ScriptedAnswer, type ScriptedProvider } from '../../src/testing/scripted-provider.ts';
import { collect, RUNTIME, says, setup, type Played, type SetupOptions } from './setup.ts';

export const NOTES =
  '## Goal\n- move the parser\n## Progress\n### Done\n- read src/0\n## Next Steps\n- go on\n## Critical Context\n- port 8443';

/** A window that six long messages fill. */
export const SMALL: Runtime = { ...RUNTIME, limits: { window: 8_000 } };
export const long = (name: string): string => `${name} ${'says a line of the story; '.repeat(160)}`;
const OPEN = new AbortController().signal;

export interface Options extends SetupOptions {
  readonly compression?: Partial<ReturnType<typeof settingsOf>>;
  /** Asked for notes. */
  readonly writer?: readonly ScriptedAnswer[] | ((index: number) => ScriptedAnswer);
  /** The name of the model that does. */
  readonly writes?: string;
  readonly model?: (index: number) => ScriptedAnswer;
  readonly engine?: (engine: ContextEngine) => ContextEngine;
  readonly price?: AgentDeps['price'];
  readonly window?: number;
}
const settingsOf = () => collectDefaults(contextSettings);

export interface Scene {
  readonly agent: Agent;
  readonly provider: ScriptedProvider;
  readonly writer: ScriptedProvider;
  readonly deps: AgentDeps;
  readonly store: Awaited<ReturnType<typeof setup>>['store'];
  readonly session: Awaited<ReturnType<typeof setup>>['session'];
  say(words: string): Promise<Played>;
  calls(): Promise<readonly CallRecord[]>;
  /** Events and the verdict of something that is no turn. */
  run(work: AsyncGenerator<AgentEvent, boolean>): Promise<{ readonly events: readonly AgentEvent[]; readonly done: boolean }>;
}

/** The built-in engine under a whole agent, with a model that answers and one that writes notes. */
export async function sceneWith(options: Options = {}): Promise<Scene> {
  const provider = scriptedProvider((_request, index) => options.model?.(index) ?? { text: `answer ${index}` });
  const { writer: lines = () => ({ text: NOTES, usage: { input: 900, output: 90 } }) } = options;
  const writer = scriptedProvider(typeof lines === 'function' ? (_request, index) => lines(index) : lines);
  const made = await setup(provider, options);
  const price = options.price ?? (() => undefined);
  const engine = compressorEngine({
    settings: { ...settingsOf(), ...options.compression },
    summarisers: () => [],
    // The store writes down real times, and rests are read from them.
    clock: { now: () => Date.now() },
  });
  const deps: AgentDeps = {
    ...made.deps,
    price,
    context: options.engine?.(engine) ?? engine,
    summarisers: ({ credential }) => [
      createSummariserFactory({ provider: writer, price })({
        ...SMALL,
        credential,
        model: options.writes ?? 'writer',
        limits: { window: 100_000 },
      }),
    ],
  };
  const runtime = options.window === undefined ? SMALL : { ...SMALL, limits: { window: options.window } };
  const agent = createAgent(made.store, deps, runtime);
  const { store, session } = made;
  return {
    agent,
    provider,
    writer,
    deps,
    store,
    session,
    say: (words) => collect(agent.send(session, says(words), OPEN)),
    calls: () => store.calls({ sessionId: session.id }),
    run: async (work) => {
      const events: AgentEvent[] = [];
      for (;;) {
        const step = await work.next();
        if (step.done === true) return { events, done: step.value };
        events.push(step.value);
      }
    },
  };
}

/** So many long turns, one after the other. */
export async function talk(scene: Scene, turns: number): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (let turn = 0; turn < turns; turn++) events.push(...(await scene.say(long(`message ${turn}`))).events);
  return events;
}
