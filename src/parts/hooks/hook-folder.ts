import { existsSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readErrorCode, toErrorMessage } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';

/** A hook as its folder has it. */
export interface Hook {
  /** The name of its folder, by which it is trusted. */
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Names of events, or all of a kind: `agent:*`. */
  readonly events: readonly string[];
  /** The file that is run. */
  readonly handler: string;
  /** Of everything in the folder: names and bytes. */
  readonly hash: string;
}
export type HookReading = { readonly ok: true; readonly hook: Hook } | { readonly ok: false; readonly name: string; readonly why: string };

/** The first of these that is there is run. */
export const HANDLERS = ['handler.ts', 'handler.mts', 'handler.js', 'handler.mjs', 'handler.sh', 'handler.py'] as const;
const KINDS = ['gateway:startup', 'session:start', 'session:end', 'session:reset', 'session:*', 'agent:start', 'agent:step', 'agent:end'];
const EVENT = new RegExp(`^(?:${KINDS.map((kind) => kind.replace('*', '\\*')).join('|')}|gateway:\\*|agent:\\*|command:(?:\\*|[\\w-]+))$`);
const MAX_FILES = 200;
const MAX_BYTES = 5_000_000;

/** Every folder below `hooks`, in the order they run: by name. */
export function readHooks(folder: string): readonly HookReading[] {
  // Asked with every event, and most homes have none.
  if (!existsSync(folder)) return [];
  return listFolder(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
    .map((name) => readHook(join(folder, name), name));
}

function readHook(path: string, name: string): HookReading {
  try {
    const files = readFiles(path);
    const manifest = files.get('HOOK.yaml');
    if (manifest === undefined) throw new Error('it has no HOOK.yaml. Add one with name, description and events.');
    const handler = HANDLERS.find((file) => files.has(file));
    if (handler === undefined) throw new Error(`it has no handler. Add one of ${HANDLERS.join(', ')}.`);
    const hash = sha256(JSON.stringify([...files].map(([file, bytes]) => [file, sha256(bytes)])));
    return { ok: true, hook: { name, path, ...readManifest(manifest.toString('utf8')), handler, hash } };
  } catch (error) {
    return { ok: false, name, why: toErrorMessage(error) };
  }
}

function readManifest(text: string): Pick<Hook, 'description' | 'events'> {
  const found: unknown = parse(text);
  if (!isObject(found)) throw new Error('its HOOK.yaml is not a table of name, description and events.');
  const { description, events } = found;
  const named = Array.isArray(events) ? events.map(String) : [];
  if (named.length === 0) throw new Error('its HOOK.yaml names no events, as in: events: [agent:end]');
  const unknown = named.filter((event) => !EVENT.test(event));
  if (unknown.length > 0)
    throw new Error(`its HOOK.yaml names events that do not exist: ${unknown.join(', ')}. There are ${listEvents()}.`);
  return { description: typeof description === 'string' ? description : '', events: named };
}
const listEvents = (): string => [...KINDS.filter((kind) => !kind.endsWith('*')), 'command:NAME'].join(', ');

/** Every file below it. What is too large to be looked at is refused: it would be trusted unseen. */
function readFiles(root: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  let bytes = 0;
  const walk = (below: string): void => {
    for (const entry of listFolder(join(root, below)).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = below === '' ? entry.name : `${below}/${entry.name}`;
      // No handler is run from it: see `run-handler.ts`.
      if (entry.name === '__pycache__') continue;
      if (entry.isDirectory()) walk(file);
      else if (!entry.isFile()) throw new Error(`${file} is a link or no file. Replace it with a copy.`);
      else {
        const content = readFileSync(join(root, file));
        bytes += content.length;
        files.set(file, content);
        if (files.size > MAX_FILES || bytes > MAX_BYTES)
          throw new Error(`its folder holds more than ${MAX_FILES} files or ${MAX_BYTES / 1_000_000} MB. Keep data somewhere else.`);
      }
    }
  };
  walk('');
  return files;
}

function listFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Whether a hook wants to hear of an event. */
export const hears = ({ events }: Pick<Hook, 'events'>, event: string): boolean =>
  events.some((wanted) => wanted === event || (wanted.endsWith(':*') && event.startsWith(wanted.slice(0, -1))));
