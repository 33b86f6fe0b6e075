import { UsageError } from '../../base/errors.ts';
import { sha256 } from '../../base/sha256.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';
import type { EnvironmentSettings } from '../../contracts/environment.ts';
import type { Toolset } from '../../contracts/tool.ts';

/** Toolsets by their likelihood in percent. Each is drawn for itself; when none is, the likeliest is taken. */
export const DISTRIBUTIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  default: { web: 100, vision: 100, image_gen: 100, terminal: 100, file: 100, moa: 100, browser: 100 },
  image_gen: { image_gen: 90, vision: 90, web: 55, terminal: 45, moa: 10 },
  research: { web: 90, browser: 70, vision: 50, moa: 40, terminal: 10 },
  science: { web: 94, terminal: 94, file: 94, vision: 65, browser: 50, image_gen: 15, moa: 10 },
  development: { terminal: 80, file: 80, moa: 60, web: 30, vision: 10 },
  safe: { web: 80, browser: 70, vision: 60, image_gen: 60, moa: 50 },
  balanced: { web: 50, vision: 50, image_gen: 50, terminal: 50, file: 50, moa: 50, browser: 50 },
  minimal: { web: 100 },
  terminal_only: { terminal: 100, file: 100 },
  terminal_web: { terminal: 100, file: 100, web: 100 },
  creative: { image_gen: 90, vision: 90, web: 30 },
  reasoning: { moa: 90, web: 30, terminal: 20 },
  browser_use: { browser: 100, web: 80, vision: 70 },
  browser_only: { browser: 100 },
  browser_tasks: { browser: 97, vision: 12, terminal: 15 },
  terminal_tasks: { terminal: 97, file: 97, web: 97, browser: 75, vision: 50, image_gen: 10 },
  mixed_tasks: { browser: 92, terminal: 92, file: 92, web: 35, vision: 15, image_gen: 15 },
};

/** Those whose tools touch no place; any other may. */
const PLACELESS: ReadonlySet<string> = new Set(['none', 'web', 'search', 'vision', 'image_gen', 'tts', 'moa', 'todo', 'clarify']);
export const usesPlace = (toolsets: readonly string[] | undefined): boolean =>
  toolsets === undefined || toolsets.some((name) => !PLACELESS.has(name));

/** The toolsets of a group; the same group draws the same. `undefined` leaves them to the host, which knows what is off. */
export type ToolsetDraw = (group: string) => readonly string[] | undefined;

export function createToolsetDraw(settings: Pick<EnvironmentSettings, 'enabled_toolsets' | 'distribution' | 'seed'>): ToolsetDraw {
  const { enabled_toolsets: enabled, distribution, seed } = settings;
  if (distribution === null) return () => enabled ?? undefined;
  if (enabled !== null) throw new UsageError('env.distribution and env.enabled_toolsets exclude each other. Set one of them.');
  const shares = DISTRIBUTIONS[distribution];
  if (shares === undefined)
    throw new UsageError(`there is no distribution ${distribution}. There are: ${Object.keys(DISTRIBUTIONS).join(', ')}.`);
  return (group) => drawToolsets(shares, `${seed ?? 0}/${group}`);
}

/** A name that nobody knows is told before anything runs: in an attempt it would only be a failure. */
export function checkToolsets(
  {
    enabled_toolsets: enabled,
    disabled_toolsets: disabled,
    distribution,
  }: Pick<EnvironmentSettings, 'enabled_toolsets' | 'disabled_toolsets' | 'distribution'>,
  known: readonly Pick<Toolset, 'name'>[],
): void {
  const drawn = distribution === null ? [] : Object.keys(DISTRIBUTIONS[distribution] ?? {});
  const unknown = [...(enabled ?? []), ...(disabled ?? []), ...drawn].find((wanted) => !known.some(({ name }) => name === wanted));
  if (unknown !== undefined)
    throw new UsageError(
      describeUnknownName(
        'toolset',
        unknown,
        known.map(({ name }) => name),
        'See hermes tools list.',
      ),
    );
}

function drawToolsets(shares: Readonly<Record<string, number>>, key: string): readonly string[] {
  const drawn = Object.entries(shares).filter(([name, percent]) => draw(`${key}/${name}`) * 100 < percent);
  const likeliest = Object.entries(shares).toSorted(([, a], [, b]) => b - a)[0];
  return (drawn.length > 0 || likeliest === undefined ? drawn : [likeliest]).map(([name]) => name);
}

/** A number from 0 up to 1 that the key decides. */
const draw = (key: string): number => Number.parseInt(sha256(key).slice(0, 12), 16) / 2 ** 48;
