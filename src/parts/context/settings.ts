import type { SettingsSlice } from '../../contracts/settings.ts';
import { compressorSettings } from './compressor/settings.ts';

export const contextSettings = {
  'context.engine': {
    kind: 'string',
    owner: true,
    default: 'compressor',
    describe: 'The engine that decides what the model sees of a long session: compressor, window, or the name of a plugin engine.',
  },
  'auxiliary.embedding.model': {
    kind: 'string',
    default: '',
    describe:
      'The embedding model that context_recall uses to find passages by meaning. Empty: it searches by words only, and no text is sent to an embedding server.',
  },
  'auxiliary.embedding.provider': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The provider of the embedding model. Empty means the provider of the session.',
  },
  'auxiliary.embedding.base_url': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The address of an OpenAI-compatible embeddings server for this model only.',
  },
  ...compressorSettings,
} as const satisfies SettingsSlice;
