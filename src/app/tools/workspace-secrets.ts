import type { Secrets } from '../../contracts/secrets.ts';
import { readEnvFiles } from '../../parts/safety/secrets/env-files.ts';
import { extractSecrets } from '../../parts/safety/secrets/worth.ts';
import { isSecretNamed } from '../../parts/terminals/process/environment.ts';

/** Values in the `.env` files of a working folder count as those of the home's own do: commands that look through a folder show them. */
export function learnWorkspaceSecrets(folder: string, { learn }: Pick<Secrets, 'learn'>): void {
  for (const { name, variable, value } of readEnvFiles(folder))
    for (const secret of extractSecrets({ name, value, named: isSecretNamed(variable), kept: true }).secrets) learn(name, secret);
}
