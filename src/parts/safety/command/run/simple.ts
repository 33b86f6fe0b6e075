import { resolve } from 'node:path';
import type { Assignment, Redirection, SimpleCommand, Word } from '../../../../base/shell/ast.ts';
import { expandText, expandWord } from '../values/expand.ts';
import { uniteChoices, type Choices, type ShellFields, hasMarks, MARK, MAX_CHOICES, UNKNOWN } from '../values/marks.ts';
import { type Call, toProgramName } from '../call/call.ts';
import { runCall } from './calls.ts';
import { type CallOutcome, MAX_OUTPUTS, mergeStates, type ShellInput, type ShellState, withValue } from './state.ts';
import { createExpansionContext } from './expansion.ts';
import type { Shell } from './shell.ts';

/** A simple command: every choice of its words, from every folder it may stand in. */
export function runSimple(shell: Shell, command: SimpleCommand, input: ShellInput): CallOutcome {
  const flows = redirected(shell, command.redirections, input);
  const assigned = command.assignments.map((each) => ({ name: each.name, value: valueOf(shell, each) }));
  if (command.words.length === 0) for (const { name, value } of assigned) shell.set(name, value);
  const variants =
    command.words.length === 0 ? [['']] : together(command.words.map((word) => expandWord(word, createExpansionContext(shell))));
  const settings = assigned.flatMap(({ name, value }) => value.map((fields) => `${name}=${fields.join(' ')}`));
  const before = shell.state;
  let [output, good, bad, names]: [string[], ShellState | undefined, ShellState | undefined, string[]] = [[], undefined, undefined, []];
  for (const [path = '', ...args] of variants)
    for (const cwd of before.cwds) {
      shell.state = before;
      if (command.words.length > 0) for (const { name, value } of assigned) shell.set(name, value);
      const call: Call = {
        ...flows,
        name: toProgramName(path),
        path,
        args,
        settings,
        from: input.from,
        feeds: input.feeds,
        background: input.background,
        place: shell.place(cwd),
      };
      const outcome = runCall(shell, call, 0);
      output = [...new Set([...output, ...outcome.output])].slice(0, MAX_OUTPUTS);
      names = [...names, ...outcome.names].slice(0, MAX_OUTPUTS);
      const restored = (state: ShellState | undefined): ShellState | undefined =>
        state === undefined || command.words.length === 0
          ? state
          : assigned.reduce((all, { name }) => withValue(all, name, before.values.get(name)), state);
      [good, bad] = [mergeStates(good, restored(outcome.good)), mergeStates(bad, restored(outcome.bad))];
      writtenDown(shell, call, outcome.output);
    }
  shell.state = good ?? bad ?? before;
  for (const [at, { name, value }] of assigned.entries()) if (command.assignments[at]?.lasting === true) shell.set(name, value);
  const lasts = command.assignments.some(({ lasting }) => lasting);
  const left = (state: ShellState | undefined): ShellState | undefined => (state !== undefined && lasts ? shell.state : state);
  return {
    output: isTakenAway(command.redirections, flows) ? [''] : output,
    good: left(good),
    bad: left(bad),
    names,
    fed: flows.fed.length > 0 ? flows.fed : undefined,
  };
}

/** Whether nothing of what it puts out goes on: only its own output counts, not its errors. */
const isTakenAway = (redirections: readonly Redirection[], { writes }: CallFlows): boolean =>
  redirections.some(({ operator, descriptor }) => operator.includes('>') && /^(?:|1|&)$/.test(descriptor)) &&
  writes.some((word) => !/^\/dev\/(?:stdout|fd\/1|stderr|tty)$/.test(word));

/** Lists of words out of the choices of each: all of them while they are few. */
function together(words: readonly Choices[]): readonly ShellFields[] {
  const count = words.reduce((product, each) => Math.min(product * Math.max(each.length, 1), 10_000), 1);
  if (count === 1) return [words.flatMap((each) => each[0] ?? [])];
  if (count <= MAX_CHOICES)
    return words.reduce<readonly ShellFields[]>((all, each) => all.flatMap((left) => each.map((right) => [...left, ...right])), [[]]);
  const most = Math.max(...words.map((each) => each.length));
  return Array.from({ length: most }, (_, index) => words.flatMap((each) => each[Math.min(index, each.length - 1)] ?? []));
}

function valueOf(shell: Shell, { name, append, index, array, values }: Assignment): Choices {
  const known = createExpansionContext(shell);
  const old = shell.state.values.get(name) ?? UNKNOWN;
  const fresh: Choices = array
    ? together(values.map((word) => expandWord(withoutIndex(word), known)))
    : expandText(values[0]?.parts ?? [], known).map((text) => [text]);
  if (index) return uniteChoices(old, fresh, UNKNOWN);
  if (!append) return uniteChoices(fresh);
  return uniteChoices(old.flatMap((before) => fresh.map((more) => (array ? [...before, ...more] : [before.join(' ') + more.join(' ')]))));
}

/** `[2]=x` in an array is `x`. */
function withoutIndex(word: Word): Word {
  const [index, mark, ...rest] = word.parts;
  if (index?.type !== 'glob' || !/^\[.*\]$/s.test(index.text) || mark?.type !== 'text' || !mark.text.startsWith('=')) return word;
  return { parts: [{ ...mark, text: mark.text.slice(1) }, ...rest] };
}

type CallFlows = Pick<Call, 'writes' | 'replaces' | 'reads' | 'fed' | 'piped'>;

/** Where a command's text comes from and goes to. */
function redirected(shell: Shell, redirections: readonly Redirection[], input: ShellInput): CallFlows {
  const [writes, replaces, reads, fed]: [string[], string[], string[], string[]] = [[], [], [], []];
  const known = createExpansionContext(shell);
  for (const { operator, descriptor, target, here } of redirections) {
    if (here !== undefined || operator === '<<<') {
      const texts = here === undefined ? expandText(target.parts, known).map((text) => `${text}\n`) : expandText(here.text, known);
      fed.push(...texts);
      if (descriptor !== '') for (const folder of ['/dev/fd', '/proc/self/fd']) shell.remember(`${folder}/${descriptor}`, texts);
    } else {
      const files = expandText(target.parts, known);
      if (operator === '<' && /^[1-9]/.test(descriptor))
        for (const file of files) shell.remember(`/dev/fd/${descriptor}`, shell.textsOf(file, shell.state.cwds[0]) ?? [MARK.unknown]);
      if (operator === '<&') fed.push(...files.flatMap((file) => shell.textsOf(`/dev/fd/${file}`, '/') ?? []));
      if (operator.endsWith('&') && files.every((file) => /^(?:\d+-?|-)$/.test(file))) continue;
      if (operator.includes('>')) writes.push(...files);
      if (operator.includes('>') && !operator.includes('>>')) replaces.push(...files);
      if (operator.startsWith('<')) reads.push(...files);
      if (operator === '<') fed.push(...files.flatMap((file) => shell.textsOf(file, shell.state.cwds[0]) ?? []));
    }
  }
  const own = fed.length > 0 || reads.length > 0;
  return { writes, replaces, reads, fed: own ? fed : input.texts, piped: !own && input.piped };
}

/** What a command writes into a file may be run later in the same line. */
function writtenDown(shell: Shell, { writes, replaces, place, name, args, fed }: Call, output: readonly string[]): void {
  const targets = name === 'tee' ? args.filter((word) => !word.startsWith('-')) : [];
  for (const word of [...writes, ...targets]) {
    if (place.cwd === undefined || hasMarks(word) || word === '/dev/null') continue;
    const path = resolve(place.cwd, word);
    const before = replaces.includes(word) ? undefined : shell.textsOf(path, place.cwd);
    const texts = targets.includes(word) ? fed : output.length === 0 ? [MARK.unknown] : output;
    shell.remember(path, before === undefined ? texts : before.flatMap((old) => texts.map((text) => old + text)).slice(0, MAX_OUTPUTS));
  }
}
