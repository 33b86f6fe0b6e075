import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const secretSettings = ownersAlone({
  'security.redact_secrets': {
    kind: 'boolean',
    default: true,
    describe:
      'Mask text in tool results that looks like a secret: tokens of known services, passwords in addresses and assignments, private keys. Values from .env and the credential stores are masked everywhere in any case. Takes effect at the next start.',
  },
} as const satisfies SettingsSlice);
