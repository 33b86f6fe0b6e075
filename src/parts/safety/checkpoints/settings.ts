import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const checkpointSettings = ownersAlone({
  'checkpoints.enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Save files before a tool changes them, so that you can restore them with /rollback or `hermes checkpoints`.',
  },
  'checkpoints.max_snapshots': {
    kind: 'integer',
    default: 20,
    min: 1,
    describe: 'For each folder, keep the checkpoints of this many turns.',
  },
  'checkpoints.max_total_size_mb': {
    kind: 'integer',
    default: 500,
    min: 1,
    describe: 'Maximum size of all checkpoints on disk, in megabytes. The oldest are deleted first.',
  },
  'checkpoints.max_file_size_mb': {
    kind: 'integer',
    default: 10,
    min: 1,
    describe: 'Files larger than this many megabytes are not saved.',
  },
  'checkpoints.max_files': {
    kind: 'integer',
    default: 5_000,
    min: 1,
    describe: 'If a folder has more files than this, Hermes saves only the files that a command names, not the whole folder.',
  },
  'checkpoints.retention_days': {
    kind: 'integer',
    default: 7,
    min: 1,
    describe: 'How long to keep a checkpoint, in days.',
  },
} as const satisfies SettingsSlice);
