import { withPathLocks } from '../../base/path-lock.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import { toSentencePart } from '../../base/text.ts';
import type { ContextEngine } from '../../contracts/context-engine.ts';
import type { ReadOutgoingFile } from '../../contracts/outgoing-file.ts';
import type { ToolHooks } from '../../contracts/hooks.ts';
import type { ToolMessage } from '../../contracts/message.ts';
import type { Ports } from '../../contracts/ports.ts';
import type { RegistrySnapshot, ToolSessionContext } from '../../contracts/registries.ts';
import { findVisibleProject, type Terminal, type VisibleProject } from '../../contracts/terminal.ts';
import type { AnyTool, Toolkit } from '../../contracts/tool.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import type { SessionMemory } from '../../parts/memory/session-memory.ts';
import type { HintTracker } from '../../parts/prompt/hints/tracker.ts';
import { openUndo, removeToTrash } from '../../parts/safety/checkpoints/lazy-undo.ts';
import { createSessionProvenance } from '../../parts/safety/provenance/session-provenance.ts';
import { listAbsentTools } from '../../parts/tools/absent-tools.ts';
import type { ToolTableLimits } from '../../parts/tools/bridge/table.ts';
import { spillTo } from '../../parts/tools/budget.ts';
import { createBuiltinTools, createScriptTool, type BuiltinOptions } from '../../parts/tools/builtin/all.ts';
import { withGuard } from '../../parts/tools/builtin/files/guard-check.ts';
import { guardFiles, type FileGuard } from '../../parts/tools/builtin/files/guarded.ts';
import { chooseTools, type ChosenTools } from '../../parts/tools/choose-tools.ts';
import { createCallExpectation } from '../../parts/tools/expect-calls.ts';
import { createToolkit, isAvailable } from '../../parts/tools/toolkit.ts';
import type { ToolkitOptions } from '../../parts/tools/options.ts';
import { CORE_TOOLS } from '../../parts/tools/toolsets.ts';
import type { Settings } from '../config/config.ts';
import { openSessionApprover } from './approval.ts';
import type { CommandServices } from './command-services.ts';
import type { HomeParts } from './home-parts.ts';
import { openNetworkTools } from './network-tools.ts';
import { createPersistentTools } from './persistent-tools.ts';
import { collectToolChoice } from './registries.ts';
import type { JudgeRead } from './read-checks.ts';
import type { SessionPlan } from './home-parts.ts';

/** What the tools of one session need besides its plan. */
export interface SessionToolingOptions {
  /** What `chooseSessionTools` gives; asked when left out. */
  readonly chosen?: ChosenTools;
  readonly terminal: Terminal;
  readonly ports: Ports;
  /** Tools of servers the owner set up. */
  readonly mcp?: Pick<Mcp, 'tools' | 'toolsets'> & Partial<Pick<Mcp, 'withheld'>>;
  /** Its tools are part of every toolkit. */
  readonly engine?: Pick<ContextEngine, 'tools'>;
  /** Its tools come with the toolset `memory`. */
  readonly memory?: Pick<SessionMemory, 'tools'>;
  /** Stored tool results of a session, oldest first. */
  readonly recall?: (sessionId: string) => Promise<readonly ToolMessage[]>;
  /** What plugins hung around every call. */
  readonly hooks?: ToolHooks;
  /** Tokens the model of the moment can see at once: a small window leaves less room for results. */
  readonly window?: () => number;
}
/** A toolkit, and what its tools hold open. */
export interface SessionTooling extends AsyncDisposable {
  readonly toolkit: Toolkit;
  /** Reads files of the session's terminal that an answer sends along. */
  readonly readFile: ReadOutgoingFile;
}

/** The tools a session will have, known before any of them is made. */
export const chooseSessionTools = (
  { config, registered }: Pick<HomeParts, 'config' | 'registered'>,
  { toolsets, epoch, platform, child }: Pick<SessionPlan, 'toolsets' | 'epoch' | 'platform' | 'child'>,
  mcp: SessionToolingOptions['mcp'],
): ChosenTools =>
  chooseTools({
    named: toolsets,
    kept: epoch,
    platform,
    settings: config.settings,
    ...collectToolChoice(registered, platform),
    ...(mcp !== undefined && { more: mcp.toolsets }),
    ...(child !== undefined && { child }),
  });

/** The tools of this session: those that were asked for, else those it began with, else the settings'. */
export async function openTooling(parts: HomeParts, plan: SessionPlan, options: SessionToolingOptions): Promise<SessionTooling> {
  const { home, config, env, secrets } = parts;
  const { terminal, mcp } = options;
  const { chosen = chooseSessionTools(parts, plan, mcp) } = options;
  const guard = guardFiles(home.root);
  const reads = lazy(() => openReadChecks(parts, plan, terminal, guard));
  const outgoing = lazy(async () => {
    const { createOutgoingFiles } = await import('./outgoing-files.ts');
    const places = { profile: home.root, cwd: plan.cwd };
    return createOutgoingFiles({ terminal, guard, judge: reads, ...places, ...(secrets !== undefined && { secrets }) });
  });
  const readFile: ReadOutgoingFile = async (path, limits) => (await outgoing())(path, limits);
  const ports = withFiles(options.ports, readFile);
  const network = openNetworkTools(config.settings, {
    terminal,
    ports,
    profile: home.root,
    env,
    guard,
    notice: plan.notice,
    ...(secrets !== undefined && { secrets }),
  });
  const commands = lazy(async () => (await import('./command-services.ts')).openCommandServices(parts, plan.cwd, terminal));
  const warm = async () => (await import('./warm-up.ts')).warmUp(commands, plan.cwd, terminal);
  const builtin: BuiltinOptions = {
    terminal,
    ports,
    guard,
    commands,
    reads,
    spill: home.spill,
    ...(options.window !== undefined && { window: options.window }),
    depth: plan.child?.depth ?? 0,
    more: [
      ...network.tools,
      ...createPersistentTools(parts, () => ({ ...(toolkit.callable ?? chosen), platform: plan.platform }), {
        sessionId: plan.sessionId,
        platform: plan.platform,
      }),
    ],
    ...(secrets !== undefined && { secrets }),
    ...(options.recall !== undefined && { recall: options.recall }),
    ...removeIn(parts, terminal),
  };
  const toolkit: Toolkit = await createToolkit({
    ...(await stockOf(parts, plan, { ...options, ports }, chosen, builtin)),
    toolsets: chosen.toolsets,
    get sets() {
      return chosen.sets;
    },
    terminal,
    ports,
    lockPaths: withPathLocks,
    ...gatesOf(parts, plan, options, commands, guard),
    ...(chosen.tools.includes('terminal') && { expectCalls: createCallExpectation(terminal, warm) }),
    judgeRead: async (path) => (await reads())(path),
  });
  return { toolkit, readFile, [Symbol.asyncDispose]: () => network[Symbol.asyncDispose]() };
}

/** What is sent to a chat may bring files of the place where commands run. */
const withFiles = (ports: Ports, readFile: ReadOutgoingFile): Ports => {
  const { deliver } = ports;
  return deliver === undefined ? ports : { ...ports, deliver: (ask, signal) => deliver({ ...ask, readFile }, signal) };
};

/** The judge of what tools read, loaded with the first of them. */
async function openReadChecks({ home }: HomeParts, { cwd }: SessionPlan, { kind, files }: Terminal, guard: FileGuard): Promise<JudgeRead> {
  const { judgeReads } = await import('./read-checks.ts');
  return judgeReads({ judging: { kind, workspace: cwd, profile: home.root }, home: files.home, guard });
}

/** How tools take a file away so that its owner can have it back, where that can be done. */
function removeIn({ home, config }: HomeParts, terminal: Terminal): Pick<BuiltinOptions, 'remove'> {
  const remove = removeToTrash(home, config.settings, terminal);
  return remove === undefined ? {} : { remove };
}

/** Whoever has the built-in memory has the tools of a provider. */
const MEMORY_TOOL = 'memory';

type AvailableTools = Pick<ToolkitOptions, 'tools' | 'present' | 'absent'>;

/** Those of the host by name, those of servers, and those of the context engine, which belong to every session that has tools at all. */
async function stockOf(
  { home, config, registered }: HomeParts,
  { child, platform, cwd, notice, epoch }: SessionPlan,
  { mcp, engine, memory, terminal, ports }: SessionToolingOptions,
  { tools: names }: ChosenTools,
  builtin: BuiltinOptions,
): Promise<AvailableTools> {
  if (names.length === 0) return { tools: [] };
  const { settings } = config;
  const ours = createBuiltinTools(settings, builtin);
  const { tools: opened, broken } = openEntries(registered.tools, names, { home, settings, platform, cwd, terminal, ports, notice }, ours);
  const known = new Map([...(mcp?.tools.map((tool) => [tool.name, tool] as const) ?? []), ...opened]);
  const chosen = names.flatMap((name) => known.get(name) ?? []);
  const present = await presentNames(chosen);
  const script = createScriptTool(settings, builtin, present);
  // A session that can do nothing is like one that was to have no tools: it is not told to use any.
  const idle = present.length === 0 && epoch === undefined;
  if (idle) notice(describeIdleTools(chosen));
  const isTaken = (name: string): boolean => known.has(name) || registered.tools.has(name);
  const remembering = idle || child !== undefined || !names.includes(MEMORY_TOOL) ? [] : (memory?.tools(isTaken) ?? []);
  return {
    tools: [
      ...chosen.map((tool) => (tool.name === script.name ? script : tool)),
      ...(idle ? [] : (engine?.tools?.() ?? [])),
      ...remembering,
    ],
    present: new Set([...present, ...remembering.map(({ name }) => name)]),
    absent: () =>
      new Map([
        ...listAbsentTools([...known.keys(), ...registered.tools.keys()], {
          settings,
          chosen: names,
          more: mcp?.toolsets,
          sets: collectToolChoice(registered, platform).sets,
          withheld: mcp?.withheld,
          child,
        }),
        ...broken,
      ]),
  };
}

/** Tools of a host for one session, those of these names. One that cannot be made is left out, with the reason, and the owner is told. */
export function openEntries(
  entries: RegistrySnapshot['tools'],
  names: readonly string[],
  session: Omit<ToolSessionContext, 'builtin'>,
  ours: ReadonlyMap<string, AnyTool>,
): { readonly tools: ReadonlyMap<string, AnyTool>; readonly broken: ReadonlyMap<string, string> } {
  const given: ToolSessionContext = { ...session, builtin: (name) => ours.get(name) };
  const [tools, broken] = [new Map<string, AnyTool>(), new Map<string, string>()];
  for (const name of names) {
    try {
      const tool = entries.get(name)?.open(given);
      if (tool !== undefined) tools.set(name, tool);
    } catch (error) {
      broken.set(name, `it could not be opened: ${toErrorMessage(error)}`);
      session.notice(`The tool ${name} could not be opened, so this session does not have it: ${toErrorMessage(error)}`);
    }
  }
  return { tools, broken };
}

const describeIdleTools = (tools: readonly AnyTool[]): string =>
  `This session has no tools: none of those that were asked for can be used here. ${tools
    .map(({ name, needs = 'something that is not set up here' }) => `${name} needs ${toSentencePart(needs)}.`)
    .join(' ')}`.trim();

/** A script is told of the tools it can call, not of those that are missing something. */
async function presentNames(tools: readonly AnyTool[]): Promise<readonly string[]> {
  return (await Promise.all(tools.map(async (tool) => ((await isAvailable(tool)) ? [tool.name] : [])))).flat();
}

type ToolkitChecks = Omit<ToolkitOptions, 'tools' | 'absent' | 'toolsets' | 'terminal' | 'ports'>;

/** What stands before and behind every call of this session. */
function gatesOf(
  parts: HomeParts,
  plan: SessionPlan,
  { terminal, ports, hooks, recall, window }: SessionToolingOptions,
  commands: () => Promise<CommandServices>,
  guard: FileGuard,
): ToolkitChecks {
  const { home, config, secrets } = parts;
  const project = findVisibleProject(plan.cwd, terminal.place);
  const undo = openUndo({ home, settings: config.settings, kind: terminal.kind, ...(secrets !== undefined && { secrets }) });
  return {
    advertised: plan.epoch?.tools.map((tool) => tool.name) ?? [],
    approval: openSessionApprover(parts, plan, ports),
    spill: spillTo(home.spill, config.settings, window),
    room: toToolTableLimits(config.settings),
    findHost: async (url) =>
      (await import('../../parts/terminals/network/known-hosts.ts')).findKnownHost(url, {
        allowed: config.settings['terminal.allowed_hosts'],
        denied: config.settings['terminal.denied_hosts'],
      }),
    provenance: createSessionProvenance(home.root, terminal.kind, plan.cwd),
    judgeWrite: withGuard(
      async (path, at) => (await commands()).judgeWrite(path, at),
      () => ({ guard, kind: terminal.kind, home: terminal.files.home }),
    ),
    ...(secrets !== undefined && { secrets }),
    ...(hooks !== undefined && { hooks }),
    ...(undo !== undefined && { undo }),
    ...(project !== undefined && plan.contextFiles && plan.epoch?.contextFiles !== false && { hints: hintsFor(parts, project, recall) }),
  };
}

/** Rules of the folders a call touches for the first time. The tracker is made with the first call: many turns have none. */
function hintsFor(
  { safety }: HomeParts,
  { folder, seenAs }: VisibleProject,
  recall: SessionToolingOptions['recall'],
): NonNullable<ToolkitOptions['hints']> {
  let made: HintTracker | undefined;
  const tracker = lazy(async (): Promise<HintTracker> => {
    const { createHintTracker } = await import('../../parts/prompt/hints/tracker.ts');
    return (made = createHintTracker({
      root: folder,
      admit: () => safety.admit(),
      ...(seenAs !== folder && { seenAs }),
      ...(recall !== undefined && { recall }),
    }));
  });
  return { after: async (call) => (await tracker()).after(call), forget: (sessionId) => made?.forget(sessionId) };
}

/** How much of the first request the tool table may take. */
export const toToolTableLimits = (settings: Settings): ToolTableLimits => ({
  search: settings['tools.tool_search.enabled'],
  maxBytes: settings['tools.tool_search.max_table_bytes'],
  core: CORE_TOOLS,
  listing: settings['tools.tool_search.listing_max_chars'],
  hits: { usual: settings['tools.tool_search.search_default_limit'], most: settings['tools.tool_search.max_search_limit'] },
});
