import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

export const skillSettings = ownersAlone({
  'skills.external_dirs': {
    kind: 'list',
    default: [],
    describe:
      'More folders with skills. Your own and the bundled skills come first. `~` and `${NAME}` are expanded; missing folders are ignored.',
  },
  'skills.disabled': {
    kind: 'list',
    default: [],
    describe: 'Names of skills to hide everywhere.',
  },
  'skills.platform_disabled': {
    kind: 'table',
    default: {},
    describe: 'Names of skills to hide on a platform: PLATFORM: [NAME, ...].',
  },
} as const satisfies SettingsSlice);

/** The table as it was written: a list or one name for each platform; anything else counts as nothing. */
export function parsePlatformDisabled(table: unknown): Readonly<Record<string, readonly string[]>> {
  if (typeof table !== 'object' || table === null || Array.isArray(table)) return {};
  return Object.fromEntries(
    Object.entries(table).map(([platform, names]: [string, unknown]) => [
      platform,
      (Array.isArray(names) ? names : [names]).filter((name: unknown) => typeof name === 'string'),
    ]),
  );
}
