import { hostname } from 'node:os';
import { resolveHome, type Home } from '../../src/base/home.ts';
import { createAgent, type Agent } from '../../src/agent/agent.ts';
import { RECOVERIES } from '../../src/agent/recoveries/table.ts';
import { findCurrentEpoch } from '../../src/agent/request.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { openPrompt } from '../../src/app/host/prompt.ts';
import { openHomeParts } from '../../src/app/tools/home-parts.ts';
import { toolingOf } from '../app/tooling.ts';
import type { Clock } from '../../src/base/clock.ts';
import { isMessageEntry, dropRewound, type Entry } from '../../src/contracts/entry.ts';
import type { Provider } from '../../src/contracts/provider.ts';
import type { Routes } from '../../src/contracts/routes.ts';
import type { Runtime } from '../../src/contracts/runtime.ts';
import type { SessionStore } from '../../src/contracts/session-store.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { openSqliteStore } from '../../src/parts/store/sqlite/store.ts';

/** What one process is started with. */
export interface Start {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly flags: { readonly yolo: boolean; readonly ignoreRules: boolean; readonly toolsets?: string };
  readonly sessionId?: string;
  readonly runtime: Runtime;
  readonly routes: Routes;
  readonly clock: Clock;
  /** `log` is the session's as its writer has it. */
  provider(log: () => readonly Entry[]): Provider;
}

/** A process in miniature: the opened home, its store and an agent made as `assemble` makes one, but for the model and the clock. */
export interface Life extends AsyncDisposable {
  readonly agent: Agent;
  readonly store: SessionStore;
  /** Settled when the process is to die. */
  readonly over: PromiseWithResolvers<'dead'>;
  readonly stop: AbortController;
}

/** A claim of a process that is not there any more falls at once, as after a kill. */
const NOBODY = { host: hostname(), pid: 2 ** 30, started: 'long ago' };

export const openStoreOf = (home: string, clock: Clock): Promise<SessionStore> =>
  openSqliteStore({ path: resolveHome({ HERMES_HOME: home }).store, durability: 'process', holder: NOBODY, now: () => clock.now() });

export async function openLife(start: Start): Promise<Life> {
  const home = resolveHome({ HERMES_HOME: start.home });
  const { store, log } = followed(await openStoreOf(start.home, start.clock));
  const { agent, terminal } = await assembled(start, home, store, log);
  return {
    agent,
    store,
    over: Promise.withResolvers(),
    stop: new AbortController(),
    [Symbol.asyncDispose]: async () => {
      await terminal[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** A store that remembers the log of the session it writes, so that nobody has to read it again for each request. */
function followed(store: SessionStore): { readonly store: SessionStore; readonly log: () => readonly Entry[] } {
  const logs = new Map<string, readonly Entry[]>();
  let written = '';
  return {
    store: {
      ...store,
      claim: (sessionId) => store.claim((written = sessionId)),
      entries: async (sessionId, afterSeq) => {
        const entries = await store.entries(sessionId, afterSeq);
        if (afterSeq === undefined) logs.set(sessionId, entries);
        return entries;
      },
      commit: async (claim, change) => {
        const added = await store.commit(claim, change);
        logs.set(claim.sessionId, [...(logs.get(claim.sessionId) ?? []), ...added]);
        return added;
      },
    },
    log: () => logs.get(written) ?? [],
  };
}

async function assembled(start: Start, home: Home, store: SessionStore, log: () => readonly Entry[]) {
  const { flags, cwd, runtime, sessionId } = start;
  const env = { PATH: process.env['PATH'] ?? '', ...start.env };
  const config = await loadConfig(home.config, env, () => {});
  const kept = sessionId === undefined ? undefined : findCurrentEpoch(await store.entries(sessionId));
  const contextFiles = !flags.ignoreRules;
  const parts = openHomeParts({ home, env, config, store, notice: () => {} });
  const recall = async (id: string) =>
    dropRewound(await store.entries(id))
      .filter(isMessageEntry)
      .flatMap(({ message }) => (message.role === 'tool' ? [message] : []));
  const { toolkit, terminal } = await toolingOf({
    home,
    env,
    config,
    store,
    cwd,
    kept,
    contextFiles,
    recall,
    window: () => runtime.limits.window,
    ...(flags.yolo && { allowAll: '--yolo' }),
    ...(flags.toolsets !== undefined && { toolsets: flags.toolsets.split(',') }),
  });
  const deps = {
    provider: start.provider(log),
    routes: start.routes,
    price: () => undefined,
    toolkit,
    settings: config.settings,
    prompt: openPrompt(parts),
    contextFiles,
    context: windowEngine,
    recoveries: RECOVERIES,
    clock: start.clock,
    random: () => 0.5,
  };
  return { agent: createAgent(store, deps, runtime), terminal };
}
