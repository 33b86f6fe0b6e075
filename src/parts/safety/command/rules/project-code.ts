import { isInside, isTemporary, resolveTargetPath } from '../places/paths.ts';
import type { Call } from '../call/call.ts';
import { SHELL } from '../run/shell-scripts.ts';
import { listOperands } from './rows.ts';
import { WORKSHOP } from './workshop.ts';

/** `python3.12` and `gcc-13` are python and gcc. */
const withoutVersion = (name: string): string => name.replace(/[-.]?\d[\d.]*$/, '');
const INTERPRETER =
  /^(?:python|pypy|ipython|node|nodejs|deno|bun|ruby|irb|perl|php|lua|luajit|tclsh|Rscript|R|julia|elixir|groovy|osascript|tsx|ts-node|jshell|scala|kotlin|swift|racket|guile|sbcl|octave|gp)$/;
/** Flags behind which code stands. */
const INLINE = /^(?:-[a-zA-Z]*[eEcr]|-[pni][a-zA-Z]*[eE]?\S*|--(?:eval|print|execute|run|e|expr)(?:=.*)?|eval|-p|-m5)$/;
const MODULES = /^-m$/;

const isInterpreter = (name: string): boolean => INTERPRETER.test(withoutVersion(name));

/** Code on the command line, or fed to an interpreter: nothing of the project, and different with every line. */
export function isInlineCode({ name, args, fed, piped, reads }: Call): boolean {
  if (!isInterpreter(name)) return false;
  const script = args.findIndex((word) => !/^-./.test(word));
  const own = script < 0 ? args : args.slice(0, script);
  if (own.some((word) => MODULES.test(word))) return false;
  if (own.some((word) => INLINE.test(word)) || args[script] === 'eval') return true;
  return (script < 0 || args[script] === '-') && (piped || fed.length > 0 || reads.length > 0);
}

/** Programs that run, build, test, check or install the project, and files of it that are run by their name. */
export function isProjectCode(call: Call): boolean {
  const { name, path, args, place } = call;
  if (place.remote === 'host') return false;
  if (path.includes('/') && !/^\/(?:usr\/)?(?:local\/)?s?bin\//.test(path)) return isOfProject(path, call);
  if (SHELL.test(name))
    return (
      args.some((word) => /^-[a-zA-Z]*c/.test(word)) ||
      listOperands(args)
        .slice(0, 1)
        .every((word) => isOfProject(word, call))
    );
  if (name === '.' || name === 'source') return isOfProject(args[0] ?? '', call);
  return WORKSHOP.has(name) || WORKSHOP.has(withoutVersion(name));
}
/** Files of the project that a call runs: itself, the script it is given, or what a build tool takes its orders from. */
export function findRunFiles({ name, path, args, place }: Call): readonly string[] {
  const script =
    SHELL.test(name) || isInterpreter(name) || name === '.' || name === 'source' ? args.find((word) => !/^-./.test(word)) : undefined;
  const orders = /^(?:npm|pnpm|yarn|bun)$/.test(name)
    ? ['package.json']
    : /^g?make$/.test(name)
      ? ['Makefile', 'makefile', 'GNUmakefile']
      : [];
  return [...(path.includes('/') ? [path] : []), ...(script === undefined ? [] : [script]), ...orders].flatMap(
    (word) => resolveTargetPath(word, place) ?? [],
  );
}
const isOfProject = (word: string, { place }: Call): boolean => {
  const path = resolveTargetPath(word, place);
  return path !== undefined && (isInside(path, place) || isTemporary(path));
};
