import { systemClock } from '../base/clock.ts';
import { spawner, type ChildAgent } from '../agent/delegate/spawn.ts';
import { currentEpoch } from '../agent/request.ts';
import type { ChildTask, Ports, Spawn } from '../contracts/ports.ts';
import type { Session } from '../contracts/session-store.ts';
import type { Assembly, Assembled } from './assemble.ts';

/** Children of a session: the same home, route and rules, a conversation and a terminal of their own, nobody to ask. */
export function openSpawn(parts: Assembly, tools: readonly string[], assemble: (parts: Assembly) => Promise<Assembled>): Spawn {
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
    begin: ({ parentId, goal }) =>
      store.create({
        source: 'child',
        cwd,
        model: runtime.model,
        provider: runtime.provider,
        title: goal.replace(/\s+/g, ' ').trim().slice(0, TITLE).trim().toWellFormed(),
        parent: { sessionId: parentId, kind: 'child' },
      }),
    open,
  });
}
const TITLE = 48;

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
