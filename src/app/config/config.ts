import type { GivenSettings } from '../../contracts/host.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { ConfigOf, SettingField, SettingsSlice, SliceValues } from '../../contracts/settings.ts';
import { agentSettings } from '../../agent/settings.ts';
import * as file from '../../parts/config/config.ts';
import type { Env } from '../../base/env.ts';
import { cronSettings } from '../../faces/cron/settings.ts';
import { gatewaySettings } from '../../faces/gateway/settings.ts';
import { apiServerSettings } from '../../faces/serve/api/settings.ts';
import { screenSettings } from '../../faces/tui/settings.ts';
import { commandSettings } from '../../commands/settings.ts';
import { contextSettings } from '../../parts/context/settings.ts';
import { hookSettings } from '../../parts/hooks/settings.ts';
import { mcpSettings } from '../../parts/mcp/settings.ts';
import { memorySettings } from '../../parts/memory/settings.ts';
import { layerSettings } from '../../parts/prompt/layers/settings.ts';
import { promptSettings } from '../../parts/prompt/settings.ts';
import { modelSettings } from '../../parts/providers/model-settings.ts';
import { providerSettings } from '../../parts/providers/settings.ts';
import { checkpointSettings } from '../../parts/safety/checkpoints/settings.ts';
import { trashSettings } from '../../parts/safety/trash/settings.ts';
import { secretSettings } from '../../parts/safety/secrets/settings.ts';
import { skillSettings } from '../../parts/skills/settings.ts';
import { approvalSettings } from '../../parts/safety/approval/settings.ts';
import { sttSettings } from '../../parts/stt/settings.ts';
import { storeSettings } from '../../parts/store/settings.ts';
import { daytonaSettings } from '../../parts/terminals/daytona/settings.ts';
import { modalSettings } from '../../parts/terminals/modal/settings.ts';
import { telemetrySettings } from '../../parts/telemetry/settings.ts';
import { terminalSettings } from '../../parts/terminals/settings.ts';
import { sshSettings } from '../../parts/terminals/ssh/settings.ts';
import { codeExecutionSettings } from '../../parts/tools/builtin/execute-code/settings.ts';
import { delegationSettings } from '../../parts/tools/builtin/delegate/settings.ts';
import { urlSettings } from '../../parts/safety/urls/settings.ts';
import { browserSettings } from '../../parts/tools/builtin/browser/settings.ts';
import { mediaSettings } from '../../parts/tools/builtin/media/settings.ts';
import { moaSettings } from '../../parts/tools/builtin/moa/settings.ts';
import { webSettings } from '../../parts/tools/builtin/web/settings.ts';
import { toolSettings } from '../../parts/tools/settings.ts';
import { pluginSettings } from '../../plugins/settings.ts';

/** The one table of defaults: every setting with its default, its range and where the default comes from. */
export const SETTINGS = {
  ...modelSettings,
  ...agentSettings,
  ...promptSettings,
  ...layerSettings,
  ...contextSettings,
  ...memorySettings,
  ...skillSettings,
  ...providerSettings,
  ...hookSettings,
  ...mcpSettings,
  ...toolSettings,
  ...webSettings,
  ...browserSettings,
  ...mediaSettings,
  ...sttSettings,
  ...moaSettings,
  ...urlSettings,
  ...delegationSettings,
  ...codeExecutionSettings,
  ...terminalSettings,
  ...sshSettings,
  ...modalSettings,
  ...daytonaSettings,
  ...secretSettings,
  ...approvalSettings,
  ...checkpointSettings,
  ...trashSettings,
  ...storeSettings,
  ...telemetrySettings,
  ...screenSettings,
  ...commandSettings,
  ...gatewaySettings,
  ...apiServerSettings,
  ...cronSettings,
  ...pluginSettings,
} as const satisfies SettingsSlice;

export type Settings = SliceValues<typeof SETTINGS>;
export type Config = ConfigOf<Settings>;
/** The same table by key, for whoever reads or writes the file. */
export const FIELDS = file.toFields(SETTINGS);

/** What is registered that decides which settings there are and what they may say. */
type SettingTables = Pick<RegistrySnapshot, 'settings' | 'terminals'>;

/** The settings there are, ours alone where nothing is registered. A back end can be chosen when there is one of that name. */
export function collectSettingFields(tables?: SettingTables): file.Fields {
  if (tables === undefined) return FIELDS;
  const { settings, terminals } = tables;
  return new Map([...settings].map(([key, field]) => [key, sameKind(key, openChoice(key, field, terminals))]));
}

const openChoice = (key: string, field: SettingField, terminals: SettingTables['terminals']): SettingField =>
  key === 'terminal.backend' && field.kind === 'choice' ? { ...field, choices: ['auto', ...terminals.keys()] } : field;

/** Whoever reads one of our settings counts on its kind. */
function sameKind(key: string, field: SettingField): SettingField {
  const own = FIELDS.get(key);
  if (own !== undefined && own.kind !== field.kind)
    throw new Error(`the setting ${key} is of the kind ${own.kind}, so a replacement must be of the same kind, not ${field.kind}.`);
  return field;
}

/** Reads the file if there is one, then variables that name a setting. A mistake is an error that says file, line and cure. */
export async function loadConfig(path: string, env: Env, notice: (words: string) => void, tables?: SettingTables): Promise<Config> {
  const { settings, sources, notices, ignored } = await file.loadConfig(SETTINGS, path, env, collectSettingFields(tables));
  for (const words of notices) notice(words);
  if (ignored !== undefined && (await import('../../parts/config/ignored-keys.ts')).rememberIgnoredKeys(path, ignored.keys))
    notice(ignored.words);
  return { settings, sources };
}

/** The same with values that a program gave, which win. */
export const withGivenSettings = (config: Config, given: GivenSettings | undefined, tables?: SettingTables): Config =>
  given === undefined ? config : file.withGivenValues(config, given, collectSettingFields(tables));

export const readConfig = (path: string, env: Env, tables?: SettingTables): Promise<file.ConfigReading> =>
  file.readConfig(collectSettingFields(tables), path, env);
export const toAppConfig = (reading: file.ConfigReading): Config => file.toTypedConfig(SETTINGS, reading);
