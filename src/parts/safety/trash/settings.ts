import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const trashSettings = ownersAlone({
  'trash.retention_days': {
    kind: 'integer',
    default: 7,
    min: 1,
    describe: 'How long to keep deleted files, in days.',
  },
  'trash.max_size_mb': {
    kind: 'integer',
    default: 500,
    min: 1,
    describe: 'Maximum size of the trash on disk, in megabytes. The oldest files are deleted first.',
  },
} as const satisfies SettingsSlice);
