import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPath, numberAt, parseJson, stableJson, stringAt } from '../../base/json.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { sha256 } from '../../base/sha256.ts';
import { fileNameFor } from './names.ts';
import { storedTools, type OfferedTools } from './remote-tools.ts';
import type { ServerConfig } from './servers.ts';

/** What a server offered when it was last asked. */
export interface CachedOffer extends OfferedTools {
  readonly at: number;
  readonly protocol: string;
  readonly server: string;
}

/** Which server an entry means. Values of variables and headers stay out: they are secrets, and another token is no other server. */
export function identityOf(config: ServerConfig): string {
  const means =
    config.kind === 'stdio'
      ? { command: config.command, args: config.args, env: Object.keys(config.env).toSorted() }
      : { url: config.url, headers: Object.keys(config.headers).toSorted(), oauth: config.oauth !== undefined };
  return sha256(stableJson({ ...means, format: 1 }));
}

const choiceOf = ({ include, exclude }: ServerConfig): string => stableJson({ include, exclude });

const pathOf = (folder: string, { name }: ServerConfig): string => join(folder, fileNameFor(name));

/** What is known of a server, if it is still the one that was asked. A broken file is as good as none. */
export function readSeen(folder: string, config: ServerConfig): CachedOffer | undefined {
  const value = parseJson(textOf(pathOf(folder, config)));
  const when = numberAt(value, 'at');
  if (stringAt(value, 'identity') !== identityOf(config) || when === undefined) return undefined;
  const beyond = numberAt(value, 'beyond') ?? 0;
  // What was kept of a long list hangs on what was wanted of it.
  if (beyond > 0 && stringAt(value, 'choice') !== choiceOf(config)) return undefined;
  return {
    at: when,
    protocol: stringAt(value, 'protocol') ?? '',
    server: stringAt(value, 'server') ?? '',
    tools: storedTools(readPath(value, 'tools')),
    beyond,
    endless: readPath(value, 'endless') === true,
  };
}

export function writeSeen(folder: string, config: ServerConfig, seen: CachedOffer): void {
  replaceFile(pathOf(folder, config), `${JSON.stringify({ identity: identityOf(config), choice: choiceOf(config), ...seen })}\n`, 0o600);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
