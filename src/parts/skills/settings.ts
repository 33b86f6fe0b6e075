import type { SettingsSlice } from '../../contracts/settings.ts';

export const skillSettings = {
  'skills.external_dirs': {
    kind: 'list',
    default: [],
    describe:
      'Further folders with skills, after your own and the bundled ones; ~ and ${NAME} are filled in, missing folders are passed over.',
    source: 'reference tools-and-cli §4.1',
  },
  'skills.disabled': {
    kind: 'list',
    default: [],
    describe: 'Names of skills that are never shown.',
    source: 'seed 000 §5.8.2 and reference core §4.4 (disabled names)',
  },
  'skills.platform_disabled': {
    kind: 'table',
    default: {},
    describe: 'Names of skills that are not shown on a platform: platform to list of names.',
    source: 'seed 000 §5.8.2 (a platform can switch skills off)',
  },
} as const satisfies SettingsSlice;

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
