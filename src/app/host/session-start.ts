import { existsSync, mkdirSync, statSync } from 'node:fs';
import type { HostedSession } from '../../agent/hosted-session.ts';
import { shortenTitle } from '../../agent/naming.ts';
import { findCurrentEpoch } from '../../agent/request.ts';
import type { BoundedPool, PoolSlot } from '../../base/bounded-pool.ts';
import { UsageError } from '../../base/errors.ts';
import type { NoticeBoard } from '../../base/notice-board.ts';
import { isOwnWorkspace } from '../../base/home.ts';
import type { ModelSelection, Notice, SessionOptions } from '../../contracts/host.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Session } from '../../contracts/session-store.ts';
import { hasLocalFiles } from '../../contracts/terminal.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import type { ModelRoute, SessionPlan, SharedParts } from '../tools/home-parts.ts';
import type { SessionAgent } from './agent.ts';

/** What a session needs of the host it is opened by. */
export interface HostServices {
  /** What all sessions share, with what the registries hold at this moment. */
  readonly shared: () => Promise<SharedParts>;
  readonly secrets: Secrets;
  readonly pool: BoundedPool;
  readonly board: NoticeBoard<Notice>;
  /** The owner's servers, connected for the first session that asks. */
  readonly mcp: (cwd: string) => Promise<Mcp>;
  /** Those that are open, and those that are about to be, so that they can be closed with the host. */
  readonly sessions: Set<AsyncDisposable>;
  readonly opening: Set<Promise<unknown>>;
  /** Aborted when the host is closed: no session is opened from then on. */
  readonly closed: AbortSignal;
}

/** What is known of a session before its agent is opened. */
export interface SessionStart {
  readonly session: Session;
  readonly resumed: boolean;
  /** The prompt it goes on with. */
  readonly epoch: PromptEpoch | undefined;
  readonly route: ModelRoute;
  readonly cwd: string;
  readonly mcp: Mcp;
  /** Servers that are this session's alone, already part of `mcp`; closed with it. */
  readonly ownServers?: AsyncDisposable;
  /** It may cost no more than some others and itself together. */
  readonly hasAllowance: boolean;
  /** What sessions share, as the registries stood when it was opened. */
  readonly shared: SharedParts;
}

/** A session with the slot its agent has in the pool. */
export interface AttachedSession extends HostedSession {
  readonly slot: PoolSlot<SessionAgent>;
  /** Where its calls go from the next turn on. */
  route: ModelRoute;
  setModel(selection: ModelSelection): Promise<Runtime>;
  /** Who has allowed everything above the floor; nobody while it is absent. */
  allowAll: string | undefined;
}

/** A folder that is not there is somebody's mistake, unless it lies elsewhere or was there once: then the nearest above it will do, which is told. */
export function refuseMissingFolder(cwd: string, { session, cwd: named }: SessionOptions, { config }: SharedParts): void {
  const elsewhere = !hasLocalFiles(config.settings['terminal.backend']);
  if (elsewhere || (session !== undefined && named === undefined) || statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true)
    return;
  throw new UsageError(`the working directory ${cwd} does not exist. Create it, or choose another one (cwd, or the setting terminal.cwd).`);
}

/**
 * A folder that Hermes made for a session goes while it is empty and the session is closed. Whoever resumes it, also from another
 * face, finds it again: elsewhere its commands would run where those of others do.
 */
export function restoreWorkspace(cwd: string, { session }: SessionOptions, { home }: SharedParts): void {
  if (session?.cwd !== cwd || !isOwnWorkspace(home.root, cwd)) return;
  try {
    mkdirSync(cwd, { recursive: true, mode: 0o700 });
  } catch {
    // It goes on as with any other folder that is gone.
  }
}

/** A session that goes on: first it is told which of its processes ended while nobody was there. */
export async function prepareResume({ id }: Session, shared: SharedParts): Promise<PromptEpoch | undefined> {
  const { createSurvivors, reportEndedProcesses } = await import('../tools/processes.ts');
  await reportEndedProcesses(id, createSurvivors({ ...shared, processes: shared.store.processes }), (item) => shared.store.post(item));
  return findCurrentEpoch(await shared.store.entries(id));
}

/** Ends what a session left running, and says what goes on. Only a home that has such a process is asked. */
export async function endSessionLeftovers({ id }: Session, shared: SharedParts, openedAt: number): Promise<string | undefined> {
  const { processes } = shared.store;
  if ((await processes.list()).length === 0 && !existsSync(shared.home.processes)) return undefined;
  const [{ endSessionProcesses }, { createSurvivors }] = await Promise.all([
    import('../../parts/tools/builtin/terminal/survivors.ts'),
    import('../tools/processes.ts'),
  ]);
  const outlives = shared.config.settings['terminal.background_outlives'];
  return endSessionProcesses({ sessionId: id, openedAt, outlives }, createSurvivors({ ...shared, processes })).catch(() => undefined);
}

type SessionBeginning = { readonly shared: Pick<SharedParts, 'store'>; readonly secrets: Secrets };

export function beginSession(
  options: SessionOptions,
  { runtime }: ModelRoute,
  cwd: string,
  { shared, secrets }: SessionBeginning,
): Promise<Session> {
  const { model, provider } = runtime;
  const { platform = DEFAULT_PLATFORM, source = platform, title } = options;
  const shown = title === undefined ? '' : shortenTitle(secrets.redact(title));
  return shared.store.create({ platform, source, cwd, model, provider, ...(shown !== '' && { title: shown }) });
}

const DEFAULT_PLATFORM = 'cli';

/** The options with every default filled in; a stored session is held where it was. */
export function createSessionPlan(
  options: SessionOptions,
  session: Session,
  cwd: string,
  notice: (words: string) => void,
): Omit<SessionPlan, 'epoch' | 'shell' | 'allowAll'> {
  const { toolsets, maxSteps, systemMessage, readSecret, sampling, planAnswer, maxCrashes, replyTo, received, allowance } = options;
  return {
    platform: options.platform ?? session.platform,
    cwd,
    sessionId: session.id,
    terminalTask: options.terminalTask ?? session.id,
    contextFiles: options.contextFiles !== false,
    ports: options.ports ?? {},
    notice,
    ...(received !== undefined && { received }),
    ...(toolsets !== undefined && { toolsets }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(options.prompt === false && { prompt: false }),
    ...(options.memory === false && { memory: false }),
    ...(options.forGuests === true && { forGuests: true }),
    ...(options.person !== undefined && { person: options.person }),
    ...(session.parent !== undefined && { parent: session.parent }),
    ...(options.unaided === true && { unaided: true }),
    ...(sampling !== undefined && { sampling }),
    ...(readSecret !== undefined && { readSecret }),
    ...(systemMessage !== undefined && { systemMessage }),
    ...(planAnswer !== undefined && { planAnswer }),
    ...(maxCrashes !== undefined && { maxCrashes }),
    ...(options.holdsOutages === true && { holdsOutages: true as const }),
    ...(allowance !== undefined && { allowance }),
    ...(replyTo !== undefined && { replyTo }),
    ...(options.trusts !== undefined && { trusts: options.trusts }),
  };
}
