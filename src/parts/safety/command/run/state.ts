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

export function withFolders(state: ShellState, cwds: ShellState['cwds']): ShellState {
  const few: ShellState['cwds'] = cwds.length > MAX_FOLDERS ? [...cwds.slice(0, MAX_FOLDERS), undefined] : cwds;
  return withValue(
    { ...state, cwds: few },
    'PWD',
    few.map((cwd) => [cwd ?? MARK.unknown]),
  );
}

/** Either of the two. */
export function mergeStates(one: ShellState | undefined, other: ShellState | undefined): ShellState | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  const cwds = [...new Set([...one.cwds, ...other.cwds])];
  if (one.values === other.values) return { ...withFoldersOnly(one, cwds), strict: one.strict && other.strict };
  const values = new Map<string, Choices>();
  for (const name of new Set([...one.values.keys(), ...other.values.keys()])) {
    const [left, right] = [one.values.get(name), other.values.get(name)];
    values.set(name, left === right ? (left ?? UNKNOWN) : uniteChoices(left ?? UNKNOWN, right ?? UNKNOWN));
  }
  return { ...withFoldersOnly(one, cwds), values, strict: one.strict && other.strict };
}
const withFoldersOnly = (state: ShellState, cwds: ShellState['cwds']): ShellState => ({
  ...state,
  cwds: cwds.length > MAX_FOLDERS ? [...cwds.slice(0, MAX_FOLDERS), undefined] : cwds,
});
