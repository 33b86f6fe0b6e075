import { resolveTargetPath } from '../places/paths.ts';
import { MARK } from '../values/marks.ts';
import { type Call, type NestedAction, toProgramName } from '../call/call.ts';
import { applyCallEffects } from './effects.ts';
import { type ShellInput, NO_INPUT, type CallOutcome } from './state.ts';
import { findCallOutputs } from './outputs.ts';
import { findNestedActions } from './nested.ts';
import type { Shell } from './shell.ts';
import { isAssignment } from './wrappers.ts';

/** Shells within shells, and wrappers within wrappers. More than anybody writes; beyond it a line is asked about. */
const MAX_SHELLS = 6;
const MAX_LAYERS = 20;
const POSITIONAL = ['@', '*', '#', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** One call and, layer by layer, what it hands on. */
export function runCall(shell: Shell, given: Call, layer: number): CallOutcome {
  const call = resolveRenamed(shell, given);
  const names = [call.name];
  if (layer > MAX_LAYERS) {
    shell.note('ask', 'unreadable', 'it wraps commands in commands too deeply to check');
    return { output: [MARK.unknown], good: shell.state, names };
  }
  // Behind `command`, `env` or `xargs` a name is a program again.
  const own = layer === 0 ? shell.functions.get(call.path) : undefined;
  if (own !== undefined) return { output: runFunction(shell, call), good: shell.state, names };
  const alias = shell.aliases.get(call.path);
  if (alias !== undefined && layer === 0) runLine(shell, { type: 'line', line: `${alias} ${call.args.join(' ')}`, apart: true }, call);
  shell.judge(withScript(shell, call));
  shell.trace(call.name);
  const handed = findNestedActions(call, (word) => shell.textsOf(word, call.place.cwd));
  const outputs = handed.map((each) => runHanded(shell, each, call, layer));
  const output = findCallOutputs(call) ?? (outputs.length === 0 ? [MARK.unknown] : outputs.flat());
  return { output, names, ...applyCallEffects(shell, call) };
}

/** The code an interpreter is given in a file, where that is known, stands beside what it is fed. */
function withScript(shell: Shell, call: Call): Call {
  const script = INTERPRETER.test(call.name) ? call.args.find((word) => !/^-./.test(word)) : undefined;
  const texts = script === undefined ? undefined : shell.textsOf(script, call.place.cwd);
  return texts === undefined ? call : { ...call, fed: [...call.fed, ...texts] };
}
const INTERPRETER = /^(?:python|node|perl|ruby|php|deno|bun|lua)[\d.]*$/;

function runHanded(shell: Shell, handed: NestedAction, call: Call, layer: number): readonly string[] {
  shell.meter.pay(10);
  if (handed.type === 'line')
    return handed.remote !== undefined ? shell.elsewhere(handed.remote, () => runLine(shell, handed, call)) : runLine(shell, handed, call);
  const start = handed.words.findIndex((word) => !isAssignment(word));
  const [path, ...args] = start < 0 ? [] : handed.words.slice(start);
  if (path === undefined) return [''];
  const cwd = handed.cwd === undefined ? call.place.cwd : resolveTargetPath(handed.cwd, call.place);
  const inner: Call = {
    ...call,
    from: [...call.from, call.name].slice(-20),
    place:
      handed.remote !== undefined
        ? shell.elsewhere(handed.remote, () => shell.place(undefined))
        : handed.cwd === undefined
          ? call.place
          : shell.place(cwd),
    ...(handed.fed !== undefined && { fed: handed.fed }),
    name: toProgramName(path),
    path,
    args,
    settings: [...call.settings, ...handed.words.slice(0, start)],
    writes: [],
    replaces: [],
  };
  const shares = call.name === 'command' || call.name === 'builtin' || call.name === 'exec';
  if (handed.remote !== undefined) return shell.elsewhere(handed.remote, () => shell.apart(() => runCall(shell, inner, layer + 1).output));
  return shares ? runCall(shell, inner, layer + 1).output : shell.apart(() => runCall(shell, inner, layer + 1).output);
}

function runLine(shell: Shell, { line, apart, positional, zero }: Extract<NestedAction, { type: 'line' }>, call: Call): readonly string[] {
  if (shell.depth >= MAX_SHELLS) {
    shell.note('ask', 'unreadable', 'it nests too many shells to check');
    return [MARK.unknown];
  }
  if (zero !== undefined && shell.scripts.includes(`${zero}\0${line}`)) {
    if (call.background || call.piped || call.feeds) shell.note('refuse', 'fork_bomb', 'it starts more and more processes (a fork bomb)');
    return [MARK.unknown];
  }
  shell.meter.pay(line.length + 20);
  const { list, whole } = shell.read(line);
  if (!whole) {
    shell.note('ask', 'unreadable', 'its quoting cannot be parsed');
    return [MARK.unknown];
  }
  shell.depth++;
  shell.scripts.push(`${zero ?? ''}\0${line}`);
  const input: ShellInput = { texts: call.fed, piped: call.piped, from: call.from, feeds: call.feeds, background: call.background };
  const before = shell.state;
  if (apart && call.place.cwd !== undefined) shell.state = { ...before, cwds: [call.place.cwd] };
  if (positional !== undefined) setPositional(shell, call.name === '.' || call.name === 'source' ? positional : positional.slice(1));
  if (zero !== undefined) shell.set('0', [[zero]]);
  const run = (): readonly string[] => shell.walk.list(shell, list, apart && call.piped ? { ...NO_INPUT, ...input } : input);
  const output = apart ? shell.apart(run) : run();
  if (apart) shell.state = before;
  shell.scripts.pop();
  shell.depth--;
  return output;
}

function setPositional(shell: Shell, args: readonly string[]): void {
  for (const name of POSITIONAL) {
    const value = name === '@' || name === '*' ? args : name === '#' ? [String(args.length)] : [args[Number(name) - 1] ?? ''];
    shell.set(name, [value]);
  }
}

/** A function of this line. One that calls itself beside itself never stops growing. */
function runFunction(shell: Shell, call: Call): readonly string[] {
  const own = shell.functions.get(call.path);
  if (own === undefined) return [MARK.unknown];
  if (shell.running.includes(own)) {
    if (call.background || call.piped || call.feeds) shell.note('refuse', 'fork_bomb', 'it starts more and more processes (a fork bomb)');
    return [MARK.unknown];
  }
  const before = POSITIONAL.map((name) => [name, shell.state.values.get(name)] as const);
  shell.running.push(own);
  setPositional(shell, call.args);
  const { output } = shell.walk.command(shell, own, {
    texts: call.fed,
    piped: call.piped,
    from: call.from,
    feeds: call.feeds,
    background: call.background,
  });
  shell.running.pop();
  for (const [name, value] of before) shell.set(name, value);
  return output;
}

/** Copies and links this line made go by the name of what they are. */
function resolveRenamed(shell: Shell, call: Call): Call {
  const path =
    call.place.cwd === undefined || !call.path.includes('/') ? call.path : new URL(call.path, `file://${call.place.cwd}/`).pathname;
  const real = (shell.programs.size === 0 ? undefined : shell.programs.get(path)) ?? linked(call);
  return real === undefined || real === call.name ? call : { ...call, name: real };
}

const SYSTEM_PROGRAM = /^\/(?:usr\/)?(?:local\/)?s?bin\/[^/]+$/;
/** A link of the disk to a program of the system goes by the name of that. */
function linked({ path, place }: Call): string | undefined {
  if (!path.includes('/') || place.look === undefined || SYSTEM_PROGRAM.test(path)) return undefined;
  const real = resolveTargetPath(path, place);
  return real !== undefined && SYSTEM_PROGRAM.test(real) ? toProgramName(real) : undefined;
}
