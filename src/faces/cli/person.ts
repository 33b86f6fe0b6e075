import { paintFor } from '../../base/screen/paint.ts';
import { measureColumns } from '../../base/screen/wrap.ts';
import { closeSync, constants, openSync } from 'node:fs';
import { isatty, ReadStream } from 'node:tty';
import type { ChoiceQuestion } from '../../contracts/command.ts';
import type { Ports, ReadSecret } from '../../contracts/ports.ts';
import { askIn } from './ask.ts';
import { readSecretIn } from './read-secret.ts';
import { discardRest, discardTyped } from './typed-ahead.ts';

/** What only a person in front of this process can do. */
export interface Person {
  readonly clarify: NonNullable<Ports['clarify']>;
  /** A secret is typed where it is not shown. */
  readonly readSecret: ReadSecret;
  /** One of several is picked. */
  readonly choose: (question: ChoiceQuestion, signal: AbortSignal) => Promise<string>;
}
/** Runs a question while nothing else is drawn. */
export type WithTerminal = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Who sits here: there when questions can be seen and answered. Standard input may be a pipe; then the terminal itself is asked. */
export function findPerson(withTerminal: WithTerminal = (work) => work()): Person | undefined {
  if (!isatty(2) || !(isatty(0) || hasTerminal())) return undefined;
  const keys = openKeys();
  const desk = { input: keys.open, discard: () => void discardTyped(keys.open()), close: keys.close };
  const say = (text: string) => void process.stderr.write(text);
  const clarify = askIn({ ...desk, say, columns: () => measureColumns(process.stderr), marksPastes: true });
  const interrupt = () => void process.kill(process.pid, 'SIGINT');
  const readSecret = readSecretIn({ ...desk, say, interrupt });
  const choose: Person['choose'] = async (question, signal) => {
    const { chooseIn } = await import('./choose.ts');
    const [columns, paint] = [() => measureColumns(process.stderr), paintFor(process.stderr, process.env)];
    return chooseIn({ ...desk, say, interrupt, columns, paint })(question, signal);
  };
  return {
    clarify: (question, signal) => withTerminal(() => clarify(question, signal)),
    readSecret: (question, signal) => withTerminal(() => readSecret(question, signal)),
    choose: (question, signal) => withTerminal(() => choose(question, signal)),
  };
}

/** Not by process.stdin.isTTY: opening standard input takes time, and most runs never read it. */
function hasTerminal(): boolean {
  try {
    closeSync(openTerminal());
    return true;
  } catch {
    return false;
  }
}
const openTerminal = (): number => openSync('/dev/tty', constants.O_RDONLY | constants.O_NOCTTY);

/** Where keys come from, opened with a question and let go with its answer: an open terminal would keep the process alive. */
function openKeys(): { open(): ReadStream; close(): Promise<void> } {
  let stream: ReadStream | undefined;
  return {
    open: () => (stream ??= isatty(0) ? process.stdin : new ReadStream(openTerminal())),
    close: async () => {
      const open = stream;
      stream = undefined;
      if (open === undefined) return;
      await discardRest(open);
      if (open === process.stdin) open.pause();
      else open.destroy();
    },
  };
}
