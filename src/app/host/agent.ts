import { createAgent, type Agent } from '../../agent/agent.ts';
import { openReservations, type BudgetReservations } from '../../agent/budget-reservations.ts';
import { RECOVERIES } from '../../agent/recoveries/table.ts';
import { createSideCalls } from '../../agent/side-calls.ts';
import { systemClock } from '../../base/clock.ts';
import { isMessageEntry, dropRewound } from '../../contracts/entry.ts';
import type { ToolMessage } from '../../contracts/message.ts';
import type { DeliveryRequest, Ports } from '../../contracts/ports.ts';
import type { SessionPlace } from '../../contracts/prompt.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { findVisibleProject, type Terminal } from '../../contracts/terminal.ts';
import { openEngine } from '../../parts/context/open.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import { createSecretPort } from '../../parts/safety/secrets/port.ts';
import type { SessionPlan } from '../tools/home-parts.ts';
import { openTerminal } from '../tools/terminal.ts';
import { chooseSessionTools, openTooling } from '../tools/toolkit.ts';
import { openSpawn } from './children.ts';
import { openPrompt } from './prompt.ts';
import type { ModelRoute, SharedParts } from '../tools/home-parts.ts';
import { openEmbed, openSidePorts, openSummarisers } from './side-models.ts';

/** An agent with everything it opened; that closes with it and with nothing else. */
export interface SessionAgent extends AsyncDisposable {
  readonly agent: Agent;
  readonly runtime: Runtime;
  /** Another model from the next turn on; terminal, tools and context engine stay. */
  setRoute(route: ModelRoute): Promise<void>;
}

/** What an agent is made for besides its plan. */
export interface SessionAgentOptions {
  readonly route: ModelRoute;
  /** The tools of the owner's servers; children share them. */
  readonly mcp: Mcp;
  /** What its family has set aside; an agent of its own has a new one. */
  readonly reservations?: BudgetReservations;
}

/** Joins the parts to an agent. */
export async function openAgent(shared: SharedParts, plan: SessionPlan, options: SessionAgentOptions): Promise<SessionAgent> {
  await using opened = new AsyncDisposableStack();
  const { store, config, hooks } = shared;
  const { mcp, reservations = openReservations() } = options;
  let { route } = options;
  const engine = await openEngine(
    {
      home: shared.home,
      config,
      notice: plan.notice,
      suspicious: async () => (await import('../../parts/safety/scan/orders.ts')).givesOrders,
      entries: async (sessionId) => dropRewound(await store.entries(sessionId)),
      embed: openEmbed(shared, () => route.runtime),
    },
    shared.registered.engines,
  );
  const terminal = opened.use(await openTerminal(shared, plan));
  const side = createSideCalls();
  const tools = chooseSessionTools(shared, plan, mcp).tools;
  const parent = { tools, kind: terminal.kind, mcp, reservations, route: () => route };
  const { deliver } = plan.ports;
  const ports: Ports = {
    ...plan.ports,
    ...(deliver !== undefined && {
      deliver: (ask: DeliveryRequest, signal: AbortSignal) => deliver({ ...ask, readFile: tooling.readFile }, signal),
    }),
    ...openSidePorts(shared, () => route, side),
    spawn: openSpawn(shared, plan, parent, openAgent),
    ...(plan.readSecret !== undefined && shared.secrets !== undefined && { secret: createSecretPort(plan.readSecret, shared.secrets) }),
  };
  const tooling = opened.use(
    await openTooling(shared, plan, {
      terminal,
      ports,
      mcp,
      engine,
      recall: (sessionId) => toolResults(store, sessionId),
      window: () => route.runtime.limits.window,
      ...(hooks !== undefined && { hooks }),
    }),
  );
  const { planAnswer } = plan;
  const prompt = openPrompt(shared, { prompt: plan.prompt, memory: plan.memory, place: terminal.place });
  const connectionOf = async (next: ModelRoute) => ({
    ...next.connection,
    summarisers: await openSummarisers(shared, next),
    ...(plan.sampling !== undefined && { sampling: plan.sampling }),
  });
  let agent = createAgent(
    store,
    {
      ...(await connectionOf(route)),
      toolkit: tooling.toolkit,
      side,
      reservations,
      settings: plan.maxSteps === undefined ? config.settings : { ...config.settings, 'agent.max_turns': plan.maxSteps },
      prompt,
      contextFiles: plan.contextFiles,
      cwd: plan.cwd,
      place: placeOf(plan.cwd, terminal),
      ...(plan.child !== undefined && { role: 'child' as const }),
      context: engine,
      recoveries: RECOVERIES,
      clock: systemClock,
      random: Math.random,
      ...(plan.systemMessage !== undefined && { systemMessage: plan.systemMessage }),
      ...(planAnswer !== undefined && { planAnswer: (answer) => planAnswer(answer, tooling.readFile) }),
      ...(plan.maxCrashes !== undefined && { maxCrashes: plan.maxCrashes }),
      ...(plan.replyTo !== undefined && { replyTo: plan.replyTo }),
    },
    route.runtime,
    shared.stops,
  );
  opened.defer(() => agent.close());
  const closing = opened.move();
  return {
    get agent() {
      return agent;
    },
    get runtime() {
      return route.runtime;
    },
    setRoute: async (next) => {
      if (next === route) return;
      agent = agent.withRuntime(next.runtime, await connectionOf(next));
      route = next;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const placeOf = (cwd: string, { kind, place }: Terminal): SessionPlace => {
  const project = findVisibleProject(cwd, place)?.folder;
  const { cwd: start = cwd, network } = place ?? {};
  return { backend: kind, cwd: start, ...(project !== undefined && { project }), ...(network !== undefined && { network }) };
};

/** What tools answered in a session so far, for tools whose state is in the log. */
const toolResults = async (store: SessionStore, sessionId: string): Promise<ToolMessage[]> =>
  dropRewound(await store.entries(sessionId))
    .filter(isMessageEntry)
    .flatMap(({ message }) => (message.role === 'tool' ? [message] : []));
