import type { SettingsSlice } from '../../contracts/settings.ts';
import { compressorSettings } from './compressor/settings.ts';

export const contextSettings = {
  'context.engine': {
    kind: 'string',
    default: 'compressor',
    describe: 'Who decides what of a long session the model sees: compressor, window, or the name of a plugin engine.',
    source: 'seed 002 (compressor)',
  },
  'auxiliary.embedding.model': {
    kind: 'string',
    default: '',
    describe: 'Model by which context_recall finds passages by their meaning; empty leaves it with words alone.',
    source: 'ours: nothing of a session is sent anywhere unless its owner says so',
  },
  'auxiliary.embedding.provider': {
    kind: 'string',
    default: '',
    describe: 'Provider of that model; empty takes the one of the session.',
    source: 'ours: as for the other auxiliary models',
  },
  'auxiliary.embedding.base_url': {
    kind: 'string',
    default: '',
    describe: 'Address of a server with the /embeddings of OpenAI, for that model alone.',
    source: 'ours: as for the other auxiliary models',
  },
  ...compressorSettings,
} as const satisfies SettingsSlice;
