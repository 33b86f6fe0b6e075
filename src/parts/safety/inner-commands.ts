import { nameOf } from './arguments.ts';
import { findCommands, findRoots } from './find-command.ts';
import { handedOn, isShell } from './handed-on.ts';
import { wrapped } from './wrappers.ts';

/** More than anybody writes: beyond it a command is asked about, and `find` is judged by its first roots. */
export const MAX_LAYERS = 16;
const MAX_ROOTS = 64;

/** The commands this one runs, as words. */
export function innerCommands(name: string, args: readonly string[], fed: readonly string[]): readonly (readonly string[])[] {
  const inner = wrapped(name, args);
  if (name === 'xargs' && inner !== undefined && fed.length > 0) {
    const given = fed.flatMap((text) => text.split(/\s+/)).filter((word) => word !== '');
    return [[...inner.filter((word) => word !== '{}'), ...given]];
  }
  if (inner !== undefined) return inner.length === 0 ? [] : [inner];
  if (name !== 'find') return [];
  // What is found lies below where it is looked for.
  const roots = findRoots(args).slice(0, MAX_ROOTS);
  return findCommands(args).flatMap((words) => roots.map((root) => words.map((word) => (word === '{}' ? `${root}/{}` : word))));
}

/** Whether a command that is run on everything found deletes it, whatever stands before it. */
export function deletes(words: readonly string[], layer = 0): boolean {
  const [first = '', ...args] = words;
  const name = nameOf(first);
  if (name === 'rm') return true;
  if (isShell(name)) return args.some((word) => /\brm\b/.test(word));
  const inner = layer > MAX_LAYERS ? undefined : wrapped(name, args);
  return inner !== undefined && deletes(inner, layer + 1);
}

/** What `xargs` makes of its input would be a deletion or a command line. */
export function feedsDanger(words: readonly string[]): boolean {
  if (deletes(words)) return true;
  const [first = '', ...args] = words;
  const name = nameOf(first);
  const line = handedOn(name, args)[0];
  return isShell(name) && (line === undefined || line.includes('{}'));
}
