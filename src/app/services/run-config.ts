import { readIfThere } from '../../parts/config/config.ts';
import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import { limitWorkers } from '../../faces/environments/evaluate.ts';
import type { RunSettings } from '../../faces/environments/read-settings.ts';
import { withSetting } from '../../parts/config/yaml-edit.ts';
import { OWNERS_TOOLSETS } from '../../parts/tools/toolsets.ts';

/** Keys of the owner's settings that say which model is asked, and how. */
const MODEL_SECTIONS = ['model', 'providers', 'custom_providers'] as const;

/** What of the owner's settings says where a back end is and what runs there. What it may reach is not among it: a model in training is no owner. */
const PLACE_KEYS: Readonly<Record<string, readonly string[]>> = {
  docker: ['docker_image'],
  singularity: ['singularity_image'],
  modal: ['modal_image', 'modal_mode'],
  daytona: ['daytona_image'],
  ssh: ['ssh_host', 'ssh_user', 'ssh_port', 'ssh_key', 'ssh_options'],
};
/**
 * Their tools ask the model beside the conversation. A server that tells tokens has one sequence for each attempt: what is asked
 * besides would break it, and no trainer gets the group.
 */
const ASIDES = ['delegation', 'moa', 'vision'] as const;

/** Toolsets that are off because of the server. */
export const listAsides = ({ server }: Pick<RunSettings, 'server'>): readonly string[] => (server.server_type === 'openai' ? [] : ASIDES);

type OwnPlace = Readonly<Record<string, unknown>>;

/** Settings of the back end that the owner has made, in the file or by a variable. */
export async function readOwnPlace({ config }: Pick<Home, 'config'>, env: Env, backend: string): Promise<OwnPlace> {
  const keys = (PLACE_KEYS[backend] ?? []).map((key) => `terminal.${key}`);
  if (keys.length === 0) return {};
  const { readConfig } = await import('../config/config.ts');
  const { values, sources } = await readConfig(config, env);
  return Object.fromEntries(keys.flatMap((key) => (sources[key] === undefined ? [] : [[key, values[key]]])));
}

interface RunConfigOptions {
  readonly settings: RunSettings;
  readonly place: OwnPlace;
  readonly hasNoWall: boolean;
}

/** The owner's model and place; everything else as usual, and nothing that costs the model a word. */
export function createRunConfig({ config }: Pick<Home, 'config'>, { settings, place, hasNoWall }: RunConfigOptions): string {
  const { env } = settings;
  const own = keepSections(readIfThere(config) ?? '');
  const values: readonly (readonly [string, unknown])[] = [
    ...Object.entries(place),
    ['database.durability', 'process'],
    ['compression.enabled', false],
    // The folder of an attempt goes with it. Without a wall, other files of the owner's are in reach.
    ['checkpoints.enabled', hasNoWall],
    // By the owner's tools an attempt would see what others of the run said, wrote down or taught. A set may include what is off,
    // and whoever names no sets has all of them, so that it is the host's to take away.
    ['agent.disabled_toolsets', [...OWNERS_TOOLSETS, ...listAsides(settings), ...(env.disabled_toolsets ?? [])]],
    ['agent.parallel_tools', Math.min(32, Math.max(1, Math.floor(env.tool_pool_size / limitWorkers(env))))],
  ];
  return values.reduce((text, [key, value]) => withSetting(text, key, value), own);
}

/** Lines of the sections at the top level that are named. */
const keepSections = (text: string): string =>
  text
    .split(/^(?=[^\s#])/m)
    .filter((section) => MODEL_SECTIONS.some((name) => section.startsWith(`${name}:`)))
    .join('');
