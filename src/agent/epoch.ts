import type { Entry, NewEntry } from '../contracts/entry.ts';
import type { PromptContext } from '../contracts/prompt.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { Session } from '../contracts/session-store.ts';
import type { AgentDeps } from './deps.ts';
import { findCurrentEpoch, findMarkKey } from './request.ts';

/**
 * The stored prompt is kept for the life of the session; only another model, another toolset or the user asks for a new
 * one, and that is an entry of its own. A changed working directory or memory is no reason: the provider's cache would be lost.
 * Another place of work is told beside the next message instead (`place.ts`).
 */
export async function createEpochEntries(
  session: Session,
  entries: readonly Entry[],
  deps: AgentDeps,
  runtime: Runtime,
): Promise<NewEpoch> {
  const epoch = findCurrentEpoch(entries);
  const cause =
    epoch === undefined
      ? 'start'
      : isEpochRequested(entries)
        ? 'rebuilt by the user'
        : describeEpochChange(epoch, runtime, deps.toolkit.toolsets);
  if (cause === undefined) return { entries: [], notices: [] };
  const { definitions, toolsets } = deps.toolkit;
  const { model, provider, baseUrl, protocol } = runtime;
  const context = createPromptContext(session, entries, deps, runtime);
  const { slots, notices } = await deps.prompt.render(context);
  const fresh = {
    slots,
    tools: definitions,
    toolsets,
    model,
    provider,
    route: { baseUrl, protocol },
    markKey: context.markKey,
    ...(deps.place !== undefined && { place: deps.place }),
    ...(!context.contextFiles && { contextFiles: false }),
  };
  return { entries: [{ type: 'epoch', origin: 'system', cause, epoch: fresh }], notices };
}

/** What the sections of a prompt may know of this session now. */
export function createPromptContext(session: Session, entries: readonly Entry[], deps: AgentDeps, runtime: Runtime): PromptContext {
  const { toolkit } = deps;
  return {
    sessionId: session.id,
    markKey: findMarkKey(entries),
    model: runtime.model,
    provider: runtime.provider,
    cwd: deps.cwd ?? session.cwd,
    platform: session.platform,
    ...(toolkit.callable ?? { tools: toolkit.definitions.map((tool) => tool.name), toolsets: toolkit.toolsets }),
    startedAt: session.startedAt,
    contextFiles: deps.contextFiles !== false && findCurrentEpoch(entries)?.contextFiles !== false,
    ...(deps.role !== undefined && { role: deps.role }),
    ...(deps.systemMessage !== undefined && { systemMessage: deps.systemMessage }),
  };
}

/** The entry that begins a new prompt, when one is needed, and what its owner should know of it. */
export interface NewEpoch {
  readonly entries: readonly NewEntry[];
  readonly notices: readonly string[];
}

/** A request for one is met by the next epoch, whatever else brought that about. */
const isEpochRequested = (entries: readonly Entry[]): boolean =>
  entries
    .slice(entries.findLastIndex((entry) => entry.type === 'epoch') + 1)
    .some((entry) => entry.type === 'note' && entry.asks === 'new_prompt');

function describeEpochChange(
  epoch: { readonly model: string; readonly toolsets: readonly string[] },
  runtime: Runtime,
  toolsets: readonly string[],
): string | undefined {
  if (epoch.model !== runtime.model) return 'model changed';
  return epoch.toolsets.join() === toolsets.join() ? undefined : 'toolset changed';
}
