import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../base/home.ts';
import { isObject } from '../../base/json.ts';
import { findNearest } from '../../base/text.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { CheckupFinding } from '../../contracts/services/insight.ts';
import { chooseTheme, THEMES } from '../../faces/tui/theme/themes.ts';
import { ACTIONS } from '../../faces/tui/input/actions.ts';
import { STATUS_FIELDS } from '../../faces/tui/status/status-bar.ts';
import { listPersonalities } from '../../parts/prompt/personalities.ts';
import { parseNamedProfiles } from '../../parts/providers/catalog/named.ts';
import { expand } from '../../parts/tools/toolsets.ts';
import type { Settings } from '../config/config.ts';
import { collectToolChoice } from '../tools/registries.ts';

interface NameScope {
  readonly home: Home;
  readonly settings: Settings;
  readonly registered: RegistrySnapshot;
}
/** A setting whose value is the name of something else: what it names, and which names mean something. */
interface NameRow {
  readonly key: string;
  readonly thing: string;
  readonly names: readonly string[];
  readonly known: readonly string[];
  /** Nothing breaks, but it has no effect. */
  readonly isHarmless?: true;
}

/** Settings that name something that does not exist. A session would fall back, or do without, and tell it only once it runs. */
export function checkNames(scope: NameScope): readonly CheckupFinding[] {
  return listNames(scope).flatMap(({ key, thing, names, known, isHarmless }) =>
    [...new Set(names)]
      .filter((name) => name !== '' && !known.includes(name))
      .map((name) => ({
        name: 'names',
        ok: isHarmless === true,
        ...(isHarmless === true && { warn: true as const }),
        words: `${key}: there is no ${thing} ${name}${guess(name, known)}`,
        cure: `To see what the setting takes: hermes config explain ${key}`,
      })),
  );
}

/** More names than this say less than the page of the setting. */
const MAX_LISTED = 16;

function guess(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  if (nearest !== undefined) return `; did you mean ${nearest}?`;
  return known.length > MAX_LISTED ? '.' : `. Known: ${known.join(', ')}.`;
}

/** Toolsets of sessions are not here: a session that names an unknown one does not start, and a row of its own says so. */
function listNames({ home, settings, registered }: NameScope): readonly NameRow[] {
  // A platform of a plugin stands among the accounts.
  const platforms = [...registered.platforms.keys(), ...Object.keys(settings.platforms)];
  const tables = ['platform_hints', 'platform_toolsets', 'display.platforms', 'skills.platform_disabled', 'reset_by_platform'] as const;
  const { sets } = collectToolChoice(registered, 'cli');
  return [
    { key: 'context.engine', thing: 'engine', names: [settings['context.engine']], known: [...registered.engines.keys()] },
    { key: 'memory.provider', thing: 'provider', names: [settings['memory.provider']], known: listMemories(registered) },
    ...listProviderRows(settings, registered),
    {
      key: 'display.personality',
      thing: 'personality',
      names: [settings['display.personality'].toLowerCase()],
      known: listPersonalities(settings.personalities).map(({ name }) => name),
    },
    { key: 'display.skin', thing: 'theme', names: ownSkin(settings['display.skin'], home), known: listThemes() },
    { key: 'display.status_bar.fields', thing: 'field', names: settings['display.status_bar.fields'], known: STATUS_FIELDS },
    { key: 'display.keys', thing: 'action', names: Object.keys(settings['display.keys']), known: ACTIONS.map(({ name }) => name) },
    { key: 'reset_by_type', thing: 'type of chat', names: Object.keys(settings.reset_by_type), known: CHAT_TYPES },
    ...tables.map((key) => ({ key, thing: 'platform', names: Object.keys(settings[key]), known: platforms, isHarmless: true as const })),
    {
      key: 'agent.disabled_toolsets',
      thing: 'toolset or tool',
      // Tools of MCP servers are known once a server has answered.
      names: settings['agent.disabled_toolsets'].filter((name) => !name.startsWith('mcp')),
      known: [...sets.map(({ name }) => name), ...expand(['all'], sets).tools],
      // What is switched off may be gone meanwhile.
      isHarmless: true,
    },
  ];
}

const CHAT_TYPES = ['private', 'group', 'channel', 'thread'];
const listThemes = (): readonly string[] => ['default', 'auto', ...THEMES.map(({ name }) => name)];
const ownSkin = (name: string, { root }: Home): readonly string[] =>
  chooseTheme(name, undefined) !== undefined || existsSync(join(root, 'skins', `${name}.yaml`)) ? [] : [name];
const listMemories = (registered: RegistrySnapshot): readonly string[] => [...registered.memoryProviders.keys()];

const TASKS = ['title_generation', 'embedding', 'compression', 'memory', 'approval', 'vision'] as const;

/** Providers beside the session's own, which the route is checked for. */
function listProviderRows(settings: Settings, registered: RegistrySnapshot): readonly NameRow[] {
  const own = parseNamedProfiles(settings.providers).map(({ id }) => id);
  const profiles = [...registered.providers.values()].flatMap(({ id, aliases }) => [id, ...aliases]);
  const known = [...own, ...profiles];
  const ofTask = TASKS.map((task) => ({
    key: `auxiliary.${task}.provider`,
    thing: 'provider',
    names: [settings[`auxiliary.${task}.provider`]],
    known: ['auto', 'main', ...known],
  }));
  const fallbacks = settings.fallback_providers.flatMap((row) =>
    isObject(row) && typeof row['provider'] === 'string' ? [row['provider']] : [],
  );
  return [
    ...ofTask,
    { key: 'cron.provider', thing: 'provider', names: [settings['cron.provider']], known: ['auto', ...known] },
    { key: 'fallback_providers', thing: 'provider', names: fallbacks, known },
  ];
}
