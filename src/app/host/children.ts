import { systemClock } from '../../base/clock.ts';
import { toFileToolArtefacts } from '../../agent/artefacts.ts';
import type { BudgetReservations } from '../../agent/budget-reservations.ts';
import { shortenTitle } from '../../agent/naming.ts';
import { createSpawn, type ChildAgent, type SpawnDeps } from '../../agent/delegate/spawn.ts';
import { findCurrentEpoch } from '../../agent/request.ts';
import type { ChildTask, Ports, SpawnChild } from '../../contracts/ports.ts';
import type { Session } from '../../contracts/session-store.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import { chooseTools } from '../../parts/tools/choose-tools.ts';
import type { SessionPlan } from '../tools/home-parts.ts';
import { collectToolChoice } from '../tools/registries.ts';
import type { ModelRoute, SharedParts } from '../tools/home-parts.ts';

/** What children have of the session they work for: at most its tools, its servers and budget, and the kind of place it works in. */
export interface ParentSession {
  readonly tools: readonly string[];
  readonly kind: string;
  readonly mcp: Mcp;
  readonly reservations: BudgetReservations;
  /** Where its calls go at this moment. */
  route(): ModelRoute;
}

/** Opens the agent of a child, as that of its parent was opened. */
type OpenChild = (
  shared: SharedParts,
  plan: SessionPlan,
  options: Pick<ParentSession, 'mcp' | 'reservations'> & { readonly route: ModelRoute },
) => Promise<ChildAgent>;

/** Children of a session: the same home, route and rules, a conversation and a terminal of their own, nobody to ask. */
export function openSpawn(shared: SharedParts, plan: SessionPlan, parent: ParentSession, open: OpenChild): SpawnChild {
  const { store, config } = shared;
  const { settings } = config;
  const family = { shared, plan, parent };
  const spawn = createSpawn({
    store,
    clock: systemClock,
    patience: { idleMs: settings['delegation.idle_seconds'] * 1000, inToolMs: settings['delegation.tool_idle_seconds'] * 1000 },
    timeoutMs: settings['delegation.child_timeout_seconds'] * 1000,
    begin: async (task) => {
      mustHaveTools(task, family);
      const { model, provider } = parent.route().runtime;
      return store.create({
        source: 'child',
        cwd: plan.cwd,
        model,
        provider,
        title: shortenTitle(task.goal),
        parent: { sessionId: task.parentId, kind: 'child' },
      });
    },
    withheld: (task) => withheldFrom(task, family),
    follow: follower(shared, parent.kind),
    open: async (session, task) => {
      const { route, mcp, reservations } = parent;
      return open(shared, await planOfChild(session, task, family), { route: route(), mcp, reservations });
    },
  });
  return async (task) => {
    const result = await spawn(task);
    shared.memory?.delegated(task.parentId, task.goal, result.summary);
    return result;
  };
}

interface ChildOrigin {
  readonly shared: SharedParts;
  readonly plan: SessionPlan;
  readonly parent: ParentSession;
}

/** What the owner allowed for a whole run is allowed to its children; a new answer cannot be had. */
async function planOfChild(session: Session, task: ChildTask, { shared, plan, parent }: ChildOrigin): Promise<SessionPlan> {
  const { toolsets, maxTurns } = task;
  return {
    platform: plan.platform,
    cwd: session.cwd,
    sessionId: session.id,
    terminalTask: plan.terminalTask,
    epoch: findCurrentEpoch(await shared.store.entries(session.id)),
    contextFiles: plan.contextFiles,
    ports: portsOfChild(plan.ports),
    child: { depth: task.depth, within: parent.tools },
    notice: plan.notice,
    ...(plan.received !== undefined && { received: plan.received }),
    ...(plan.prompt === false && { prompt: false }),
    ...(plan.memory === false && { memory: false }),
    ...(plan.forGuests === true && { forGuests: true }),
    ...(plan.person !== undefined && { person: plan.person }),
    parent: { sessionId: task.parentId, kind: 'child' },
    ...(plan.sampling !== undefined && { sampling: plan.sampling }),
    ...(plan.unaided === true && { unaided: true }),
    ...(plan.allowance !== undefined && { allowance: plan.allowance }),
    ...(plan.allowAll !== undefined && { allowAll: plan.allowAll }),
    ...(plan.trusts !== undefined && { trusts: plan.trusts }),
    ...(toolsets !== undefined && toolsets.length > 0 && { toolsets }),
    ...(maxTurns !== undefined && { maxSteps: maxTurns }),
  };
}

/** The tools of the toolsets a child was to have; a name nobody knows is the parent's mistake, unless it is not asked about. */
const toolsIn = (named: readonly string[], { depth }: ChildTask, { shared: { config, registered }, plan, parent }: ChildOrigin) =>
  chooseTools({
    named,
    ...collectToolChoice(registered, plan.platform),
    platform: plan.platform,
    settings: config.settings,
    child: {
      depth,
      within: parent.tools.filter((name) => name !== 'delegate_task' || depth < config.settings['delegation.max_spawn_depth']),
    },
    more: parent.mcp.toolsets,
  }).tools;

/** Toolsets of which a child gets nothing. `none` is meant to be empty. */
function withheldFrom(task: ChildTask, family: ChildOrigin): readonly string[] {
  const gives = (name: string): boolean => {
    try {
      return toolsIn([name], task, family).length > 0;
    } catch {
      // Known when the child was begun, and gone since.
      return false;
    }
  };
  return (task.toolsets ?? []).filter((name) => name !== 'none' && !gives(name));
}

/** A child that was to have tools and has none would only say that it did the work. */
function mustHaveTools(task: ChildTask, family: ChildOrigin): void {
  const { toolsets = [] } = task;
  if (toolsets.length === 0 || toolsIn(toolsets, task, family).length > 0) return;
  const withheld = withheldFrom(task, family);
  if (withheld.length > 0)
    throw new Error(
      `It was not started: a child of this session gets no tools from ${withheld.join(', ')}. Name other toolsets, or omit them to give it everything a child may have.`,
    );
}

/** What calls changed is looked up when a child is through, and what cannot be looked up costs the report no more than that. */
const follower =
  ({ home, config: { settings } }: SharedParts, kind: string): SpawnDeps['follow'] =>
  async (session, work) => {
    try {
      return (await import('./child-files.ts')).collectArtefacts({ home, settings, kind }, session, work);
    } catch {
      return toFileToolArtefacts(work.files);
    }
  };

/** A child may ask models; it may not ask people or speak to them. */
const portsOfChild = ({ complete, see }: Ports): Ports => ({
  ...(complete !== undefined && { complete }),
  ...(see !== undefined && { see }),
});
