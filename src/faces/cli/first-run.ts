import { wrapText, measureColumns } from '../../base/screen/wrap.ts';
import { EXIT } from './exit-codes.ts';
import { isInterruptedQuestion } from '../../contracts/interrupted-question.ts';
import { findPerson } from './person.ts';
import { createStopSignal } from './streams.ts';

export interface FirstRunDeps {
  /** Runs `hermes setup` and gives its exit code. */
  setUp(): Promise<number>;
}

const GREETING = [
  'Hermes is an AI agent that works in your terminal.',
  'It reads and writes files, runs commands and remembers.',
  'It needs a model: an API key, or a server on this machine.',
  'No model is connected yet. Setup asks for the provider and its key.',
  'To look around first, without a key: hermes demo',
] as const;

/**
 * `hermes` before anything is set up: it explains itself and offers the setup. Gives an exit code when the program is to end, and
 * nothing when it can go on: the setup was done.
 */
export async function offerSetup({ setUp }: FirstRunDeps): Promise<number | undefined> {
  const person = findPerson();
  if (person === undefined) return undefined;
  const columns = measureColumns(process.stderr);
  process.stderr.write(`\n${GREETING.flatMap((line) => wrapText(line, columns)).join('\n')}\n`);
  try {
    const answer = await person.choose({ question: 'Set up now?', choices: [{ value: 'yes' }, { value: 'no' }] }, createStopSignal());
    if (answer === 'no') return leave(EXIT.answered);
  } catch (error) {
    if (!isInterruptedQuestion(error)) throw error;
    return leave(EXIT.interrupted);
  }
  const code = await setUp();
  return code === EXIT.answered ? undefined : code;
}

function leave(code: number): number {
  process.stderr.write('Whenever you are ready: hermes setup\n');
  return code;
}
