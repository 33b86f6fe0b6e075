import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { isObject, parseJson, readPath, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { isFolder, listFolders, type HomeReader } from '../foreign/files.ts';

const FILE = 'openclaw.json';

/** Its settings; `undefined` when there is no such file. */
export async function readOpenClawConfig({ folder, read }: HomeReader): Promise<JsonObject | undefined> {
  const file = read('config', FILE);
  if (file === undefined) return undefined;
  const parsed = parseJson(file.text) ?? (await parseRelaxed(file.text));
  if (!isObject(parsed))
    throw new UsageError(`${join(folder, FILE)} could not be read as JSON5. Correct it with: openclaw config validate`);
  return parsed;
}

/** JSON5 as people write it: without its comments it is YAML, which has names without quotes and commas at the end. */
async function parseRelaxed(text: string): Promise<Json | undefined> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text.replaceAll(STRING_OR_COMMENT, (found, quoted?: string) => quoted ?? ''));
  return document.errors.length > 0 ? undefined : readPath([document.toJS()], 0);
}
const STRING_OR_COMMENT = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

export interface OpenClawAgent {
  readonly id: string;
  /** Where its files lie; absent when no such folder is found. */
  readonly workspace?: string;
}

/** The agents of a home, the main one first. A folder that was moved from another machine is found where it would be made anew. */
export function listAgents(folder: string, config: JsonObject): readonly OpenClawAgent[] {
  const entries = readPath(config, 'agents', 'entries');
  const list = readPath(config, 'agents', 'list');
  const named = [
    ...(isObject(entries) ? Object.keys(entries) : []),
    ...(Array.isArray(list) ? list.flatMap((each) => readStringAt(each, 'id') ?? []) : []),
  ];
  const ids = new Set(['main', ...named, ...listFolders(join(folder, 'agents'))]);
  return [...ids].map((id) => {
    const listed = Array.isArray(list) ? list.find((each) => readStringAt(each, 'id') === id) : undefined;
    const said = [
      readStringAt(entries, id, 'workspace') ?? readStringAt(listed, 'workspace'),
      ...(id === 'main' || ids.size === 1 ? [readStringAt(config, 'agents', 'defaults', 'workspace')] : []),
    ];
    const usual = id === 'main' ? ['workspace', 'workspace-main'] : [`workspace-${id}`, join('workspace', id)];
    const places = [
      ...said.flatMap((path) => (path === undefined ? [] : [resolvePlace(path, folder)])),
      ...usual.map((name) => join(folder, name)),
    ];
    const workspace = places.find(isFolder);
    return { id, ...(workspace !== undefined && { workspace }) };
  });
}

const resolvePlace = (path: string, folder: string): string =>
  path.startsWith('~/') ? join(homedir(), path.slice(2)) : isAbsolute(path) ? path : join(folder, path);
