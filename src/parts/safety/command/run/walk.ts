import type { ShellCommand, CommandList, Pipeline, Redirection, Word } from '../../../../base/shell/ast.ts';
import { expandText, expandWord } from '../values/expand.ts';
import { uniteChoices, MARK } from '../values/marks.ts';
import { createExpansionContext } from './expansion.ts';
import { type CallOutcome, MAX_OUTPUTS, mergeStates, type ShellInput, type ShellState } from './state.ts';
import type { Shell, ShellWalk } from './shell.ts';
import { runSimple } from './simple.ts';

export const WALK: ShellWalk = { list: (...given) => runList(...given), command: (...given) => runCommand(...given) };

/** Runs the pipelines of a list one after the other. Those that hang on another are judged whichever way it goes. */
function runList(shell: Shell, list: CommandList, input: ShellInput): readonly string[] {
  let output: readonly string[] = [''];
  let good: ShellState | undefined = shell.state;
  let bad: ShellState | undefined;
  for (const pipeline of list) {
    const { after } = pipeline;
    if (after === ';') good = shell.state = settled(shell, good, bad);
    else shell.state = (after === '&&' ? good : bad) ?? good ?? bad ?? shell.state;
    const outcome = runPipeline(shell, pipeline, input);
    const ended = outcome.good ?? (outcome.bad === undefined ? undefined : shell.state);
    if (after === '||') [good, bad] = [mergeStates(good, ended), outcome.bad];
    else [good, bad] = [ended, after === '&&' ? mergeStates(bad, outcome.bad) : outcome.bad];
    output = after === ';' ? appended(output, outcome.output) : [...output, ...appended(output, outcome.output)].slice(0, MAX_OUTPUTS);
  }
  shell.state = settled(shell, good, bad);
  return output;
}

const settled = (shell: Shell, good: ShellState | undefined, bad: ShellState | undefined): ShellState =>
  (shell.state.strict ? (good ?? bad) : mergeStates(good, bad)) ?? shell.state;

const appended = (before: readonly string[], more: readonly string[]): readonly string[] =>
  before.length === 1 && before[0] === '' ? more : before.flatMap((text) => more.map((next) => text + next)).slice(0, MAX_OUTPUTS);

/** Programs that let a loop without end wait or leave it. */
const WAITS = /^(?:sleep|break|exit|return|read|wait|inotifywait|timeout|usleep|select|tail|nc|kill|poll|watch|entr)$/;

function runPipeline(shell: Shell, { commands, background }: Pipeline, input: ShellInput): CallOutcome {
  const [only] = commands;
  if (only !== undefined && commands.length === 1 && !background) return runCommand(shell, only, input);
  const before = shell.called.length;
  return shell.apart(() => {
    let next: ShellInput = { ...input, background: background || input.background };
    let output: readonly string[] = [];
    for (const [at, command] of commands.entries()) {
      const outcome = shell.apart(() => runCommand(shell, command, { ...next, feeds: input.feeds || at < commands.length - 1 }));
      ({ output } = outcome);
      next = { ...next, texts: output, piped: true, from: [...next.from, ...outcome.names].slice(-20) };
    }
    // A loop does not wait for what runs beside it.
    if (background) shell.called.push(...shell.called.splice(before).filter((name) => !WAITS.test(name)));
    return { output, good: shell.state, names: next.from };
  });
}

function runCommand(shell: Shell, command: ShellCommand, input: ShellInput): CallOutcome {
  if (command.type === 'simple') return runSimple(shell, command, input);
  const redirected = 'redirections' in command ? withRedirections(shell, command.redirections, input) : input;
  return { output: runCompound(shell, command, redirected), good: shell.state, names: [] };
}

/** Redirections of a compound command: they are those of a command that does nothing. */
function withRedirections(shell: Shell, redirections: readonly Redirection[], input: ShellInput): ShellInput {
  if (redirections.length === 0) return input;
  const outcome = runSimple(
    shell,
    { type: 'simple', assignments: [], words: [{ parts: [{ type: 'text', text: ':', quoted: false }] }], redirections, source: ':' },
    input,
  );
  const reads = redirections.some(({ operator }) => operator.startsWith('<'));
  return reads ? { ...input, texts: outcome.fed ?? [MARK.unknown], piped: true } : input;
}
function runCompound(shell: Shell, command: Exclude<ShellCommand, { type: 'simple' }>, input: ShellInput): readonly string[] {
  switch (command.type) {
    case 'group':
      return command.apart ? shell.apart(() => runList(shell, command.body, input)) : runList(shell, command.body, input);
    case 'branches':
      return runBranches(shell, command, input);
    case 'choice':
      return runChoice(shell, command, input);
    case 'each': {
      const fields =
        command.words === undefined
          ? (shell.state.values.get('@')?.flat() ?? [MARK.unknown])
          : command.words.flatMap((word) => expanded(shell, word));
      if (command.name !== '') shell.set(command.name, fields.length === 0 ? [['']] : uniteChoices(fields.map((field) => [field])));
      return command.name === ''
        ? runLoop(shell, { ...command, type: 'loop', condition: [] }, input)
        : twice(shell, () => runList(shell, command.body, input));
    }
    case 'loop':
      return runLoop(shell, command, input);
    case 'function':
      shell.functions.set(command.name, command.body);
      return [''];
    case 'test':
      for (const word of command.words) expanded(shell, word);
      return [''];
    case 'arithmetic':
      expandText([command], createExpansionContext(shell));
      return [''];
  }
}

function runLoop(shell: Shell, { condition, body }: Extract<ShellCommand, { type: 'loop' }>, input: ShellInput): readonly string[] {
  const before = shell.called.length;
  const output = twice(shell, () => {
    runList(shell, condition, input);
    return runList(shell, body, input);
  });
  const names = shell.called.slice(before);
  const spawns = condition.length === 0 && body.some(({ background }) => background);
  const endless =
    spawns || (condition.length === 1 && (condition[0]?.commands[0]?.type === 'arithmetic' || /^(?::|true|yes)$/.test(names[0] ?? '')));
  if (shell.strict && endless && !names.some((name) => WAITS.test(name)))
    shell.note('ask', 'endless_loop', 'it loops forever without a pause');
  return output;
}

/** One of the bodies runs, and perhaps none; conditions run up to the one that holds. */
function runBranches(
  shell: Shell,
  { conditions, bodies }: Extract<ShellCommand, { type: 'branches' }>,
  input: ShellInput,
): readonly string[] {
  const outputs: string[] = [];
  let after: ShellState | undefined;
  for (const [at, body] of bodies.entries()) {
    const condition = conditions[at];
    if (condition !== undefined) runList(shell, condition, input);
    const before = shell.state;
    outputs.push(...runList(shell, body, input));
    after = mergeStates(after, shell.state);
    shell.state = before;
  }
  shell.state = (conditions.length < bodies.length ? after : mergeStates(after, shell.state)) ?? shell.state;
  return outputs.slice(0, MAX_OUTPUTS);
}

function runChoice(shell: Shell, { subject, bodies }: Extract<ShellCommand, { type: 'choice' }>, input: ShellInput): readonly string[] {
  expanded(shell, subject);
  const before = shell.state;
  let after: ShellState | undefined = before;
  const outputs = bodies.flatMap((body) => {
    shell.state = before;
    const output = runList(shell, body, input);
    after = mergeStates(after, shell.state);
    return output;
  });
  shell.state = after ?? before;
  return outputs.slice(0, MAX_OUTPUTS);
}

const expanded = (shell: Shell, word: Word): string[] => expandWord(word, createExpansionContext(shell)).flat();

/** A body may run never, once or again after itself: what its end sets, its beginning may see. */
function twice(shell: Shell, run: () => readonly string[]): readonly string[] {
  const before = shell.state;
  const output = run();
  const once = shell.state;
  if (once === before) return output;
  shell.state = mergeStates(before, once) ?? once;
  if (once.cwds !== before.cwds || changed(before, once)) run();
  shell.state = mergeStates(before, shell.state) ?? shell.state;
  return [...output, MARK.unknown].slice(0, 2);
}
const changed = (before: ShellState, after: ShellState): boolean =>
  [...after.values].some(([name, value]) => before.values.has(name) && before.values.get(name) !== value);
