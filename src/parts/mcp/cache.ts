import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPath, readNumberAt, parseJson, toStableJson, readStringAt } from '../../base/json.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { sha256 } from '../../base/sha256.ts';
import { toServerFileName } from './names.ts';
import { parseStoredTools, type OfferedTools } from './remote-tools.ts';
import type { ServerConfig } from './servers.ts';

/** What a server offered when it was last asked. */
export interface CachedOffer extends OfferedTools {
  readonly at: number;
  readonly protocol: string;
  readonly server: string;
}

/** Which server an entry means. Values of variables and headers stay out: they are secrets, and another token is no other server. */
export function hashServerIdentity(config: ServerConfig): string {
  const means =
    config.kind === 'stdio'
      ? { command: config.command, args: config.args, env: Object.keys(config.env).toSorted() }
      : { url: config.url, headers: Object.keys(config.headers).toSorted(), oauth: config.oauth !== undefined };
  return sha256(toStableJson({ ...means, format: 1 }));
}

const choiceOf = ({ include, exclude }: ServerConfig): string => toStableJson({ include, exclude });

const pathOf = (folder: string, { name }: ServerConfig): string => join(folder, toServerFileName(name));

/** What is known of a server, if it is still the one that was asked. A broken file is as good as none. */
export function readCachedOffer(folder: string, config: ServerConfig): CachedOffer | undefined {
  const value = parseJson(textOf(pathOf(folder, config)));
  const when = readNumberAt(value, 'at');
  if (readStringAt(value, 'identity') !== hashServerIdentity(config) || when === undefined) return undefined;
  const beyond = readNumberAt(value, 'beyond') ?? 0;
  // What was kept of a long list hangs on what was wanted of it.
  if (beyond > 0 && readStringAt(value, 'choice') !== choiceOf(config)) return undefined;
  return {
    at: when,
    protocol: readStringAt(value, 'protocol') ?? '',
    server: readStringAt(value, 'server') ?? '',
    tools: parseStoredTools(readPath(value, 'tools')),
    beyond,
    endless: readPath(value, 'endless') === true,
  };
}

export function writeCachedOffer(folder: string, config: ServerConfig, seen: CachedOffer): void {
  replaceFile(
    pathOf(folder, config),
    `${JSON.stringify({ identity: hashServerIdentity(config), choice: choiceOf(config), ...seen })}\n`,
    0o600,
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
