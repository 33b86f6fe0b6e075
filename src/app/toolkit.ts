import { homedir } from 'node:os';
import type { Home } from '../base/home.ts';
import { lazy } from '../base/lazy.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import type { ToolHooks } from '../contracts/hooks.ts';
import type { MemoryProvider } from '../contracts/memory.ts';
import type { Ports, Spawn } from '../contracts/ports.ts';
import type { PromptEpoch } from '../contracts/prompt.ts';
import type { Provenance } from '../contracts/safety.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import type { SkillCatalog } from '../contracts/skills.ts';
import type { Terminal } from '../contracts/terminal.ts';
import type { AnyTool, Toolkit } from '../contracts/tool.ts';
import type { ChatFlags } from '../faces/cli/verbs.ts';
import type { Roots } from '../parts/safety/provenance/places.ts';
import type { HintTracker } from '../parts/prompt/hints/tracker.ts';
import type { Mcp } from '../parts/mcp/open.ts';
import { roomFor, spillTo } from '../parts/tools/budget.ts';
import type { TableRoom } from '../parts/tools/bridge/table.ts';
import { createToolkit, isAvailable, type ToolkitOptions } from '../parts/tools/toolkit.ts';
import { guardFiles } from '../parts/tools/builtin/files/guarded.ts';
import { CORE_TOOLS } from '../parts/tools/toolsets.ts';
import { approvalFor } from './approval.ts';
import { builtinTools, type ToolScene } from './builtins.ts';
import type { Config, Env } from './config.ts';
import { lastingPlaces, type LastingPlaces } from './lasting-tools.ts';
import { openSafety, type Safety } from './safety.ts';
import type { Settings } from './settings.ts';
import type { Childhood } from './childhood.ts';
import { openOutwardTools } from './outward-tools.ts';
import { storeNotice } from './store.ts';
import { openTerminal } from './terminal.ts';
import { chooseTools, type ChosenTools } from './toolsets.ts';
import { openUndo, removeToTrash } from './undo.ts';

export interface ToolkitQuestion {
  readonly flags: Pick<ChatFlags, 'toolsets' | 'yolo' | 'ignoreRules'>;
  readonly home: Home;
  readonly config: Config;
  readonly env: Env;
  readonly cwd: string;
  readonly kept: PromptEpoch | undefined;
  /** Stored tool results of a session, oldest first. */
  readonly recall?: ToolScene['recall'];
  /** Shared with the prompt of the same run where there is one. */
  readonly safety?: Safety;
  readonly skills?: SkillCatalog;
  readonly provider?: MemoryProvider;
  /** The log of earlier sessions; absent where no store is open. */
  readonly store?: LastingPlaces['store'];
  /** What must not reach the model; absent where nothing runs. */
  readonly secrets?: Secrets;
  /** Its tools are part of every toolkit. */
  readonly engine?: Pick<ContextEngine, 'tools'>;
  /** Where the session is held. */
  readonly platform?: string;
  /** What the face can do for tools; absent when nobody is there. */
  readonly ports?: Ports;
  /** Tools of servers the owner set up. */
  readonly mcp?: Pick<Mcp, 'tools' | 'toolsets'>;
  /** Leaves a text for a session; absent where no store is open. */
  readonly post?: SessionStore['post'];
  /** What plugins hung around every call. */
  readonly hooks?: ToolHooks;
  /** Makes children for a session that has these tools; absent where there is no agent. */
  readonly spawn?: (tools: readonly string[]) => Spawn;
  /** Set for an agent that works for another. */
  readonly child?: Childhood;
  /** Tokens the model can see at once: a small window leaves less room for results. */
  readonly window?: number;
}

/** The tools of this run: those of the flag, else those the session began with, else the settings'. */
export async function openToolkit(question: ToolkitQuestion): Promise<{ readonly toolkit: Toolkit; readonly terminal: Terminal }> {
  const { flags, home, config, env, kept, engine, secrets, platform = 'cli', child, spawn, mcp = NO_SERVERS, window = Infinity } = question;
  const { tools, toolsets } = chooseTools({
    named: flags.toolsets,
    kept,
    platform,
    settings: config.settings,
    more: mcp.toolsets,
    ...(child && { child }),
  });
  const remote = new Map(mcp.tools.map((tool) => [tool.name, tool]));
  const ports: Ports = { ...question.ports, ...(spawn !== undefined && { spawn: spawn(tools) }) };
  const terminal = await terminalOf(question);
  const guard = guardFiles(home.root);
  const outward = openOutwardTools(config.settings, {
    terminal,
    ports,
    profile: home.root,
    env,
    guard,
    ...(secrets !== undefined && { secrets }),
  });
  const bench = lazy(async () => (await import('./workbench.ts')).openWorkbench(question, terminal));
  const scene = { bench, ...toolScene({ ...question, ports }, terminal, { tools, toolsets }), guard, outward: outward.tools };
  const settings = roomy(config.settings, window);
  const all = builtinTools(settings, { ...scene, names: await presentNames(tools, builtinTools(settings, scene)) });
  const toolkit = await createToolkit({
    tools: [...tools.flatMap((name) => all.get(name) ?? remote.get(name) ?? []), ...(tools.length === 0 ? [] : (engine?.tools?.() ?? []))],
    toolsets,
    advertised: kept?.tools.map((tool) => tool.name) ?? [],
    terminal,
    ports,
    approval: approvalFor({ flags, env, home, settings: config.settings, ports }),
    spill: spillTo(home.spill, config.settings, window),
    room: tableRoom(config.settings),
    provenance: lazyProvenance({ user: homedir(), profile: home.root }),
    ...(secrets !== undefined && { secrets }),
    ...(question.hooks !== undefined && { hooks: question.hooks }),
    judgeWrite: async (path, at) => (await bench()).judgeWrite(path, at),
    ...undoOf(question, terminal.kind),
    ...(flags.ignoreRules !== true && kept?.contextFiles !== false && { hints: hintsFor(question) }),
  });
  return { toolkit, terminal: alsoClosing(terminal, outward) };
}

/** A script is told of the tools it can call, not of those that are missing something. */
async function presentNames(names: readonly string[], built: ReadonlyMap<string, AnyTool>): Promise<readonly string[]> {
  const found = names.flatMap((name) => built.get(name) ?? []);
  return (await Promise.all(found.map(async (tool) => ((await isAvailable(tool)) ? [tool.name] : [])))).flat();
}

/** A terminal that takes with it what was opened beside it. */
const alsoClosing = (terminal: Terminal, other: AsyncDisposable): Terminal => ({
  ...terminal,
  get cwd() {
    return terminal.cwd;
  },
  [Symbol.asyncDispose]: async () => {
    await Promise.allSettled([other[Symbol.asyncDispose](), terminal[Symbol.asyncDispose]()]);
  },
});

/** The terminal, once the owner has been told what is worth telling about it. */
async function terminalOf({ home, config, env, cwd, secrets, platform = 'cli' }: ToolkitQuestion): Promise<Terminal> {
  const chosen = config.sources['terminal.backend'] !== undefined;
  const place = { home, settings: config.settings, env, cwd, platform, chosen };
  const { terminal, notices } = await openTerminal({ ...place, ...(secrets !== undefined && { secrets }) });
  for (const words of notices) storeNotice(words);
  return terminal;
}

/** Judging where words come from and go to is loaded with the first call. */
function lazyProvenance(roots: Roots): Provenance {
  const load = lazy(async () => (await import('../parts/safety/provenance/provenance.ts')).provenance(roots));
  return { foreign: async (call) => (await load()).foreign(call), lasting: async (call) => (await load()).lasting(call) };
}

/** Checkpoints around calls, unless the owner wants none. */
function undoOf({ home, config: { settings }, secrets }: ToolkitQuestion, kind: string): Pick<ToolkitOptions, 'undo'> {
  const undo = openUndo({ home, settings, kind, ...(secrets !== undefined && { secrets }) });
  return undo === undefined ? {} : { undo };
}

const NO_SERVERS = { tools: [], toolsets: [] } as const;

/** How much of the first request the tool table may take. */
export const tableRoom = (settings: Settings): TableRoom => ({
  search: settings['tools.tool_search.enabled'],
  maxBytes: settings['tools.tool_search.max_table_bytes'],
  core: CORE_TOOLS,
  listing: settings['tools.tool_search.listing_max_chars'],
  hits: { usual: settings['tools.tool_search.search_default_limit'], most: settings['tools.tool_search.max_search_limit'] },
});

/** What the tools of this run may know and touch. */
function toolScene(question: ToolkitQuestion, terminal: Terminal, chosen: ChosenTools): Omit<ToolScene, 'guard'> {
  const remove = removeToTrash(question.home, question.config.settings, terminal.kind);
  const { home, platform = 'cli', ports = {}, recall, child } = question;
  return {
    terminal,
    ports,
    spill: home.spill,
    depth: child?.depth ?? 0,
    ...(question.secrets !== undefined && { secrets: question.secrets }),
    ...(recall !== undefined && { recall }),
    ...(remove !== undefined && { remove }),
    lasting: lastingPlaces({ ...question, scene: () => ({ ...chosen, platform }) }),
  };
}

/** Rules of the folders a call touches for the first time. The tracker is made with the first call: many turns have none. */
function hintsFor({ cwd, home, safety = openSafety(home), recall }: ToolkitQuestion): NonNullable<ToolkitOptions['hints']> {
  let tracker: Promise<HintTracker> | undefined;
  const open = async (): Promise<HintTracker> => {
    const { hintTracker } = await import('../parts/prompt/hints/tracker.ts');
    return hintTracker({ root: cwd, admit: () => safety.admit(), ...(recall !== undefined && { recall }) });
  };
  return async (call) => (await (tracker ??= open())).after(call);
}

/** What is read into a small window would only be spilled again: reading has the same bound as a result. */
const roomy = (settings: Config['settings'], window: number): Config['settings'] => ({
  ...settings,
  file_read_max_chars: roomFor('result', window, settings.file_read_max_chars),
});
