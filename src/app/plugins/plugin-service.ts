import { join } from 'node:path';
import { UsageError, toErrorMessage } from '../../base/errors.ts';
import type { Env } from '../../base/env.ts';
import { resolveHome } from '../../base/home.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';
import type { PluginManifest } from '../../contracts/plugin-manifest.ts';
import type { ConfigurationService } from '../../contracts/services/configuration.ts';
import type { PluginChoice, PluginChoices, PluginInfo, PluginLine, PluginService } from '../../contracts/services/plugins.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { readPluginSettings } from '../../parts/config/plugin-settings.ts';
import { ENGINE_DESCRIPTIONS } from '../../parts/context/open.ts';
import { expectSandbox } from '../../parts/terminals/sandbox/known.ts';
import {
  describeConsent,
  findIsolation,
  keepConsent,
  listGrowth,
  readConsent,
  withdrawConsent,
  type ConsentStore,
  type PluginConsent,
} from '../../plugins/consent.ts';
import { tellPluginsChanged } from '../../plugins/follow-plugins.ts';
import { hashContent, stampContent } from '../../plugins/content.ts';
import { findCandidates, rankCandidates, readCandidate, type PluginCandidate, type PluginPlaces } from '../../plugins/discover.ts';
import { repairFolders } from '../../plugins/install/staging.ts';
import { checkSchema } from '../../plugins/manifest/read-shelves.ts';
import { describeMismatch } from '../../plugins/shelves.ts';
import { findRival } from '../../plugins/taken-names.ts';
import { toPluginText } from '../../plugins/words/plugin-words.ts';
import { writeShellIndex } from '../../plugins/shell-index.ts';
import { loadConfig } from '../config/config.ts';
import { openPlugin, placesOf } from './open-plugins.ts';
import { watchOwnNames } from './own-names.ts';

export interface PluginServiceDeps {
  store(): Promise<ConsentStore>;
  configuration(): Promise<ConfigurationService>;
}

/** The plugins of the profile, as commands see them. */
export async function createPluginService(options: ServiceOptions, deps: PluginServiceDeps): Promise<PluginService> {
  const { processEnv, notice, registered } = options;
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const { settings } = await loadConfig(home.config, env, () => {}, registered);
  const places: PluginPlaces = placesOf({ home, settings });
  const hasSandbox = async (): Promise<boolean> => process.platform === 'linux' && (await expectSandbox(home.root)).ok;
  const store = await deps.store();
  await repairFolders(join(home.root, 'plugins'));
  const ranked = () => rankCandidates(findCandidates(places));
  const warn = watchOwnNames();
  const look = async (candidate: PluginCandidate, isShadowed = false): Promise<PluginInfo> => {
    const consent = await readConsent(candidate.name, store);
    const info = await inspectPlugin(candidate, { isShadowed, hasSandbox: await hasSandbox(), consent });
    return withSurroundings(info, { config: home.config, env, warn });
  };
  const all = async (): Promise<readonly PluginInfo[]> => {
    const { standing, shadowed } = ranked();
    return Promise.all([...standing.map((each) => look(each)), ...shadowed.map((each) => look(each, true))]);
  };
  const find = (name: string): PluginCandidate => findStanding(name, ranked().standing);
  const changed = async (): Promise<void> => {
    await tellPluginsChanged(store);
    writeShellIndex(
      home.root,
      (await all()).flatMap(({ state, manifest }) => (state === 'enabled' && manifest !== undefined ? [manifest] : [])),
    );
  };
  const choices = async (): Promise<PluginChoices> => {
    const { settings: now } = await loadConfig(home.config, env, () => {}, registered);
    return listChoices(
      (await all()).filter(({ state }) => state === 'enabled'),
      registered,
      { memory: now['memory.provider'], engine: now['context.engine'] },
    );
  };
  return {
    maxDataBytes: settings['plugins.data_mb'] * 1e6,
    list: async () => (await all()).map(toLine),
    info: async (name) => look(find(name)),
    enable: async (name, hash) => {
      const candidate = find(name);
      const seen = await look(candidate);
      const consent = createConsent(candidate, seen, hash);
      refuseRival(consent.manifest, await all());
      const { tools, warnings } = await tryOut(name, consent, { home, env, settings, notice });
      await keepConsent(name, { ...consent, tools }, store);
      await changed();
      const info = await look(candidate);
      return { ...info, warnings: [...info.warnings, ...warnings] };
    },
    disable: async (name) => {
      const was = await withdrawConsent(name, store);
      if (was) await changed();
      return was;
    },
    choices,
    choose: async (chosen) => {
      checkChoice(chosen, await choices());
      const { memory, engine } = chosen;
      await (
        await deps.configuration()
      ).change({
        ...(memory !== undefined && { 'memory.provider': memory === '' ? undefined : memory }),
        ...(engine !== undefined && { 'context.engine': engine }),
      });
      return choices();
    },
  };
}

function findStanding(name: string, standing: readonly PluginCandidate[]): PluginCandidate {
  const found = standing.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = standing.map((each) => each.name);
  throw new UsageError(
    describeUnknownName('plugin', name, names, names.length === 0 ? 'There are none yet.' : `There are: ${names.join(', ')}.`),
  );
}

/** What the owner agrees to: the plugin with this hash and no other. */
function createConsent({ name, path }: PluginCandidate, { state, manifest, hash, why = '' }: PluginInfo, agreed: string): PluginConsent {
  if (state === 'broken' || manifest === undefined) throw new UsageError(`the plugin ${name} cannot be enabled: ${why}`);
  if (hash !== agreed) throw new UsageError(`the plugin ${name} changed while you looked at it, so it was not enabled. Type it again.`);
  return { path, hash, stamp: stampContent(path), manifest, tools: {} };
}

/** What comes first would depend on their names, so nobody gets to take another's place. */
function refuseRival(manifest: PluginManifest, plugins: readonly PluginInfo[]): void {
  const others = plugins.flatMap((each) => (each.name === manifest.name || each.state !== 'enabled' ? [] : (each.manifest ?? [])));
  const rival = findRival(manifest, others);
  if (rival === undefined) return;
  const { what, plugin } = rival;
  throw new UsageError(
    `the plugin ${manifest.name} was not enabled: it brings ${what}, and so does the plugin ${plugin}. To use it instead, type first: hermes plugins disable ${plugin}`,
  );
}

interface PluginSurroundings {
  /** The settings file. */
  readonly config: string;
  readonly env: Env;
  /** Says which of its names Hermes has itself. */
  warn(manifest: PluginManifest): Promise<readonly string[]>;
}
/** What the settings say of a plugin, and which of its names are taken. */
async function withSurroundings(info: PluginInfo, { config, env, warn }: PluginSurroundings): Promise<PluginInfo> {
  const { manifest, state } = info;
  if (manifest === undefined) return info;
  const reading = await readPluginSettings(manifest, config, env);
  return {
    ...info,
    warnings: [...info.warnings, ...(await warn(manifest))],
    ...(reading.ok ? { settings: reading.settings } : state === 'enabled' && { why: reading.why }),
  };
}

/** What there is from the start, and what enabled plugins bring. */
function listChoices(
  plugins: readonly PluginInfo[],
  { memoryProviders, engines }: RegistrySnapshot,
  current: Pick<PluginChoices, 'memory' | 'engine'>,
): PluginChoices {
  const brought = (pick: (manifest: PluginManifest) => string | undefined, there: ReadonlyMap<string, unknown>) =>
    plugins.flatMap(({ manifest, description }) => {
      const name = manifest === undefined ? undefined : pick(manifest);
      return name === undefined || there.has(name) ? [] : [{ name, note: description }];
    });
  const memories = [...memoryProviders].map(([name, { description, needsNoSetup }]) => ({
    name,
    note: description,
    ...(needsNoSetup === true && { needsNoSetup }),
  }));
  return {
    ...current,
    memories: [...memories, ...brought(({ memoryProvider }) => memoryProvider, memoryProviders)],
    engines: [...[...engines.keys()].map(describeEngine), ...brought(({ contextEngine }) => contextEngine, engines)],
  };
}

function describeEngine(name: string): PluginChoice {
  const note = ENGINE_DESCRIPTIONS[name];
  return { name, ...(note !== undefined && { note }) };
}

function checkChoice({ memory, engine }: Parameters<PluginService['choose']>[0], { memories, engines }: PluginChoices): void {
  const check = (kind: string, name: string | undefined, there: readonly { readonly name: string }[]): void => {
    const names = there.map((each) => each.name);
    if (name !== undefined && !names.includes(name))
      throw new UsageError(describeUnknownName(kind, name, names, `There are: ${names.join(', ')}.`));
  };
  check('memory provider', memory === '' ? undefined : memory, memories);
  check('context engine', engine, engines);
}

const toLine = ({ name, version, description, source, path, state, isolation, why }: PluginInfo): PluginLine => ({
  name,
  version,
  description,
  source,
  path,
  state,
  isolation,
  ...(why !== undefined && { why }),
});

interface PluginInspection {
  readonly isShadowed: boolean;
  readonly hasSandbox: boolean;
  readonly consent: PluginConsent | undefined;
}

/** Everything that can be told of a folder without running it. */
async function inspectPlugin(candidate: PluginCandidate, { isShadowed, hasSandbox, consent }: PluginInspection): Promise<PluginInfo> {
  const { name, path, source } = candidate;
  const reading = await readCandidate(candidate);
  const where = { name, path, source };
  const broken = (why: string): PluginInfo => {
    const none = { version: '', description: '', hash: '', isolation: 'data', consent: [], grown: [], warnings: [] } as const;
    return { ...where, ...none, state: isShadowed ? 'shadowed' : 'broken', why };
  };
  if (!reading.ok) return broken(reading.why);
  const { manifest, warnings } = reading;
  let hash: string;
  try {
    hash = hashContent(path);
  } catch (error) {
    return broken(toErrorMessage(error));
  }
  const isolation = findIsolation(manifest, hasSandbox);
  const grown = consent === undefined ? [] : listGrowth(consent.manifest, manifest);
  const isSame = consent?.hash === hash && consent.path === path;
  const state = isShadowed ? 'shadowed' : consent === undefined ? 'disabled' : isSame ? 'enabled' : grown.length > 0 ? 'grown' : 'changed';
  const { version, description } = manifest;
  return {
    ...where,
    version,
    description,
    state,
    isolation,
    hash,
    consent: describeConsent(manifest, isolation),
    grown,
    warnings,
    manifest,
  };
}

type TryOutDeps = Parameters<typeof openPlugin>[2];

/** Starts it once: what its setup says is known before a session needs it, and so is what its tools take. */
async function tryOut(
  name: string,
  consent: PluginConsent,
  deps: TryOutDeps,
): Promise<{ readonly tools: PluginConsent['tools']; readonly warnings: readonly string[] }> {
  const { manifest } = consent;
  if (manifest.entry === undefined) return { tools: {}, warnings: [] };
  const reading = await readPluginSettings(manifest, deps.home.config, deps.env);
  if (!reading.ok) throw new UsageError(`the plugin ${name} was not enabled: ${reading.why}`);
  await using process = openPlugin({ name, source: 'home', consent }, reading.settings, { ...deps, notice: () => {} });
  try {
    const report = await process.setUp();
    const said = new Map(report.tools.map((tool) => [tool.name, tool]));
    const tools: Record<string, { readonly description: string; readonly input: PluginConsent['tools'][string]['input'] }> = {};
    for (const { name: tool, description: listed, input: schema } of manifest.tools) {
      if (listed !== undefined && schema !== undefined) continue;
      const { description = listed, input = schema } = said.get(tool) ?? {};
      if (typeof description !== 'string' || input === undefined) throw new Error(`its tool ${tool} has no description or no input`);
      checkSchema(input, tool);
      tools[tool] = { description: toPluginText(description.slice(0, 4_000)), input };
    }
    return { tools, warnings: [...reading.notices, ...describeMismatch(report)] };
  } catch (error) {
    throw new UsageError(`the plugin ${name} was not enabled: ${toErrorMessage(error)}. Nothing of it runs.`);
  }
}
