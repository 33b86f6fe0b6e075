import { systemClock } from '../base/clock.ts';
import { byFileTools } from '../agent/delegate/artefacts.ts';
import { spawner, type ChildAgent, type Nursery } from '../agent/delegate/spawn.ts';
import { currentEpoch } from '../agent/request.ts';
import type { ChildTask, Ports, Spawn } from '../contracts/ports.ts';
import type { Session } from '../contracts/session-store.ts';
import type { Assembly, Assembled } from './assemble.ts';
import { chooseTools } from './toolsets.ts';

/** What children have of the session they work for: at most its tools, and the kind of place it works in. */
export interface Parent {
  readonly tools: readonly string[];
  readonly kind: string;
}

/** Children of a session: the same home, route and rules, a conversation and a terminal of their own, nobody to ask. */
export function openSpawn(parts: Assembly, { tools, kind }: Parent, assemble: (parts: Assembly) => Promise<Assembled>): Spawn {
  const { store, config, runtime, cwd } = parts;
  const { settings } = config;
  const open = async (session: Session, task: ChildTask): Promise<ChildAgent> => {
    const kept = currentEpoch(await store.entries(session.id));
    const { agent, terminal } = await assemble({
      ...parts,
      cwd: session.cwd,
      kept,
      ports: portsOfChild(parts.ports),
      flags: childFlags(parts, task),
      child: { depth: task.depth, within: tools },
    });
    return {
      agent,
      [Symbol.asyncDispose]: async () => {
        agent.close();
        await terminal[Symbol.asyncDispose]();
      },
    };
  };
  return spawner({
    store,
    clock: systemClock,
    patience: { idleMs: settings['delegation.idle_seconds'] * 1000, inToolMs: settings['delegation.tool_idle_seconds'] * 1000 },
    timeoutMs: settings['delegation.child_timeout_seconds'] * 1000,
    begin: async (task) => {
      mustHaveTools(task, parts, tools);
      return store.create({
        source: 'child',
        cwd,
        model: runtime.model,
        provider: runtime.provider,
        title: task.goal.replace(/\s+/g, ' ').trim().slice(0, TITLE).trim().toWellFormed(),
        parent: { sessionId: task.parentId, kind: 'child' },
      });
    },
    withheld: (task) => withheldFrom(task, parts, tools),
    follow: follower(parts, kind),
    open,
  });
}
const TITLE = 48;

/** The tools of the toolsets a child was to have; a name nobody knows is the parent's mistake, unless it is not asked about. */
const toolsIn = (named: readonly string[], { depth }: ChildTask, { config, platform = 'cli', mcp }: Assembly, within: readonly string[]) =>
  chooseTools({
    named: named.join(','),
    platform,
    settings: config.settings,
    child: { depth, within: within.filter((name) => name !== 'delegate_task' || depth < config.settings['delegation.max_spawn_depth']) },
    ...(mcp !== undefined && { more: mcp.toolsets }),
  }).tools;

/** Toolsets of which a child gets nothing. `none` is meant to be empty. */
function withheldFrom(task: ChildTask, parts: Assembly, within: readonly string[]): readonly string[] {
  const gives = (name: string): boolean => {
    try {
      return toolsIn([name], task, parts, within).length > 0;
    } catch {
      // Known when the child was begun, and gone since.
      return false;
    }
  };
  return (task.toolsets ?? []).filter((name) => name !== 'none' && !gives(name));
}

/** A child that was to have tools and has none would only say that it did the work. */
function mustHaveTools(task: ChildTask, parts: Assembly, within: readonly string[]): void {
  const { toolsets = [] } = task;
  if (toolsets.length === 0 || toolsIn(toolsets, task, parts, within).length > 0) return;
  const withheld = withheldFrom(task, parts, within);
  if (withheld.length > 0)
    throw new Error(
      `It was not started: of ${withheld.join(', ')} a child of this session can have no tool, and nothing else was named. Name other toolsets, or leave them out: then it has all a child may have.`,
    );
}

/** What calls changed is looked up when a child is through, and what cannot be looked up costs the report no more than that. */
const follower =
  ({ home, config: { settings } }: Assembly, kind: string): Nursery['follow'] =>
  async (session, work) => {
    try {
      return (await import('./follow.ts')).follow({ home, settings, kind }, session, work);
    } catch {
      return byFileTools(work.files);
    }
  };

/** A child may ask models; it may not ask people or speak to them. */
const portsOfChild = ({ complete, see }: Ports): Ports => ({
  ...(complete !== undefined && { complete }),
  ...(see !== undefined && { see }),
});

/** What the owner allowed for a whole run is allowed to its children; a new answer cannot be had. */
const childFlags = ({ flags }: Assembly, { toolsets, maxTurns }: ChildTask): Assembly['flags'] => ({
  ...(flags.yolo === true && { yolo: true }),
  ...(flags.ignoreRules === true && { ignoreRules: true }),
  ...(toolsets !== undefined && toolsets.length > 0 && { toolsets: toolsets.join(',') }),
  ...(maxTurns !== undefined && { maxTurns }),
});
