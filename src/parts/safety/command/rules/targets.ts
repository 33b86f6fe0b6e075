import type { Call } from '../call/call.ts';
import { hasFlag, listOperands, listFlagValues } from './rows.ts';
import { findOutputTargets, type FindTargets, TARGETS } from './target-rows.ts';

/** Programs without a row: an output named as such, or files they say they change in place. */
const usual: FindTargets = ({ args }) =>
  [
    ...findOutputTargets({ args }),
    ...(args.some((word) => /^--(?:in-?place|write|fix|overwrite)$/.test(word)) ? listOperands(args) : []),
  ].filter((word) => /^[~/.]/.test(word));

/** Where a program is told to put what it builds or fetches, by a flag or a setting that says so. */
const PLACED =
  /^(?:--?)?(?:prefix|root|install[-_]?(?:dir|path|root)|destdir|bindir|libdir|sysconfdir|target[-_]?dir|dest(?:ination)?|out(?:put)?[-_]?dir)$/i;
const installed = ({ name, args }: Call): readonly string[] =>
  /^(?:configure|meson|cat|ls|echo|printf|docker|podman)$/.test(name) ? [] : listFlagValues(args, PLACED).map((folder) => `${folder}/x`);
/** Everything a call writes to: by redirection and by its own means. */
export const findWriteTargets = (call: Call): readonly string[] => {
  const own = Object.hasOwn(TARGETS, call.name) ? TARGETS[call.name]?.(call) : usual(call);
  return [...call.writes, ...(own ?? []), ...installed(call)];
};
/** Verbs of git that put files into the folder it stands in. */
const PUTS = /^(?:apply|am|pull|merge|rebase|checkout|switch|restore|cherry-pick|revert|reset|init|mv|submodule|read-tree)$/;
/** Folders a call makes and fills: nothing is lost by that, but what lies there may run later. */
export const findFilledFolders = ({ name, args }: Call): readonly string[] => {
  if (name === 'git' && args.some((word) => PUTS.test(word))) return [`${listFlagValues(args, /^(?:-C|--work-tree)$/).at(-1) ?? '.'}/x`];
  const at = name === 'git' ? args.findIndex((word) => word === 'clone') : -1;
  const folder = at < 0 ? undefined : listOperands(args.slice(at + 1)).at(-1);
  return folder === undefined || listOperands(args.slice(at + 1)).length < 2 ? [] : [`${folder}/x`];
};
/** Those whose former content is lost. */
export const findReplacedTargets = (call: Call): readonly string[] => {
  const own = Object.hasOwn(TARGETS, call.name) ? (TARGETS[call.name]?.(call) ?? []) : usual(call);
  return call.name === 'tee' && hasFlag(call.args, 'a', '--append') ? call.replaces : [...call.replaces, ...own];
};
