import { resolve } from 'node:path';
import type { Pipeline, SimpleCommand } from '../../../../base/shell/ast.ts';
import { readShell } from '../../../../base/shell/read.ts';
import { joinWordParts } from '../../../../base/shell/tree.ts';
import type { ProgramSettings } from '../../../../contracts/safety.ts';
import { PROGRAM_ACTS } from './programs.ts';
import { scopeOfCommand, type ScopedCall } from './scope-of-command.ts';

/** Programs that only look on at what stands before them, or say something. */
const ONLOOKERS = new Set('echo printf true : pwd date head tail grep egrep fgrep rg wc sort uniq cut tr cat column jq less nl'.split(' '));

/**
 * The acts of a line that reaches beyond its own folder, each as far as a yes can be held to it. Nothing when one of its
 * commands is of a program nobody here knows or that runs files of the project, is only known when it runs, or writes
 * somewhere: then nobody can say what a yes would allow the next time.
 */
export function findActs(line: string, cwd: string, standing?: ProgramSettings): readonly string[] | undefined {
  const { list, whole } = readShell(line);
  if (!whole) return undefined;
  const acts: string[] = [];
  let folder = cwd;
  for (const { commands, background } of list) {
    for (const command of commands) {
      if (background || command.type !== 'simple') return undefined;
      const words = wordsOf(command);
      const [name = '', ...args] = words ?? [];
      if (words === undefined || name === '') return undefined;
      if (name === 'cd' && args.length === 1 && !/^[-~]/.test(args[0] ?? '')) folder = resolve(folder, args[0] ?? '');
      else if (!ONLOOKERS.has(name) || !isOnlooking(command, commands)) {
        const scope = scopeAs({ name, args, settings: settingsOf(command), standing, cwd: folder });
        if (scope === undefined) return undefined;
        acts.push(scope);
      }
    }
  }
  return acts.length === 0 ? undefined : [...new Set(acts)];
}

/** The act of a command as root is another one, and root has settings of its own. */
function scopeAs(call: ScopedCall): string | undefined {
  const [name = '', ...args] = call.args;
  if (call.name !== 'sudo') return runsProject(call) ? undefined : scopeOfCommand(call);
  const scope = scopeAs({ ...call, name, args, standing: undefined });
  return scope === undefined ? undefined : `sudo ${scope}`;
}

/** The agent may write those files: the same words may do something else the next time. */
function runsProject({ name, args }: ScopedCall): boolean {
  const runs = Object.hasOwn(PROGRAM_ACTS, name) ? PROGRAM_ACTS[name]?.runsProject : undefined;
  return runs === true || (runs !== undefined && args.some((word) => runs.includes(word)));
}

/** What a command is called with, when all of it is known before it runs and it writes to no file. */
function wordsOf({ words, assignments, redirections }: SimpleCommand): readonly string[] | undefined {
  const isQuiet = redirections.every(
    ({ operator, target, here }) => here === undefined && (operator.includes('&') || isNothing(joinWordParts(target, () => undefined))),
  );
  const texts = words.map((word) =>
    word.parts.some(({ type }) => type === 'glob' || type === 'brace') ? undefined : joinWordParts(word, () => undefined),
  );
  return isQuiet && assignments.every(({ array, append }) => !array && !append) && texts.every((text) => text !== undefined)
    ? texts
    : undefined;
}
const isNothing = (target: string | undefined): boolean => target === '/dev/null';

/** One that is set to what nobody knows before it runs is of no known name. */
const settingsOf = ({ assignments }: SimpleCommand): readonly string[] =>
  assignments.map(({ name, values: [value] }) =>
    value === undefined ? `${name}=` : `${name}=${joinWordParts(value, () => undefined) ?? '\n'}`,
  );

/** It reads what stands before it in the pipeline, or no file of a name that matters. */
const isOnlooking = (command: SimpleCommand, commands: Pipeline['commands']): boolean =>
  commands.indexOf(command) > 0 || /^(?:echo|printf|true|:|pwd|date)$/.test(wordsOf(command)?.[0] ?? '');
