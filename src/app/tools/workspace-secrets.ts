import type { Secrets } from '../../contracts/secrets.ts';
import { readEnvFile, readEnvFiles } from '../../parts/safety/secrets/env-files.ts';
import { extractSecrets } from '../../parts/safety/secrets/worth.ts';
import { isSecretNamed } from '../../parts/terminals/process/environment.ts';

/** Values in the `.env` files of a working folder count as those of the home's own do: commands that look through a folder show them. */
export function learnWorkspaceSecrets(folder: string, { learn }: Pick<Secrets, 'learn'>): void {
  for (const { name, variable, value } of readEnvFiles(folder))
    for (const secret of extractSecrets({ name, value, named: isSecretNamed(variable), kept: true }).secrets) learn(name, secret);
}

/** Whether all that is secret in a `.env` file is known by now: its other words may be shown. A password that is a plain word is not. */
export const createEnvFileMask =
  ({ redact }: Pick<Secrets, 'redact'>) =>
  (path: string): boolean => {
    const variables = readEnvFile(path);
    const isHidden = (secret: string): boolean => !redact(secret).includes(secret);
    return (
      variables.length > 0 &&
      variables.every(({ name, variable, value }) => {
        const named = isSecretNamed(variable);
        return named && value !== '' ? isHidden(value) : extractSecrets({ name, value, named, kept: true }).secrets.every(isHidden);
      })
    );
  };
