import { lazy } from '../base/lazy.ts';
import type { Ports } from '../contracts/ports.ts';
import type { Terminal } from '../contracts/terminal.ts';
import type { AnyTool, Toolkit } from '../contracts/tool.ts';
import type { TableRoom } from '../parts/tools/bridge/table.ts';
import { spillTo } from '../parts/tools/budget.ts';
import { guardFiles, type Guard } from '../parts/tools/builtin/files/guarded.ts';
import { createToolkit, isAvailable, type ToolkitOptions } from '../parts/tools/toolkit.ts';
import { CORE_TOOLS } from '../parts/tools/toolsets.ts';
import { absentTools } from './absent-tools.ts';
import { approvalFor } from './approval.ts';
import { builtinTools, scriptTool, type ToolScene } from './builtins.ts';
import { openOutwardTools } from './outward-tools.ts';
import { withGuard } from './guard-judge.ts';
import type { JudgeRead } from './read-judge.ts';
import type { Settings } from './settings.ts';
import { hintsFor, provenanceOf, roomy, terminalOf, toolScene, undoOf, type ToolkitQuestion } from './tool-scene.ts';
import { chooseTools, type ChosenTools } from './toolsets.ts';
import type { Workbench } from './workbench.ts';

/** The tools of this run: those of the flag, else those the session began with, else the settings'. */
export async function openToolkit(question: ToolkitQuestion): Promise<{ readonly toolkit: Toolkit; readonly terminal: Terminal }> {
  const { home, config, env, secrets } = question;
  const chosen = chosenFor(question);
  const terminal = await terminalOf(question);
  const ports: Ports = { ...question.ports, ...(question.spawn !== undefined && { spawn: question.spawn(chosen.tools, terminal.kind) }) };
  const guard = guardFiles(home.root);
  const kept = secrets === undefined ? {} : { secrets };
  const outward = openOutwardTools(config.settings, { terminal, ports, profile: home.root, env, guard, ...kept });
  const bench = lazy(async () => (await import('./workbench.ts')).openWorkbench(question, terminal));
  const reads = lazy(() => openReads(question, terminal, guard));
  const scene = { bench, reads, ...toolScene({ ...question, ports }, terminal, chosen), guard, outward: outward.tools };
  const toolkit = await createToolkit({
    ...(await stockOf(question, chosen, scene)),
    toolsets: chosen.toolsets,
    terminal,
    ports,
    ...gatesOf({ ...question, ports }, terminal, bench, guard),
    judgeRead: async (path) => (await reads())(path),
  });
  return { toolkit, terminal: alsoClosing(terminal, outward) };
}

/** The judge of what tools read, loaded with the first of them. */
async function openReads({ cwd, home }: ToolkitQuestion, { kind, files }: Terminal, guard: Guard): Promise<JudgeRead> {
  const { judgeReads } = await import('./read-judge.ts');
  return judgeReads({ ground: { kind, workspace: cwd, profile: home.root }, home: files.home, guard });
}

const chosenFor = ({ flags, kept, platform = 'cli', config, mcp, child }: ToolkitQuestion): ChosenTools =>
  chooseTools({
    named: flags.toolsets,
    kept,
    platform,
    settings: config.settings,
    ...(mcp !== undefined && { more: mcp.toolsets }),
    ...(child !== undefined && { child }),
  });

type Stock = Pick<ToolkitOptions, 'tools' | 'absent'>;

/** Ours by name, those of servers, and those of the context engine, which belong to every session that has tools at all. */
async function stockOf(
  { config, mcp, engine, child, window = Infinity }: ToolkitQuestion,
  { tools: names }: ChosenTools,
  scene: ToolScene,
): Promise<Stock> {
  if (names.length === 0) return { tools: [] };
  const settings = roomy(config.settings, window);
  const known = new Map([...(mcp?.tools.map((tool) => [tool.name, tool] as const) ?? []), ...builtinTools(settings, scene)]);
  const chosen = names.flatMap((name) => known.get(name) ?? []);
  const script = scriptTool(settings, scene, await presentNames(chosen));
  return {
    tools: [...chosen.map((tool) => (tool.name === script.name ? script : tool)), ...(engine?.tools?.() ?? [])],
    absent: absentTools(known.keys(), { settings, chosen: names, more: mcp?.toolsets, withheld: mcp?.withheld, child }),
  };
}

/** A script is told of the tools it can call, not of those that are missing something. */
async function presentNames(tools: readonly AnyTool[]): Promise<readonly string[]> {
  return (await Promise.all(tools.map(async (tool) => ((await isAvailable(tool)) ? [tool.name] : [])))).flat();
}

type Gates = Omit<ToolkitOptions, 'tools' | 'absent' | 'toolsets' | 'terminal' | 'ports'>;

/** What stands before and behind every call of this run. */
function gatesOf(question: ToolkitQuestion, terminal: Terminal, bench: () => Promise<Workbench>, guard: Guard): Gates {
  const { flags, home, config, env, kept, ports = {}, secrets, hooks, window = Infinity } = question;
  return {
    advertised: kept?.tools.map((tool) => tool.name) ?? [],
    approval: approvalFor({ flags, env, home, settings: config.settings, ports, ...(secrets !== undefined && { redact: secrets.redact }) }),
    spill: spillTo(home.spill, config.settings, window),
    room: tableRoom(config.settings),
    provenance: provenanceOf(question),
    judgeWrite: withGuard(
      async (path, at) => (await bench()).judgeWrite(path, at),
      () => ({ guard, kind: terminal.kind, home: terminal.files.home }),
    ),
    ...(secrets !== undefined && { secrets }),
    ...(hooks !== undefined && { hooks }),
    ...undoOf(question, terminal.kind),
    ...(flags.ignoreRules !== true && kept?.contextFiles !== false && { hints: hintsFor(question) }),
  };
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

/** How much of the first request the tool table may take. */
export const tableRoom = (settings: Settings): TableRoom => ({
  search: settings['tools.tool_search.enabled'],
  maxBytes: settings['tools.tool_search.max_table_bytes'],
  core: CORE_TOOLS,
  listing: settings['tools.tool_search.listing_max_chars'],
  hits: { usual: settings['tools.tool_search.search_default_limit'], most: settings['tools.tool_search.max_search_limit'] },
});
