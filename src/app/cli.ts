import { messageOf, isUsageError } from '../base/errors.ts';
import { refuseAgent } from '../commands/agent-forbidden.ts';
import { chat, type ChatValues } from '../commands/chat.ts';
import type { AnyCommand } from '../contracts/command.ts';
import { isStoreError } from '../contracts/session-store.ts';
import { plainChat } from '../faces/cli/plain-chat.ts';
import { guardProcess } from './host/redaction.ts';
import { version } from '../base/version.ts';
import { isYolo } from '../parts/safety/approval/yolo.ts';

interface RunOptions {
  /** Commands beside ours; one with the name of one of ours takes its place. */
  readonly commands?: readonly AnyCommand[];
}

/** Runs one command line. Gives the exit code; what a person can mend is told in a line or two, never as a stack. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<number> {
  process.stdout.on('error', lostOutput);
  process.stderr.on('error', () => {});
  guardProcess(process);
  try {
    const plain = plainChat(argv);
    if (plain !== undefined) return await runChat(plain);
    if (argv.length === 0) return await (await import('../faces/cli/interactive.ts')).interactive();
    return await runRegistered(argv, options);
  } catch (error) {
    if (isUsageError(error)) return tell(error.message, 2);
    if (isStoreError(error)) return tell(error.message, 1);
    return tell(`Something in hermes itself went wrong: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`, 1);
  }
}

/** The way of a plain question: it loads no registry, no parser and no other command. */
async function runChat(values: ChatValues): Promise<number> {
  await refuseAgent(chat, { ...values, yolo: values.yolo === true || isYolo(process.env) }, startedByAgent);
  return (await import('./verbs/chat.ts')).chat(values);
}
const startedByAgent = async (): Promise<boolean> => (await import('../parts/terminals/below-command.ts')).isBelowCommand();

async function runRegistered(argv: readonly string[], { commands = [] }: RunOptions): Promise<number> {
  const { builtinRegistry } = await import('../commands/builtin.ts');
  const { runProgram } = await import('../faces/cli/program.ts');
  const { openServices } = await import('./services/services.ts');
  const registry = builtinRegistry(commands);
  await using services = openServices(process.env);
  const deps = { services: services.openers, startedByAgent, commands: () => registry.at('shell') };
  return await runProgram(argv, registry, version, async (command, values, json) => {
    if (command === chat) return runChat(values);
    if (command.name === 'demo') return (await import('./verbs/demo.ts')).demo(values);
    return (await import('../faces/cli/show.ts')).runAndShow(command, values, json, deps);
  });
}

function tell(words: string, code: number): number {
  process.stderr.write(`hermes: ${words}\n`);
  return code;
}

/** A reader that went away (`| head`) is no error, whatever the command; output that could not be written is. */
function lostOutput(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') process.exit(tell(`the output could not be written: ${error.message}`, 1));
}
