import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPath, isObject, parseJson, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { toServerFileName } from './names.ts';

/** What a login left: tokens, the registration they belong to, and what a login under way must remember. */
export type TokenPart = 'tokens' | 'client' | 'verifier' | 'discovery';

const SECRETS = ['access_token', 'refresh_token', 'id_token', 'client_secret'] as const;

/** One server's login, in a file only its owner can read. */
export interface TokenFile {
  read(part: TokenPart): JsonObject | undefined;
  write(part: TokenPart, value: JsonObject): void;
  forget(parts: readonly TokenPart[]): void;
  remove(): void;
}

export const resolveTokenPath = (folder: string, server: string): string => join(folder, toServerFileName(server));

/** Bound to an address: tokens of one place are never shown to another that took over its name. */
export function bindTokenFile(path: string, url: string, learn: (name: string, value: string) => void = () => {}): TokenFile {
  const now = (): JsonObject => {
    const stored = contentOf(path);
    return readStringAt(stored, 'url') === url && isObject(stored) ? stored : { url };
  };
  const save = (value: JsonObject): void => replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`, 0o600);
  return {
    read: (part) => {
      const value = readPath(now(), part);
      return isObject(value) ? value : undefined;
    },
    write: (part, value) => {
      for (const name of SECRETS) if (typeof value[name] === 'string') learn(name, value[name]);
      save({ ...now(), [part]: value });
    },
    forget: (parts) => save(Object.fromEntries(Object.entries(now()).filter(([key]) => !parts.some((part) => part === key)))),
    remove: () => rmSync(path, { force: true }),
  };
}

function contentOf(path: string): Json | undefined {
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
