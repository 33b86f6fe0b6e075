import type { Slice } from '../../contracts/settings.ts';
import { compressorSettings } from './compressor/settings.ts';

export const contextSettings = {
  'context.engine': {
    kind: 'string',
    default: 'compressor',
    describe: 'Who decides what of a long session the model sees: compressor, window, or the name of a plugin engine.',
    source: 'seed 002 (compressor)',
  },
  ...compressorSettings,
} as const satisfies Slice;
