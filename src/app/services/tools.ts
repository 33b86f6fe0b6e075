import { toErrorMessage, UsageError } from '../../base/errors.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { resolveHome } from '../../base/home.ts';
import type { ToolChoice, ToolService, ToolsetLine } from '../../contracts/services/tools.ts';
import type { AnyTool, Toolset } from '../../contracts/tool.ts';
import { localTerminal } from '../../parts/terminals/local/local.ts';
import { guardFiles } from '../../parts/tools/builtin/files/guarded.ts';
import { expand } from '../../parts/tools/toolsets.ts';
import { createBuiltinTools } from '../../parts/tools/builtin/all.ts';
import { collectSettingFields, loadConfig } from '../config/config.ts';
import { collectToolChoice } from '../tools/registries.ts';
import { openEntries } from '../tools/toolkit.ts';
import { openEngine } from '../../parts/context/open.ts';
import { refuseUnknownPlatform } from '../../parts/prompt/known-platform.ts';
import { createPersistentTools } from '../tools/persistent-tools.ts';
import { openHomeParts } from '../tools/home-parts.ts';
import { openKnownMcpTools } from '../host/mcp.ts';
import { NO_STORE } from '../../parts/store/no-store.ts';
import { openNetworkTools } from '../tools/network-tools.ts';
import { refuseInPreview } from '../host/preview.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { makeHome } from '../host/store.ts';
import { withDisabled, withEnabled } from '../../parts/tools/switched-tools.ts';
import { isChat, toToolLine } from '../../parts/tools/tool-lines.ts';
import { chooseTools, mergeToolsets, describeUnknownToolset, type ChosenTools } from '../../parts/tools/choose-tools.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';

export const createToolService = (options: ServiceOptions): ToolService => ({
  list: async (choice) => {
    await using here = await openToolSurvey(options);
    const { known, mcp } = here;
    const chosen = chosenNames(choice, here);
    const shown = known.filter(({ name }) => (choice.toolsets === undefined ? !isChat(name) : chosen.toolsets.includes(name)));
    const session = nextSession(choice, here);
    return { session, tools: await linesOf(chosen.tools, session, here), toolsets: shown.map((set) => setLine(set, known, mcp.toolsets)) };
  },
  switch: async (names, on) => {
    makeHome(resolveHome(options.processEnv));
    await using here = await openToolSurvey(options);
    const { home, known, registered } = here;
    refuseStrangers(names, here);
    const { changeList, isSameList } = await import('../../parts/config/setting-lists.ts');
    const turned = on ? withEnabled : withDisabled;
    const { before, after } = await changeList(collectSettingFields(registered), home.config, 'agent.disabled_toolsets', (off) =>
      turned(off, names, known),
    );
    const idle = names.filter((name) => isSameList(before, turned(before, [name], known)));
    return { idle, changed: !isSameList(before, after), off: after };
  },
});

/** The settings, and every toolset there is. */
async function openToolSurvey({ processEnv, notice, registered }: ServiceOptions) {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const config = await loadConfig(home.config, env, notice, registered);
  const { settings } = config;
  const mcp = await openKnownMcpTools({ home, env, settings, notice });
  const known = mergeToolsets(settings, mcp.toolsets, collectToolChoice(registered, 'cli').sets);
  return { home, env, config, settings, mcp, known, notice, registered, [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose]() };
}
type ToolSurvey = Awaited<ReturnType<typeof openToolSurvey>>;

/** All there are, those of a choice, or those of a platform. */
function chosenNames({ platform, toolsets: wanted }: ToolChoice, { settings, known, mcp, registered }: ToolSurvey) {
  if (platform !== undefined) refuseUnknownPlatform(platform, registered.platforms, Object.keys(settings.platform_toolsets));
  if (platform !== undefined && wanted === undefined)
    return chooseTools({ platform, settings, more: mcp.toolsets, ...collectToolChoice(registered, platform) });
  const toolsets = wanted === undefined ? ['all'] : wanted.split(',').map((name) => name.trim());
  const { tools, unknown } = expand(toolsets, known);
  if (unknown.length > 0) throw new UsageError(describeUnknownToolset(unknown[0] ?? '', known));
  return { tools, toolsets };
}

/** What a session would begin with. Settings that name no real toolset are told, and the list is shown all the same. */
function nextSession(
  { platform = 'cli', toolsets }: ToolChoice,
  { settings, mcp }: ToolSurvey,
): ChosenTools | { readonly problem: string } {
  const named = toolsets?.split(',').map((name) => name.trim());
  try {
    return chooseTools({ platform, settings, more: mcp.toolsets, named });
  } catch (error) {
    return { problem: toErrorMessage(error) };
  }
}

/** The named ones, and those the context engine brings along with any. */
async function linesOf(
  names: readonly string[],
  next: ReturnType<typeof nextSession>,
  { home, env, config, settings, mcp, known, notice, registered }: ToolSurvey,
) {
  await using terminal = await localTerminal.open({ cwd: process.cwd(), env: {} });
  const ports = { spawn: refuseInPreview, complete: refuseInPreview, see: refuseInPreview, consult: refuseInPreview };
  const guard = guardFiles(home.root);
  await using network = openNetworkTools(settings, { terminal, ports, profile: home.root, env, guard, notice });
  const skillContext = () => ({ tools: [], toolsets: [], platform: 'cli' });
  const more = [...network.tools, ...createPersistentTools(openHomeParts({ home, config, env, notice, registered }), skillContext)];
  const ours = createBuiltinTools(settings, { terminal, ports, guard, more });
  const session = { home, settings, platform: 'cli', cwd: terminal.cwd, terminal, ports, notice };
  const { tools: built } = openEntries(registered.tools, names, session, ours);
  const remote = new Map<string, AnyTool>(mcp.tools.map((tool) => [tool.name, tool]));
  const engine = await openEngine({ home, config, notice, suspicious: refuseInPreview, entries: NO_STORE.entries }, registered.engines);
  const own = names.length === 0 ? [] : (engine.tools?.() ?? []);
  const given = new Set('tools' in next ? next.tools : []);
  const options = { known, off: settings['agent.disabled_toolsets'], isChosen: (name: string) => given.has(name) };
  return Promise.all([
    ...names.map((name) => toToolLine(name, built.get(name) ?? remote.get(name), options)),
    ...own.map((tool) => toToolLine(tool.name, tool, { ...options, isChosen: () => given.size > 0 })),
  ]);
}

function setLine({ name, description }: Toolset, known: readonly Toolset[], servers: readonly Toolset[]): ToolsetLine {
  const { tools } = expand([name], known);
  const silent = tools.length === 0 && servers.some((server) => server.name === name);
  const ask = `unknown; to get them: hermes mcp test ${name.replace(/^mcp-/, '')}`;
  return { name, description, tools: silent ? [ask] : tools };
}

/** What is switched off may be gone meanwhile and can be named all the same. */
function refuseStrangers(names: readonly string[], { settings, known, mcp }: ToolSurvey): void {
  const words = [...known.map(({ name }) => name), ...expand(['all'], known).tools];
  const stranger = names.find((name) => !words.includes(name) && !settings['agent.disabled_toolsets'].some((off) => off === name));
  if (stranger === undefined) return;
  const silent = mcp.toolsets.some(({ tools }) => tools.length === 0) && stranger.startsWith('mcp__');
  const hint = silent ? ' To get the tools of an MCP server: hermes mcp test NAME' : '';
  throw new UsageError(describeUnknownName('toolset or tool', stranger, words, `To list them: hermes tools list${hint}`));
}
