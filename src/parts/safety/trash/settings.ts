import type { SettingsSlice } from '../../../contracts/settings.ts';

export const trashSettings = {
  'trash.retention_days': {
    kind: 'integer',
    default: 7,
    min: 1,
    describe: 'Days a deleted file stays in the trash.',
    source: 'ours: as long as checkpoints',
  },
  'trash.max_size_mb': {
    kind: 'integer',
    default: 500,
    min: 1,
    describe: 'Most that the trash may take on the disk; the oldest go first.',
    source: 'ours: as much as checkpoints',
  },
} as const satisfies SettingsSlice;
