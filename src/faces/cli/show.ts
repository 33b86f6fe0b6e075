import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnyCommand, CommandContext, CommandValues } from '../../contracts/command.ts';
import { UsageError } from '../../base/errors.ts';
import type { ReadSecret } from '../../contracts/ports.ts';
import { runCommand, type CommandDeps } from '../../commands/run.ts';
import type { ScreenText } from './entries.ts';
import { EXIT, toResultExitCode } from './exit-codes.ts';
import { createProcessScreen, type ProcessScreen } from './process-screen.ts';
import type { CommandRenderer } from './renderer.ts';
import { loadRenderer } from './renderers.ts';
import { editFile } from '../../base/edit-file.ts';
import { isInterruptedQuestion } from '../../contracts/interrupted-question.ts';
import { findPerson } from './person.ts';
import { isPiped } from './piped-input.ts';
import { sendToAddress } from './visit.ts';
import { createProcessStreams, createStopSignal } from './streams.ts';

/** Runs one command, shows what came of it and gives the exit code. */
export async function runAndShow(
  command: AnyCommand,
  values: CommandValues,
  json: boolean,
  deps: CommandDeps & { readonly commands: () => readonly AnyCommand[] },
): Promise<number> {
  const renderer = await loadRenderer(command.name, command.describe);
  try {
    const result = await runCommand(command, values, createShellContext(renderer, json, deps.commands), deps);
    return await showResult(result, renderer, json);
  } catch (error) {
    if (!isInterruptedQuestion(error) && !isStop(error)) throw error;
    createProcessStreams().err('Interrupted. Nothing was changed.\n');
    return EXIT.interrupted;
  }
}

/** The reason of the stop signal, thrown by a command that was stopped between two steps. */
const isStop = (error: unknown): boolean => error === 'interrupted' || error === 'terminated';

export async function showResult(result: unknown, renderer: CommandRenderer, json: boolean): Promise<number> {
  const screen = createProcessScreen();
  if (json) showJson(renderer.json === undefined ? result : renderer.json(result), renderer.keepsKeys === true, screen);
  else await play(renderer.text(result, screen), screen);
  for (const line of renderer.notices?.(result, json) ?? []) createProcessStreams().err(`${line}\n`);
  return toResultExitCode(result);
}

function showJson(value: unknown, keepsKeys: boolean, screen: ProcessScreen): void {
  if (value !== undefined) (keepsKeys ? screen.jsonAsIs : screen.json)(value);
}

/** What an operation sees of this process. Signals are ours to handle only when it asks for the signal: else they end it at once. */
export function createShellContext(renderer: CommandRenderer, json: boolean, commands: () => readonly AnyCommand[]): CommandContext {
  const person = findPerson();
  let signal: AbortSignal | undefined;
  const stopSignal = (): AbortSignal => (signal ??= createStopSignal());
  return {
    place: 'shell',
    cwd: process.cwd(),
    ...(json && { isForProgram: json }),
    now: Date.now(),
    get signal() {
      return stopSignal();
    },
    commands,
    report: (progress) => {
      if (renderer.visit !== undefined) sendToAddress(renderer.visit(progress), process.env);
      else if (!json) renderer.progress?.(progress, createProcessStreams(), createProcessScreen());
      else if (renderer.jsonProgress !== undefined) createProcessStreams().out(renderer.jsonProgress(progress));
    },
    readSecret: person?.readSecret ?? pipedSecret,
    ...(isPiped() && { readPiped: () => readFileSync(0, 'utf8') }),
    ...(person !== undefined && { edit: (path: string) => editFile(path, process.env) }),
    ...(person !== undefined && {
      choose: (question) => person.choose(question, stopSignal()),
      ask: (question) => person.clarify({ question, choices: [] }, stopSignal()),
      confirm: async (question) => {
        const answer = await person.clarify({ question, choices: ['Yes', 'No'], strict: true }, stopSignal());
        return answer === 'Yes';
      },
    }),
  };
}

/** A script pipes the secret in. */
const pipedSecret: ReadSecret = async () => {
  if (!isPiped()) throw new UsageError('there is no terminal to type the secret in; pipe it in instead.');
  return readFileSync(0, 'utf8').trim();
};

/** Words come at the pace of a quick model while somebody watches, but no answer holds the screen for longer than this. */
const WORD_MS = 12;
const ANSWER_MS = 800;

async function play(drawn: string | Iterable<ScreenText>, screen: ProcessScreen): Promise<void> {
  if (typeof drawn === 'string') {
    if (drawn !== '') screen.out(drawn);
    return;
  }
  for (const { text, spoken } of drawn) {
    const words = spoken === true && screen.watched ? text.split(/(?<=\s)/) : [text];
    const between = words.length < 2 ? 0 : Math.min(WORD_MS, ANSWER_MS / words.length);
    for (const word of words) {
      screen.out(word);
      if (between >= 1) await pause(between);
    }
  }
}
