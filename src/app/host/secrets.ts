import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Home } from '../../base/home.ts';
import { isObject } from '../../base/json.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import { createSecrets } from '../../parts/safety/secrets/secrets.ts';
import { extractSecrets, type SecretCandidate } from '../../parts/safety/secrets/worth.ts';
import { isSecretNamed } from '../../parts/terminals/process/environment.ts';

import type { Env } from '../../base/env.ts';

/** The secrets of one home and of the process it runs in. Files are read when the first secret is needed. */
export const openSecrets = (home: Home, processEnv: Env): Secrets =>
  createSecrets({ known: () => knownSecrets(home, processEnv), salt: () => saltOf(home) });

function* knownSecrets(home: Home, processEnv: Env) {
  for (const candidate of candidates(home, processEnv))
    for (const value of extractSecrets(candidate).secrets) yield { name: candidate.name, value };
}

/** Names of what is named a secret, and then of what else stands in `.env`, and is not treated as one, and why: for doctor. */
export const describeSkippedSecrets = (home: Home, processEnv: Env): readonly string[] => [
  ...new Set(
    [...candidates(home, processEnv).filter(({ named }) => named), ...inEnvFile(home)].flatMap((candidate) => {
      const why = extractSecrets(candidate).passedOver;
      return why === undefined ? [] : [`${candidate.name} (${why})`];
    }),
  ),
];

/** The home's own files first: the first name of a value stays its name, also when a shell exports it under another. */
function candidates(home: Home, processEnv: Env): SecretCandidate[] {
  return [
    ...inEnvFile(home),
    ...credentialFiles(home).flatMap((file) => fieldsOf(readJson(file), basename(file, '.json'))),
    // Words of the owner stand beside its secrets.
    ...fieldsOf(readJson(join(home.root, 'webhook_subscriptions.json')), 'webhook').filter(({ named }) => named),
    ...Object.entries(processEnv)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => variable(name, value, false)),
  ];
}

/** Whatever it is called: people keep secrets there under any name. */
const inEnvFile = (home: Home): SecretCandidate[] =>
  Object.entries(parseEnv(textOf(home.env))).map(([name, value]) => variable(name, value, true));

const variable = (name: string, value = '', kept: boolean): SecretCandidate => ({ name, value, named: isSecretNamed(name), kept });

/** Where logins and tokens are kept, by the reference's layout. */
const FOLDERS = ['mcp-tokens', 'oauth', 'pairing'] as const;
const FILES = ['auth.json', 'credential-pool.json'] as const;

function credentialFiles({ root }: Home): string[] {
  const inFolders = FOLDERS.flatMap((folder) => namesIn(join(root, folder)).map((name) => join(root, folder, name)));
  return [...FILES.map((name) => join(root, name)), ...inFolders.filter((path) => path.endsWith('.json'))];
}

/** Every text in a credential store; those whose field, or the list they are in, says so are taken even when they read like a name. */
function fieldsOf(value: unknown, name: string, named = false): SecretCandidate[] {
  if (typeof value === 'string') return [{ name, value, named, kept: true }];
  if (Array.isArray(value)) return value.flatMap((each, index) => fieldsOf(each, `${name}.${index + 1}`, named));
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => fieldsOf(member, `${name}.${key}`, isSecretNamed(key))) : [];
}

/** What is not there or cannot be read holds nothing we know; who needs it will say so. A pipe would never end. */
const textOf = (path: string): string => quietly(() => (statSync(path).isFile() ? readFileSync(path, 'utf8') : '')) ?? '';
const readJson = (path: string): unknown => quietly((): unknown => JSON.parse(textOf(path)));
const namesIn = (folder: string): string[] => quietly(() => readdirSync(folder).toSorted()) ?? [];

function quietly<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Random and kept with the home, so that a placeholder is the same in every run and says nothing of its value elsewhere. */
function saltOf({ root }: Home): string {
  const path = join(root, 'secrets.salt');
  const kept = (): string => textOf(path).trim();
  if (kept() === '') quietly(() => putSalt(path));
  // Where it cannot be kept, placeholders are good for this process.
  return kept() || freshSalt();
}

const freshSalt = (): string => process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex');

/** Whole or not at all, and never in place of one that another process was quicker to make. */
function putSalt(path: string): void {
  const beside = `${path}.${process.pid}.new`;
  try {
    writeFileSync(beside, `${freshSalt()}\n`, { mode: 0o600 });
    linkSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}
