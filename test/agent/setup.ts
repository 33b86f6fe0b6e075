import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Clock } from '../../src/base/clock.ts';
import { createAgent } from '../../src/agent/agent.ts';
import type { AgentDeps } from '../../src/agent/deps.ts';
import { RECOVERIES } from '../../src/agent/recoveries/table.ts';
import { agentSettings } from '../../src/agent/settings.ts';
import type { AgentEvent, Outcome } from '../../src/contracts/event.ts';
import { createTextBlock, type UserMessage } from '../../src/contracts/message.ts';
import type { Provider } from '../../src/contracts/provider.ts';
import type { Routes } from '../../src/contracts/routes.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import type { Session, SessionStore } from '../../src/contracts/session-store.ts';
import { collectDefaults } from '../../src/contracts/settings.ts';
import type { AnyTool, Tool } from '../../src/contracts/tool.ts';
import type { Terminal } from '../../src/contracts/terminal.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';
import { spillTo } from '../../src/parts/tools/budget.ts';
import { toolSettings } from '../../src/parts/tools/settings.ts';
import { createToolkit } from '../../src/parts/tools/toolkit.ts';

export const RUNTIME: Runtime = {
  provider: 'scripted',
  model: 'script-1',
  baseUrl: 'http://127.0.0.1:1',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 200_000 },
};

/** Time that passes only when somebody sleeps; sleeps are recorded. */
export function testClock(): Clock & { readonly slept: number[] } {
  let now = Date.parse('2026-11-15T12:00:00Z');
  const slept: number[] = [];
  return {
    slept,
    now: () => (now += 1),
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
  };
}

export const NO_ROUTES: Routes = {
  refresh: async () => false,
  rotate: async () => undefined,
  fallback: async () => undefined,
  learnt: async () => ({}),
  learn: async () => {},
};

/** A folder that goes away with the tests of this file. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Setup {
  readonly store: SessionStore;
  readonly session: Session;
  readonly deps: AgentDeps;
  readonly clock: ReturnType<typeof testClock>;
  readonly folder: string;
}

export interface SetupOptions {
  readonly tools?: readonly AnyTool[];
  readonly routes?: Partial<Routes>;
  readonly settings?: Partial<AgentDeps['settings']>;
  readonly folder?: string;
  readonly sessionId?: string;
}

export async function setup(provider: Provider, options: SetupOptions = {}): Promise<Setup> {
  const folder = options.folder ?? tempFolder();
  const store = await openSqliteStore({ path: join(folder, 'state.db') });
  after(() => store[Symbol.asyncDispose]());
  const clock = testClock();
  const toolkit = await createToolkit({
    tools: options.tools ?? [],
    toolsets: ['test'],
    terminal: {} as Terminal,
    ports: {},
    approval: { ask: async () => ({ allow: false, by: 'nobody', reason: 'nobody is there' }) },
    spill: spillTo(join(folder, 'spill'), collectDefaults(toolSettings)),
  });
  const deps: AgentDeps = {
    provider,
    routes: { ...NO_ROUTES, ...options.routes },
    context: windowEngine,
    toolkit,
    recoveries: RECOVERIES,
    settings: { ...collectDefaults(agentSettings), ...options.settings },
    clock,
    random: () => 0,
    price: () => undefined,
    prompt: { render: async () => ({ slots: [{ name: 'identity', lifetime: 'session', text: 'You help.' }], notices: [] }) },
  };
  const existing = options.sessionId === undefined ? undefined : (await store.find(options.sessionId))[0];
  const session = existing ?? (await store.create({ source: 'test', cwd: folder, model: RUNTIME.model, provider: RUNTIME.provider }));
  return { store, session, deps, clock, folder };
}

export const says = (words: string): UserMessage => ({ role: 'user', content: [createTextBlock(words, 'owner')] });

export interface Played {
  readonly events: readonly AgentEvent[];
  readonly outcome: Outcome | undefined;
}

/** Runs one message through the agent and keeps everything it told. */
export async function play({ store, session, deps }: Setup, words: string, signal = new AbortController().signal): Promise<Played> {
  return collect(createAgent(store, deps, RUNTIME).send(session, says(words), signal));
}

export async function resume({ store, session, deps }: Setup, signal = new AbortController().signal): Promise<Played> {
  return collect(createAgent(store, deps, RUNTIME).resume(session, signal));
}

export async function collect(turn: AsyncGenerator<AgentEvent, Outcome | undefined>): Promise<Played> {
  const events: AgentEvent[] = [];
  for (;;) {
    const step = await turn.next();
    if (step.done === true) return { events, outcome: step.value };
    events.push(step.value);
  }
}

/** A tool for tests: reads by default, runs the given function. */
export function testTool(
  name: string,
  run: Tool<Record<string, unknown>>['run'],
  over: Partial<Tool<Record<string, unknown>>> = {},
): AnyTool {
  const tool: Tool<Record<string, unknown>> = {
    name,
    description: name,
    input: { type: 'object', properties: {} },
    effects: () => ({ kind: 'read', resources: [name] }),
    replay: 'safe',
    idempotent: false,
    trust: 'tool',
    timeoutMs: 5_000,
    maxResult: 100_000,
    run,
    ...over,
  };
  return tool;
}
