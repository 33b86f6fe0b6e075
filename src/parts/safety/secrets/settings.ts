import type { SettingsSlice } from '../../../contracts/settings.ts';

export const secretSettings = {
  'security.redact_secrets': {
    kind: 'boolean',
    default: true,
    describe:
      'Whether what looks like a secret (tokens of known makers, passwords in addresses and assignments, private keys) is masked in tool results. Values from .env and the credential stores are redacted everywhere in any case. Read once at the start.',
    source: 'reference tools-and-cli §2.7 (true)',
  },
} as const satisfies SettingsSlice;
