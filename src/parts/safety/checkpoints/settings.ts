import type { SettingsSlice } from '../../../contracts/settings.ts';

export const checkpointSettings = {
  'checkpoints.enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Keep files before a tool changes them, so that /rollback can bring them back.',
    source: 'ours: the reference (tools-and-cli §2.8) has it off; what is not kept cannot be wanted back later',
  },
  'checkpoints.max_snapshots': {
    kind: 'integer',
    default: 20,
    min: 1,
    describe: 'Turns of each folder whose checkpoints are kept.',
    source: 'reference tools-and-cli §2.8 (20)',
  },
  'checkpoints.max_total_size_mb': {
    kind: 'integer',
    default: 500,
    min: 1,
    describe: 'Most that all checkpoints may take on the disk; the oldest go first.',
    source: 'reference tools-and-cli §2.8 (500)',
  },
  'checkpoints.max_file_size_mb': {
    kind: 'integer',
    default: 10,
    min: 1,
    describe: 'Larger files are not kept.',
    source: 'reference tools-and-cli §2.8 (10)',
  },
  'checkpoints.max_files': {
    kind: 'integer',
    default: 5_000,
    min: 1,
    describe: 'A folder with more files is not kept as a whole before commands; only the files they name are.',
    source: 'ours: keeps the look before each command within tens of milliseconds; the reference (tools-and-cli §2.8) allows 50,000',
  },
  'checkpoints.retention_days': {
    kind: 'integer',
    default: 7,
    min: 1,
    describe: 'Days a checkpoint is kept.',
    source: 'reference tools-and-cli §2.8 (7)',
  },
} as const satisfies SettingsSlice;
