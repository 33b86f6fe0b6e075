import type { Env } from '../../base/env.ts';
import type { JsonObject } from '../../base/json-types.ts';
import type { PluginManifest } from '../../contracts/plugin-manifest.ts';
import { formatConfigProblem, readConfigText, readIfThere, type Fields } from './config.ts';
import type { ConfigProblem } from './problem.ts';

export type PluginSettingsReading =
  | { readonly ok: true; readonly settings: JsonObject; readonly notices: readonly string[] }
  | { readonly ok: false; readonly why: string };

/**
 * The settings of one plugin, as the settings file has them below `plugins.entries.NAME.settings`, each checked against its field.
 * What is wrong is told with file and line: it disables this plugin, and no command stops for it.
 */
export async function readPluginSettings({ name, settings }: PluginManifest, file: string, env: Env): Promise<PluginSettingsReading> {
  const defaults = Object.entries(settings).map(([key, field]) => [key, field.default] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a manifest is plain data
  const plain = Object.fromEntries(defaults) as JsonObject;
  const text = readIfThere(file) ?? '';
  if (!text.includes('plugins:')) return { ok: true, settings: plain, notices: [] };
  const prefix = `plugins.entries.${name}.settings.`;
  const fields: Fields = new Map(Object.entries(settings).map(([key, field]) => [`${prefix}${key}`, field]));
  const { placed, problems, warnings } = await readConfigText(fields, text, env);
  const own = (row: { readonly key: string }): boolean => row.key.startsWith(prefix);
  // `hermes config` knows no setting of a plugin.
  const describe = (row: ConfigProblem): string => formatConfigProblem(file, { ...row, cure: `See: hermes plugins info ${name}` });
  const [problem] = problems.filter(own);
  if (problem !== undefined) return { ok: false, why: describe(problem) };
  const set = [...placed].map(([key, { value }]) => [key.slice(prefix.length), value] as const);
  return {
    ok: true,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each was read by its own field
    settings: { ...plain, ...(Object.fromEntries(set) as JsonObject) },
    notices: warnings.filter(own).map(describe),
  };
}
