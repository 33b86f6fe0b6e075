import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openHost } from '../../../src/app/open-host.ts';
import { openPluginFolders } from '../../../src/app/plugins/plugin-folders.ts';
import { toErrorMessage } from '../../../src/base/errors.ts';
import { pluginsDoctor } from '../../../src/commands/plugin-folders.ts';
import { pluginsInfo, pluginsList } from '../../../src/commands/plugins.ts';
import { rememberSandbox } from '../../../src/parts/terminals/sandbox/known.ts';
import type { SandboxTools } from '../../../src/parts/terminals/sandbox/tools.ts';
import type { AgentEvent } from '../../../src/contracts/event.ts';
import type { Host } from '../../../src/contracts/host.ts';
import { scriptedProvider, type Script } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';
import { never, talk, tell } from '../../app/host-scene.ts';
import { createPluginHome, type PluginHome } from '../../app/plugin-home.ts';
import { fillWith, toPlugins, writePlugin, type AttemptPlugin, type FillText } from './plugin-source.ts';
import type { Attempt, AttemptResult } from './row.ts';
import { createAttemptWorld, readBelow, type AttemptWorld } from './world.ts';

export interface TriedAttempt {
  readonly name: string;
  readonly cameOff: boolean;
  /** For whoever looks why. */
  readonly result: AttemptResult;
}
const NOTHING: AttemptResult = { installed: false, enabled: false, refusal: '', answer: '', blocks: [], tools: [], shown: [] };

interface Scene {
  readonly world: AttemptWorld;
  readonly place: PluginHome;
  readonly host: Host;
  readonly told: string[];
  readonly isDeclared: boolean;
  readonly sources: string;
}

/** Installs, enables and runs every row as a real plugin on one machine, and judges each from outside. */
export async function runAttempts(rows: readonly Attempt[], isDeclared: boolean, tools: SandboxTools): Promise<readonly TriedAttempt[]> {
  await using world = await createAttemptWorld();
  world.reset();
  const { home } = world.stage();
  const place = createPluginHome('', home);
  rememberSandbox(home, { ok: true, tools });
  await using host = await openHost({ home: place.home, env: world.env });
  const told: string[] = [];
  void (async () => {
    for await (const { text } of host.notices(never)) told.push(text);
  })();
  const scene: Scene = { world, place, host, told, isDeclared, sources: mkdtempSync(join(world.root, 'sources-')) };
  const tried = new Map<string, TriedAttempt>();
  for (const plugin of toPlugins(rows)) for (const each of await tryPlugin(plugin, scene)) tried.set(each.name, each);
  return rows.flatMap(({ name }) => tried.get(name) ?? []);
}

async function tryPlugin(plugin: AttemptPlugin, scene: Scene): Promise<readonly TriedAttempt[]> {
  const { world, place, isDeclared, sources, told } = scene;
  world.reset();
  const fillFor = (tool: string): FillText =>
    fillWith(world.stage(), { plugin: plugin.name, tool, ownFolder: join(place.home.root, 'plugins', plugin.name) });
  const fill = fillFor(plugin.rows[0]?.tool ?? '');
  told.length = 0;
  const source = writePlugin(plugin, isDeclared, fill, sources);
  const placed = await installAndEnable(plugin.name, source, place);
  const found: TriedAttempt[] = [];
  for (const { row, tool } of plugin.rows) {
    // What installing alone did is judged with the first.
    if (found.length > 0) {
      world.reset();
      told.length = 0;
    }
    const ran = placed.enabled ? await callTool(plugin, tool, row, scene) : {};
    const result: AttemptResult = { ...NOTHING, ...placed, ...ran, shown: [...placed.shown, ...told] };
    const texts = [...listTexts(result), ...readBelow(join(place.home.root, 'plugin-data', plugin.name))];
    found.push({ name: row.name, cameOff: row.cameOff(world.look({ texts }, fillFor(tool)), result), result });
  }
  // The next has the machine to itself.
  await place.use((plugins) => plugins.disable(plugin.name));
  if (existsSync(sources)) rmSync(source, { recursive: true, force: true });
  return found;
}

const listTexts = ({ answer, refusal, blocks, shown }: AttemptResult): readonly string[] => [
  answer,
  refusal,
  ...blocks.map(({ text }) => text),
  ...shown,
];

type PlacedAttempt = Pick<AttemptResult, 'installed' | 'enabled' | 'refusal' | 'shown'>;

/** As the owner types it: install, look, enable. */
async function installAndEnable(name: string, source: string, place: PluginHome): Promise<PlacedAttempt> {
  const shown: string[] = [];
  let installed = false;
  const show = (text: string): void => void shown.push(...text.split('\n'));
  try {
    await place.use(async (plugins) => {
      const folders = await openPluginFolders({ HERMES_HOME: place.home.root }, plugins);
      await folders.install(source, place.home.root);
      installed = true;
      const info = await plugins.info(name);
      show(pluginsInfo.describe?.(info) ?? '');
      show(pluginsList.describe?.(await plugins.list()) ?? '');
      show(pluginsDoctor.describe?.({ problems: await folders.check(name), ok: true }) ?? '');
    });
    const { state, warnings } = await place.enable(name);
    shown.push(...warnings);
    return { installed, enabled: state === 'enabled', refusal: '', shown };
  } catch (error) {
    return { installed, enabled: false, refusal: toErrorMessage(error), shown: [...shown, toErrorMessage(error)] };
  }
}

/** One turn of a session that begins after the plugin was enabled. */
async function callTool(plugin: AttemptPlugin, own: string, row: Attempt, { host, place }: Scene): Promise<Partial<AttemptResult>> {
  const { tool, input } = row.calls ?? { tool: own, input: {} };
  const script: Script = [{ calls: [{ id: 'c1', name: tool, input }] }, { text: 'done' }];
  const provider = scriptedProvider(script);
  await using session = await host.openSession(talk(script, { provider: scriptedRoute(provider), cwd: place.home.root }));
  const blocks = listBlocks(await tell(session, 'go'));
  const kept = join(place.home.root, 'plugin-data', plugin.name, `answer-${own}`);
  return {
    blocks,
    tools: provider.requests[0]?.tools.map(({ name }) => name) ?? [],
    answer: existsSync(kept) ? readFileSync(kept, 'latin1') : blocks.map(({ text }) => text).join('\n'),
  };
}

const listBlocks = (events: readonly AgentEvent[]): AttemptResult['blocks'] =>
  events.flatMap((event) =>
    event.type !== 'tool_finished'
      ? []
      : event.result.content.map((block) => ({
          trust: block.trust,
          source: 'source' in block && typeof block.source === 'string' ? block.source : '',
          text: block.type === 'text' ? block.text : '',
        })),
  );
