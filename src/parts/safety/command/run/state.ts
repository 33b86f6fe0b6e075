import { uniteChoices, type Choices, MARK, UNKNOWN } from '../values/marks.ts';

/** What a line has done to the shell so far. A value: keeping one costs nothing. */
export interface ShellState {
  /** Where the shell may stand; `undefined` among them when that is only known when it runs. */
  readonly cwds: readonly (string | undefined)[];
  readonly values: ReadonlyMap<string, Choices>;
  /** `set -e`: what fails ends the line. */
  readonly strict: boolean;
}

/** More variables than this are forgotten, which makes them unknown. */
const MAX_VALUES = 400;
const MAX_FOLDERS = 4;

export const createShellState = (cwd: string, home: string): ShellState => ({
  cwds: [cwd],
  values: new Map([
    ['HOME', [[home]]],
    ['PWD', [[cwd]]],
    ['IFS', [[' \t\n']]],
  ]),
  strict: false,
});

export function withValue(state: ShellState, name: string, value: Choices | undefined): ShellState {
  const values = new Map(state.values);
  if (value === undefined) values.delete(name);
  else values.set(name, value);
  const [oldest] = values.keys();
  if (values.size > MAX_VALUES && oldest !== undefined) values.delete(oldest);
  return { ...state, values };
}

export const withFolders = (state: ShellState, cwds: ShellState['cwds']): ShellState =>
  withValue(
    { ...state, cwds: few(cwds) },
    'PWD',
    few(cwds).map((cwd) => [cwd ?? MARK.unknown]),
  );
const few = (cwds: ShellState['cwds']): ShellState['cwds'] =>
  cwds.length > MAX_FOLDERS ? [...cwds.slice(0, MAX_FOLDERS), undefined] : cwds;

/** Either of the two. */
export function mergeStates(one: ShellState | undefined, other: ShellState | undefined): ShellState | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  const values = new Map<string, Choices>();
  for (const name of new Set([...one.values.keys(), ...other.values.keys()])) {
    const [left = UNKNOWN, right = UNKNOWN] = [one.values.get(name), other.values.get(name)];
    values.set(name, left === right ? left : uniteChoices(left, right));
  }
  return { cwds: few([...new Set([...one.cwds, ...other.cwds])]), values, strict: one.strict && other.strict };
}

/** What a command finds when it runs. */
export interface ShellInput {
  /** Text from a pipe or a file, marked where it is not known; nothing when there is none. */
  readonly texts: readonly string[];
  readonly piped: boolean;
  readonly from: readonly string[];
  readonly feeds: boolean;
  readonly background: boolean;
}
export const NO_INPUT: ShellInput = { texts: [], piped: false, from: [], feeds: false, background: false };

/** What it puts out and in which states it leaves the shell: when it went well, and when it did not. */
export interface CallOutcome {
  readonly output: readonly string[];
  readonly good?: ShellState | undefined;
  readonly bad?: ShellState | undefined;
  readonly names: readonly string[];
  /** The text its redirections gave it. */
  readonly fed?: readonly string[] | undefined;
}

/** How many different outputs are told apart. */
export const MAX_OUTPUTS = 8;
