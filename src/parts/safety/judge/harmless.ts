import { isSecretName } from '../../../base/secret-names.ts';
import type { SimpleCommand } from '../../../base/shell/ast.ts';
import { readShell, type ShellReading } from '../../../base/shell/read.ts';
import { joinWordParts } from '../../../base/shell/tree.ts';
import type { CommandLocation, JudgeCommand } from '../../../contracts/safety.ts';
import { hasLocalFiles, type CarriedShellState } from '../../../contracts/terminal.ts';

/** A judge that does not ask about what is dangerous elsewhere and harmless here. Refusals stand, and so does every other danger. */
export const withoutNeedlessQuestions =
  (judge: JudgeCommand, kind: string): JudgeCommand =>
  (line, place) => {
    const verdict = judge(line, place);
    if (verdict.type !== 'ask' || !hasLocalFiles(kind)) return verdict;
    return verdict.key === 'secret_read' && showsOwnEnvironment(line, place, judge) ? { type: 'fine' } : verdict;
  };

/** The whole environment on the screen, at most sorted or cut. */
const ENVIRONMENT =
  /^\s*(?:env|printenv)(?:\s+(?:-0|--null))?(?:\s*\|\s*(?:sort|uniq|head|tail|wc|cat|column|nl)(?:\s+-{1,2}[\w-]+)*(?:\s+\d+)?)*\s*$/;

/** Commands are given no secrets; only what an earlier one loaded may be one, and nothing beside it in the line may load or show any. */
function showsOwnEnvironment(line: string, place: CommandLocation, judge: JudgeCommand): boolean {
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
