import type { SettingsSlice } from '../../../contracts/settings.ts';

export const compressorSettings = {
  'compression.enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Sum up older messages before the window is full. Off means off: only /compress does it then.',
    source: 'seed 002 (true)',
  },
  'compression.threshold': {
    kind: 'number',
    default: 0.5,
    min: 0,
    max: 1,
    describe: 'Share of the window from which a session is summed up.',
    source: 'seed 002 (0.50)',
  },
  'compression.target_ratio': {
    kind: 'number',
    default: 0.2,
    min: 0.1,
    max: 0.8,
    describe: 'Share of the threshold the newest messages may keep as they are.',
    source: 'seed 002 (0.20)',
  },
  'compression.protect_last_n': {
    kind: 'integer',
    default: 20,
    min: 1,
    describe: 'Newest messages that stay as they are; fewer, down to 3, where they alone would be too large.',
    source: 'seed 002 (20)',
  },
  'auxiliary.compression.model': {
    kind: 'string',
    default: '',
    describe: 'Model that writes the summaries; empty takes the main one.',
    source: 'seed 002 (null)',
  },
  'auxiliary.compression.provider': {
    kind: 'string',
    default: '',
    describe: 'Provider of that model; empty takes the one of the session.',
    source: 'seed 002 (auto)',
  },
  'auxiliary.compression.context_length': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe: 'Tokens that model can see at once; 0 takes what is known of it. A longer log is read in slices.',
    source: 'reference core §5.2 (own window check); 0 is ours',
  },
  'auxiliary.compression.base_url': {
    kind: 'string',
    default: '',
    describe: 'Address of a server that speaks the OpenAI wire, for that model alone.',
    source: 'seed 002 (null)',
  },
} as const satisfies SettingsSlice;
