import type { ChosenTools } from '../../parts/tools/choose-tools.ts';
import { lazy } from '../../base/lazy.ts';
import { createAgent, type Agent } from '../../agent/agent.ts';
import { openReservations, type BudgetReservations } from '../../agent/budget-reservations.ts';
import type { AgentDeps } from '../../agent/deps.ts';
import { RECOVERIES, UNAIDED_RECOVERIES } from '../../agent/recoveries/table.ts';
import { createSideCalls } from '../../agent/side-calls.ts';
import { systemClock } from '../../base/clock.ts';
import type { ContextEngine } from '../../contracts/context-engine.ts';
import { isMessageEntry, dropRewound } from '../../contracts/entry.ts';
import type { ToolMessage } from '../../contracts/message.ts';
import { CRON_PLATFORM } from '../../contracts/platform.ts';
import type { Ports } from '../../contracts/ports.ts';
import type { Provider } from '../../contracts/provider.ts';
import type { SessionPlace } from '../../contracts/prompt.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { findVisibleProject, type Terminal } from '../../contracts/terminal.ts';
import type { Toolkit } from '../../contracts/tool.ts';
import { openEngine } from '../../parts/context/open.ts';
import { observeProvider } from '../../parts/hooks/observe-provider.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import type { SessionMemory } from '../../parts/memory/session-memory.ts';
import { createSecretPort } from '../../parts/safety/secrets/port.ts';
import type { SessionPlan } from '../tools/home-parts.ts';
import { openTerminal } from '../tools/terminal.ts';
import { chooseJudgeTools, chooseSessionTools, openTooling, type SessionTooling, type SessionToolingOptions } from '../tools/toolkit.ts';
import { openSpawn } from './children.ts';
import { attachMemory } from './memory.ts';
import { openPrompt } from './prompt.ts';
import type { ModelRoute, SharedParts } from '../tools/home-parts.ts';
import { openEmbed, openSidePorts, openSummarisers } from './side-models.ts';

/** An agent with everything it opened; that closes with it and with nothing else. */
export interface SessionAgent extends AsyncDisposable {
  readonly agent: Agent;
  readonly runtime: Runtime;
  readonly terminal: Terminal;
  readonly toolkit: Toolkit;
  /** The door for a tool that is called by name from outside a turn: by a person, or by a judge of what the model did. */
  toolkitFor(name: string): Promise<Toolkit>;
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

/** The model's tools, and over the same terminal those of a judge. A tool the model has is called through its own door, where its browser is. */
async function openToolkits(
  shared: SharedParts,
  plan: SessionPlan,
  options: SessionToolingOptions & { readonly chosen: ChosenTools },
  opened: AsyncDisposableStack,
): Promise<Pick<SessionAgent, 'toolkitFor'> & { readonly tooling: SessionTooling }> {
  const tooling = opened.use(await openTooling(shared, plan, options));
  const later = opened.use(new AsyncDisposableStack());
  const judging = lazy(async () => later.use(await openTooling(shared, plan, { ...options, chosen: chooseJudgeTools(shared, plan) })));
  const isOwn = (name: string): boolean => plan.unaided !== true || options.chosen.tools.includes(name);
  return { tooling, toolkitFor: async (name) => (isOwn(name) ? tooling : await judging()).toolkit };
}

/** Joins the parts to an agent. */
export async function openAgent(shared: SharedParts, plan: SessionPlan, options: SessionAgentOptions): Promise<SessionAgent> {
  await using opened = new AsyncDisposableStack();
  const { store, config, hooks } = shared;
  const { mcp, reservations = openReservations() } = options;
  let { route } = options;
  const engine = await openSessionEngine(shared, plan, () => route.runtime);
  const terminal = opened.use(await openTerminal(shared, plan));
  const memory = await attachMemory(shared, plan);
  const side = createSideCalls();
  const chosen = chooseSessionTools(shared, plan, mcp);
  const parent = { tools: chosen.tools, kind: terminal.kind, mcp, reservations, route: () => route };
  const ports: Ports = {
    ...openSchedulePort(shared, plan),
    ...plan.ports,
    ...openSidePorts(shared, () => route, side),
    spawn: openSpawn(shared, plan, parent, openAgent),
    ...(plan.readSecret !== undefined && shared.secrets !== undefined && { secret: createSecretPort(plan.readSecret, shared.secrets) }),
  };
  const toolingOptions = {
    chosen,
    terminal,
    ports,
    mcp,
    // It offers a tool for what was summed up, and nothing is where the model is unaided.
    ...(plan.unaided !== true && { engine }),
    ...(memory !== undefined && { memory }),
    recall: (sessionId: string) => toolResults(store, sessionId),
    window: () => route.runtime.limits.window,
    ...(hooks !== undefined && { hooks }),
  };
  const { tooling, toolkitFor } = await openToolkits(shared, plan, toolingOptions, opened);
  const { planAnswer } = plan;
  const prompt = openPrompt(shared, {
    prompt: plan.prompt,
    memory: plan.memory,
    external: memory,
    place: terminal.place,
    platform: plan.platform,
    model: () => route.runtime.model,
  });
  const connectionOf = async (next: ModelRoute) => ({
    ...next.connection,
    provider: withHooks(next.connection.provider, shared, plan),
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
      ...openInsights(shared, plan, memory),
      recoveries: plan.unaided === true ? UNAIDED_RECOVERIES : RECOVERIES,
      clock: systemClock,
      random: Math.random,
      ...(planAnswer !== undefined && { planAnswer: (answer) => planAnswer(answer, tooling.readFile) }),
      ...selectAgentOptions(plan, shared),
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
    terminal,
    toolkit: tooling.toolkit,
    toolkitFor,
    setRoute: async (next) => {
      if (next === route) return;
      agent = agent.withRuntime(next.runtime, await connectionOf(next));
      route = next;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Those who look on hear of every model call of the session. */
const withHooks = (provider: Provider, { hooks, tellHooks }: SharedParts, { sessionId, platform }: SessionPlan): Provider =>
  hooks === undefined || tellHooks === undefined ? provider : observeProvider(provider, { sessionId, platform }, tellHooks);

/** What hooks want kept when a part of the log is summed up. */
function openInsights(
  { hooks, safety, notice }: SharedParts,
  { platform }: SessionPlan,
  memory: SessionMemory | undefined,
): Pick<AgentDeps, 'gatherInsights'> {
  const isHooked = hooks !== undefined && hooks.of('pre_compress').length > 0;
  if (!isHooked && memory === undefined) return {};
  return {
    gatherInsights: async (about, messages) => {
      const gathered = await Promise.all([
        isHooked
          ? (await import('../../parts/hooks/gather-insights.ts')).gatherInsights(
              { ...about, platform },
              { hooks, notice, admit: () => safety.admit() },
            )
          : [],
        memory?.insights(messages, NEVER) ?? [],
      ]);
      return gathered.flat();
    },
  };
}
/** It has a deadline of its own. */
const NEVER = new AbortController().signal;

const openSessionEngine = (shared: SharedParts, { notice }: SessionPlan, runtime: () => Runtime): Promise<ContextEngine> =>
  openEngine(
    {
      home: shared.home,
      config: shared.config,
      notice,
      suspicious: async () => (await import('../../parts/safety/scan/orders.ts')).givesOrders,
      entries: async (sessionId) => dropRewound(await shared.store.entries(sessionId)),
      embed: openEmbed(shared, runtime),
    },
    shared.registered.engines,
  );

/** How the tool `cronjob` reaches jobs. A job makes none: nobody would see where that ends. Nor does a child. */
function openSchedulePort({ store, openJobs }: SharedParts, { platform, sessionId, child }: SessionPlan): Pick<Ports, 'schedule'> {
  if (openJobs === undefined || platform === CRON_PLATFORM || child !== undefined) return {};
  return {
    schedule: async (ask) => {
      const { answerScheduleRequest } = await import('../../faces/cron/tool-requests.ts');
      return answerScheduleRequest(ask, { sessionId, gateway: store.gateway, runs: store.runs, service: await openJobs() });
    },
  };
}

/** What a plan says of its agent, where it says something. */
const selectAgentOptions = (
  { systemMessage, maxCrashes, holdsOutages, allowance, replyTo, unaided }: SessionPlan,
  { allowances }: SharedParts,
): Pick<AgentDeps, 'systemMessage' | 'maxCrashes' | 'holdsOutages' | 'allowance' | 'replyTo' | 'isUnaided'> => ({
  ...(unaided === true && { isUnaided: true as const }),
  ...(systemMessage !== undefined && { systemMessage }),
  ...(maxCrashes !== undefined && { maxCrashes }),
  ...(holdsOutages === true && { holdsOutages }),
  ...(allowance !== undefined && { allowance: { ...allowance, reservations: allowances } }),
  ...(replyTo !== undefined && { replyTo }),
});

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
