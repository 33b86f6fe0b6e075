import { isObject, readNumberAt, parseJson, readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';

/** What stood at one path at one moment. Contents lie in the store under their hash. */
export type KeptState =
  | { readonly is: 'absent' }
  | { readonly is: 'file'; readonly hash: string; readonly mode: number }
  /** A link as it is written; it is never followed. */
  | { readonly is: 'link'; readonly target: string }
  | { readonly is: 'folder'; readonly mode: number }
  /** Over the bounds: known to be there, its bytes are not kept. The stamp tells one state of it from another. */
  | { readonly is: 'too_large'; readonly mode: number; readonly stamp: string };

export const ABSENT: KeptState = { is: 'absent' };

export interface HeldFile {
  /** Below the record's root. */
  readonly path: string;
  readonly before: KeptState;
}
export interface ChangedFile extends HeldFile {
  readonly after: KeptState;
}

/**
 * What was kept of one folder before one call. Written once and never changed; everything it names is durable before it
 * is seen. What the call left stands in a file of its own beside it, so that no later write can harm this one.
 */
export interface CheckpointBefore {
  readonly id: string;
  readonly at: number;
  readonly sessionId: string;
  readonly turnId: string;
  readonly tool: string;
  /** The command, or the paths. */
  readonly what: string;
  readonly root: string;
  readonly files: readonly HeldFile[];
  /** The hash of a list of everything below the root, when all of it was kept. */
  readonly tree?: string;
  /** Contents a rollback is about to put back: they must stay although the records that name them may go. */
  readonly pins?: readonly string[];
  /** The keeping this one is a part of: of the same call in another folder, or of the same turn. */
  readonly joins?: string;
}
/** What a call left. Absent while it runs, and for ever when it was cut off. */
export interface CheckpointAfter {
  readonly at: number;
  readonly files: readonly ChangedFile[];
}
export interface CheckpointRecord extends CheckpointBefore {
  readonly left?: CheckpointAfter;
}

export function isSameState(one: KeptState, other: KeptState): boolean {
  if (one.is === 'file') return other.is === 'file' && one.hash === other.hash && one.mode === other.mode;
  if (one.is === 'link') return other.is === 'link' && one.target === other.target;
  if (one.is === 'folder') return other.is === 'folder' && one.mode === other.mode;
  if (one.is === 'too_large') return other.is === 'too_large' && one.stamp === other.stamp && one.mode === other.mode;
  return other.is === 'absent';
}

export function parseCheckpointBefore(text: string): CheckpointBefore | undefined {
  const value = parseJson(text);
  const [id, sessionId, turnId] = [readStringAt(value, 'id'), readStringAt(value, 'sessionId'), readStringAt(value, 'turnId')];
  const [tool, what, root, at] = [
    readStringAt(value, 'tool'),
    readStringAt(value, 'what'),
    readStringAt(value, 'root'),
    readNumberAt(value, 'at'),
  ];
  const files = isObject(value) ? readList(value['files'], readFile) : undefined;
  if (id === undefined || sessionId === undefined || turnId === undefined || at === undefined) return undefined;
  if (tool === undefined || what === undefined || root === undefined || files === undefined) return undefined;
  return { id, at, sessionId, turnId, tool, what, root, files, ...readMore(value) };
}

function readMore(value: Json | undefined): Pick<CheckpointBefore, 'tree' | 'joins' | 'pins'> {
  const [tree, joins] = [readStringAt(value, 'tree'), readStringAt(value, 'joins')];
  const pins = isObject(value)
    ? readList(value['pins'], (hash) => (typeof hash === 'string' && isHash(hash) ? hash : undefined))
    : undefined;
  return { ...(tree !== undefined && { tree }), ...(joins !== undefined && { joins }), ...(pins !== undefined && { pins }) };
}

export function parseCheckpointAfter(text: string): CheckpointAfter | undefined {
  const value = parseJson(text);
  const at = readNumberAt(value, 'at');
  const files = isObject(value) ? readList(value['files'], readChanged) : undefined;
  return at === undefined || files === undefined ? undefined : { at, files };
}

function readChanged(value: Json): ChangedFile | undefined {
  const file = readFile(value);
  const after = isObject(value) ? readKept(value['after']) : undefined;
  return file === undefined || after === undefined ? undefined : { ...file, after };
}

export function readFile(value: Json): HeldFile | undefined {
  const path = readStringAt(value, 'path');
  const before = isObject(value) ? readKept(value['before']) : undefined;
  return path === undefined || before === undefined ? undefined : { path, before };
}

function readKept(value: Json | undefined): KeptState | undefined {
  const [is, mode] = [readStringAt(value, 'is'), readNumberAt(value, 'mode')];
  const [hash, target, stamp] = [readStringAt(value, 'hash'), readStringAt(value, 'target'), readStringAt(value, 'stamp')];
  if (is === 'absent') return ABSENT;
  if (is === 'link' && target !== undefined) return { is, target };
  if (mode === undefined) return undefined;
  if (is === 'file' && hash !== undefined && isHash(hash)) return { is, hash, mode };
  if (is === 'folder') return { is, mode };
  return is === 'too_large' && stamp !== undefined ? { is, mode, stamp } : undefined;
}

/** A hash becomes part of a file's name. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** All rows, or nothing: half a record would bring back half a state. */
export function readList<Row>(value: Json | undefined, read: (row: Json) => Row | undefined): Row[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rows = value.map(read).filter((row) => row !== undefined);
  return rows.length === value.length ? rows : undefined;
}
