import { readlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readPath, readStringAt } from '../../../base/json.ts';
import { resolveFromNearestParent } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { ToolCallInfo } from '../../../contracts/safety.ts';
import { analyzeCommandEffect, type Mutation } from './commands.ts';
import { findNamedPaths } from './named.ts';
import { tryLstat } from './scan.ts';

/** What is to be kept before a call. */
export interface KeepRequest {
  readonly what: string;
  readonly mutation: Mutation;
  /** The folder everything below which may change, when it is not known what will. */
  readonly folder?: string;
  /** Single places, absolute, links in the folders above them followed. */
  readonly paths: readonly string[];
}

/** Tools that may change anything: what they run, and where. */
const WIDE: Readonly<Record<string, (call: ToolCallInfo, home: string) => { readonly command: string; readonly folder: string }>> = {
  terminal: ({ input, cwd }, home) => ({
    command: readStringAt(input, 'command') ?? '',
    folder: resolve(cwd, fromHome(readStringAt(input, 'workdir') ?? '', home)),
  }),
  // What is written to a process may be a line for a shell.
  process: ({ input, cwd }) => ({ command: readStringAt(input, 'data') ?? '', folder: cwd }),
};
/** A script calls any program, a server of the owner's has tools of its own: their words tell nothing. */
const isOpaque = (tool: string): boolean => tool === 'execute_code' || tool.startsWith('mcp__');

/** It goes on when the call is over: what it leaves is not known then. */
export const outlivesCall = ({ tool, input }: ToolCallInfo): boolean =>
  tool === 'process' || (tool === 'terminal' && readPath(input, 'background') === true);

/** `undefined` when the call changes no file that could be kept. `home` is the owner's home folder, for `~`. */
export function toKeepRequest(call: ToolCallInfo, home: string): KeepRequest | undefined {
  const wide = WIDE[call.tool]?.(call, home);
  if (wide !== undefined) return ofCommand(wide.command, resolveFromNearestParent(wide.folder), home);
  if (isOpaque(call.tool)) return { what: call.tool, mutation: 'writes', folder: resolveFromNearestParent(call.cwd), paths: [] };
  const paths = call.effects.resources.flatMap((resource) => (resource.startsWith('path:/') ? [resource.slice('path:'.length)] : []));
  if (paths.length === 0) return undefined;
  return {
    what: paths.map((path) => showPath(path, call.cwd)).join(', '),
    mutation: 'destroys',
    paths: paths.flatMap((path) => [...new Set([place(path), behind(path)])]),
  };
}

function ofCommand(command: string, folder: string, home: string): KeepRequest | undefined {
  const { mutation, calls } = analyzeCommandEffect(command, { cwd: folder, home });
  return mutation === 'reads' ? undefined : { what: command, mutation, folder, paths: findNamedPaths(calls, folder).map(place) };
}
const fromHome = (word: string, home: string): string => (word === '~' || word.startsWith('~/') ? join(home, word.slice(1)) : word);

/** A link is itself; the folder it lies in is where it really is. */
const place = (path: string): string => (path === '/' ? path : join(resolveFromNearestParent(dirname(path)), basename(path)));

/** What is written to by way of a link, whether it is there yet or not. */
function behind(path: string, links = MAX_LINKS): string {
  const found = place(path);
  const target = links === 0 ? undefined : linkAt(found);
  return target === undefined ? found : behind(resolve(dirname(found), target), links - 1);
}
/** More links in a row than this are a ring. */
const MAX_LINKS = 20;
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

const showPath = (path: string, cwd: string): string => (isWithin(cwd, path) ? relative(cwd, path) || '.' : path);

/** The folder a place is kept under: that of the work when it lies there, else the nearest above it that is there. */
export function findKeepRoot(path: string, work: string): string {
  if (isWithin(work, path) && path !== work) return work;
  let folder = dirname(path);
  while (dirname(folder) !== folder && !isFolder(folder)) folder = dirname(folder);
  return folder;
}
export const isFolder = (path: string): boolean => tryLstat(path)?.isDirectory() === true;
