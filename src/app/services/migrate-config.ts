import { dirname, join } from 'node:path';
import { resolveHome, type Home } from '../../base/home.ts';
import { maskSecret } from '../../base/secret-names.ts';
import type { MigrationReport } from '../../contracts/services/configuration.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { readIfThere, type Fields } from '../../parts/config/config.ts';
import { withVariable } from '../../parts/config/env-file.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { migrateConfig, type MigrationFacts } from '../../parts/config/migrate.ts';
import { readValue } from '../../parts/config/read-value.ts';
import { writeWhole } from '../../parts/config/write-whole.ts';
import { resolveKeyVariable } from '../../parts/providers/key-variable.ts';
import { renderUnifiedDiff } from '../../parts/tools/builtin/patch/unified.ts';

/** Brings the settings file up to date: first a copy beside it, then secrets into `.env`, then the file. */
export function migrateSettings({ processEnv, registered }: ServiceOptions, fields: Fields, isDryRun: boolean): MigrationReport {
  const home = resolveHome(processEnv);
  const before = readIfThere(home.config) ?? '';
  const env = mergeEnvironment(home.env, processEnv);
  const facts: MigrationFacts = {
    keyVariable: (provider) => resolveKeyVariable(provider, env, [...registered.providers.values()]),
    isFree: (variable, value) => ['', value].includes(env[variable] ?? ''),
    isValid: (key, value) => isValid(fields, key, value),
  };
  const { text, moves, left, variables } = migrateConfig(before, facts);
  const isChanged = text !== before;
  const backup = isChanged && !isDryRun ? save(home, { before, text, variables }) : undefined;
  return {
    file: home.config,
    moves,
    left,
    variables: Object.keys(variables),
    diff: isChanged ? mask(renderUnifiedDiff({ old: 'config.yaml', new: 'config.yaml' }, before, text), Object.values(variables)) : '',
    ...(backup !== undefined && { backup }),
  };
}

function isValid(fields: Fields, key: string, value: unknown): boolean {
  const field = fields.get(key);
  return field === undefined ? fields.get(key.split('.')[0] ?? '')?.kind === 'table' : readValue(field, value).ok;
}

const mask = (diff: string, secrets: readonly string[]): string =>
  secrets.reduce((text, secret) => text.replaceAll(secret, maskSecret(secret)), diff);

interface MigratedTexts {
  readonly before: string;
  readonly text: string;
  readonly variables: Readonly<Record<string, string>>;
}

function save(home: Home, { before, text, variables }: MigratedTexts): string {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const backup = join(dirname(home.config), `config.yaml.${stamp}.bak`);
  // It may hold the secrets that leave the file.
  writeWhole(backup, before, 0o600);
  const secrets = Object.entries(variables);
  if (secrets.length > 0)
    writeWhole(
      home.env,
      secrets.reduce((rest, [name, value]) => withVariable(rest, name, value), readIfThere(home.env) ?? ''),
      0o600,
    );
  writeWhole(home.config, text);
  return backup;
}
