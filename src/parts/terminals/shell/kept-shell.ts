import { quoteShellWord } from '../../../base/shell.ts';
import type { CarriedShellState, RunResult, Terminal } from '../../../contracts/terminal.ts';

/** Holds what the shell of a session was like when its terminal was closed, for the next terminal of that session. In memory alone. */
export interface KeptShell {
  state?: ClosedShell | undefined;
}
interface ClosedShell {
  readonly cwd: string;
  readonly carried: readonly CarriedShellState[];
  /** Declarations of everything the shell held; absent when they could not be read. */
  readonly script?: string;
}

const NEVER = new AbortController().signal;
const MAX_TAKE_UP_MS = 15_000;

/** What the model is told when variables could not be kept. */
const LOST = '[The terminal was opened anew: variables, functions and aliases that earlier commands set are gone.]\n';

/** A terminal whose first command finds folder, variables, functions, aliases and options as the last one of an earlier terminal left them. */
export function keepShell(terminal: Terminal, kept: KeptShell): Terminal {
  const start = terminal.cwd;
  /** What is still to be taken up. */
  let earlier = kept.state;
  let taking: Promise<Pick<RunResult, 'movedTo' | 'output'>> | undefined;
  async function takeUp(state: ClosedShell): Promise<Pick<RunResult, 'movedTo' | 'output'>> {
    const { ended } = await terminal.run(commandFor(state), { signal: NEVER, timeoutMs: MAX_TAKE_UP_MS, maxOutput: 1_000 });
    earlier = undefined;
    const isLost = state.script === undefined || ended !== 'exited';
    return { output: isLost ? LOST : '', ...(terminal.cwd !== state.cwd && { movedTo: terminal.cwd }) };
  }
  const ready = async () => {
    if (earlier !== undefined) return (taking ??= takeUp(earlier));
    return undefined;
  };
  return {
    ...terminal,
    get cwd() {
      return earlier?.cwd ?? terminal.cwd;
    },
    get wall() {
      return terminal.wall;
    },
    carried: () => earlier?.carried ?? terminal.carried?.() ?? [],
    run: async (command, options) => {
      const taken = await ready();
      const result = await terminal.run(command, options);
      // Told with the first result, and with those of commands that waited beside it.
      return taken === undefined ? result : { ...taken, ...result, output: taken.output + result.output };
    },
    start: async (command, options) => {
      await ready();
      return terminal.start(command, options);
    },
    [Symbol.asyncDispose]: async () => {
      if (earlier === undefined) kept.state = await stateOf(terminal, start);
      await terminal[Symbol.asyncDispose]();
    },
  };
}

/** The options go last: earlier they would bite what is ours. */
function commandFor({ cwd, script = '' }: ClosedShell): string {
  if (script === '') return `cd -- ${quoteShellWord(cwd)}`;
  const [, declarations = script, options = ''] = /^([^]*\n)__hermes_set='([^'\n]*)'\n?$/.exec(script) ?? [];
  return `${declarations}\nbuiltin cd -- ${quoteShellWord(cwd)}\n${options}`;
}

async function stateOf(terminal: Terminal, start: string): Promise<ClosedShell | undefined> {
  const carried = terminal.carried?.() ?? [];
  if (carried.length === 0) return terminal.cwd === start ? undefined : { cwd: terminal.cwd, carried, script: '' };
  const script = await scriptOf(terminal, carried).catch(() => undefined);
  return { cwd: terminal.cwd, carried, ...(script !== undefined && { script }) };
}

async function scriptOf({ files }: Terminal, carried: readonly CarriedShellState[]): Promise<string | undefined> {
  const [shell] = carried;
  if (shell === undefined || shell.type === 'held' || shell.file === undefined) return shell?.type === 'held' ? shell.script : undefined;
  const pieces = await Array.fromAsync(files.read(shell.file, AbortSignal.timeout(MAX_TAKE_UP_MS)));
  return Buffer.concat(pieces).toString();
}
