import { resolve } from 'node:path';
import { lstatSync } from 'node:fs';
import { isSecretName } from '../../../base/secret-names.ts';
import { isWithin } from '../../../base/within.ts';
import type { SimpleCommand } from '../../../base/shell/ast.ts';
import { readShell, type ShellReading } from '../../../base/shell/read.ts';
import { joinWordParts } from '../../../base/shell/tree.ts';
import type { CommandLocation, JudgeCommand } from '../../../contracts/safety.ts';
import { hasLocalFiles, type CarriedShellState } from '../../../contracts/terminal.ts';
import type { Call } from '../command/call/call.ts';
import { createListeningJudge } from '../command/judge.ts';
import { isScanned } from '../checkpoints/scan.ts';
import { GIT } from '../command/rules/git.ts';
import { hasMarks } from '../command/values/marks.ts';

export interface HarmlessOptions {
  /** The back end commands run in. */
  readonly kind: string;
  readonly workspace: string;
  /** Bytes of the largest file that a checkpoint keeps before a command; absent when none are made. */
  readonly maxKeptBytes?: number;
}
type IsHarmless = (line: string, place: CommandLocation, options: HarmlessOptions & { readonly judge: JudgeCommand }) => boolean;

/** Questions that are needless where nothing can come of it, by the class of danger that asks them. Adding one is a row. */
const HARMLESS: Readonly<Record<string, IsHarmless>> = {
  secret_read: showsOwnEnvironment,
  git_loss: discardsKeptFiles,
};

/** A judge that does not ask about what is dangerous elsewhere and harmless here. Refusals stand, and so does every other danger. */
export const withoutNeedlessQuestions =
  (judge: JudgeCommand, options: HarmlessOptions): JudgeCommand =>
  (line, place) => {
    const verdict = judge(line, place);
    if (verdict.type !== 'ask' || !hasLocalFiles(options.kind)) return verdict;
    return HARMLESS[verdict.key]?.(line, place, { ...options, judge }) === true ? { type: 'fine' } : verdict;
  };

/** The whole environment on the screen, at most sorted or cut. */
const ENVIRONMENT =
  /^\s*(?:env|printenv)(?:\s+(?:-0|--null))?(?:\s*\|\s*(?:sort|uniq|head|tail|wc|cat|column|nl)(?:\s+-{1,2}[\w-]+)*(?:\s+\d+)?)*\s*$/;

/** Commands are given no secrets; only what an earlier one loaded may be one, and nothing beside it in the line may load or show any. */
function showsOwnEnvironment(line: string, place: CommandLocation, { judge }: { readonly judge: JudgeCommand }): boolean {
  if (place.carried?.some(holdsSecrets) === true) return false;
  const rest = withoutEnvironment(readShell(line));
  return rest !== undefined && judge(rest, place).type === 'fine';
}

/** The line with `true` in place of every look at the environment; nothing for one that is more than plain commands in a row. */
function withoutEnvironment({ list, whole }: ShellReading): string | undefined {
  if (!whole || list.length === 0 || list.some(({ background }) => background)) return undefined;
  const parts = list.map(({ commands, after }, index) => {
    const plain = commands.every((command) => command.type === 'simple' && isPlain(command));
    const line = commands.map((command) => (command.type === 'simple' ? command.source.trim() : '')).join(' | ');
    return plain ? `${index === 0 ? '' : ` ${after} `}${ENVIRONMENT.test(line) ? 'true' : line}` : undefined;
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** It sets no variable that the next command is given, and says so by its name. */
function isPlain({ assignments, words, redirections }: SimpleCommand): boolean {
  const name = words[0] === undefined ? undefined : joinWordParts(words[0], () => undefined);
  return (
    assignments.length === 0 && name !== undefined && !SETS_VARIABLES.has(name) && redirections.every(({ here }) => here === undefined)
  );
}
const SETS_VARIABLES: ReadonlySet<string> = new Set(
  '. source eval export declare typeset readonly local set read readarray mapfile exec builtin command trap alias enable coproc let'.split(
    ' ',
  ),
);

const EXPORTED = /^(?:declare -\w*x\w*|export) (\w+)=(.*)$/gm;
const PASSWORD_IN_ADDRESS = /\/\/[^/\s:@]*:[^/\s@]+@/;
const holdsSecrets = (shell: CarriedShellState): boolean =>
  shell.type === 'told' ||
  [...shell.script.matchAll(EXPORTED)].some(([, name = '', value = '']) => isSecretName(name) || PASSWORD_IN_ADDRESS.test(value));

/** Every danger in it is a `git restore FILE` or `git checkout -- FILE` of files that a checkpoint keeps first. */
function discardsKeptFiles(line: string, place: CommandLocation, options: HarmlessOptions): boolean {
  const calls: Call[] = [];
  createListeningJudge([], false, (call) => calls.push(call))(line, place);
  const losing = calls.filter((call) => GIT.some((rule) => rule.matches(call.name, call.args, call, call.place)));
  return losing.length > 0 && losing.every((call) => discardedFiles(call)?.every((path) => isKept(path, place.cwd, options)) === true);
}

/** The files whose changes a call discards, absolute; `undefined` for a call of another form, which may discard more than files. */
function discardedFiles({ args, place, from }: Call): readonly string[] | undefined {
  const [verb, ...rest] = args;
  const { cwd } = place;
  if (cwd === undefined || from.length > 0) return undefined;
  const names = verb === 'checkout' && rest[0] === '--' ? rest.slice(1) : verb === 'restore' ? afterWorktree(rest) : [];
  // `:(glob)*` and the like are no names, and neither is what is only known when it runs.
  if (names.length === 0 || names.some((name) => name.startsWith('-') || /[*?[\]:]/.test(name) || hasMarks(name))) return undefined;
  return names.map((name) => resolve(cwd, name));
}
const afterWorktree = (rest: readonly string[]): readonly string[] => rest.filter((word) => !/^(?:--|-W|--worktree)$/.test(word));

/** Before a line all is kept that a look at its folder comes to, and besides what it names elsewhere. */
function isKept(path: string, folder: string, { maxKeptBytes, workspace }: HarmlessOptions): boolean {
  if (maxKeptBytes === undefined || !isWithin(workspace, path) || (isWithin(folder, path) && !isScanned(folder, path))) return false;
  const found = lstatSync(path, { throwIfNoEntry: false });
  // What is not there cannot be lost.
  return found === undefined || (found.isFile() && found.size <= maxKeptBytes);
}
