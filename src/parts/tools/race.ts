import { createTextBlock, type TextBlock } from '../../contracts/message.ts';
import { isToolFailure, isToolRefusal, type ToolOutput } from '../../contracts/tool.ts';

/** How long a tool that was told to stop may take to say what it did; the whole turn has 250 ms. */
const GRACE_MS = 150;

/** A tool that throws before its first wait fails like any other. */
export const start = async (run: () => Promise<ToolOutput>): Promise<ToolOutput> => run();

/** The tool's answer, or ours when it fails, overruns its time or does not hear the stop. */
export async function race(
  running: Promise<ToolOutput>,
  timeoutMs: number,
  outer: AbortSignal,
  stop: AbortController,
): Promise<ToolOutput> {
  const ended = Promise.withResolvers<ToolOutput>();
  const timers: NodeJS.Timeout[] = [];
  const giveUp = (words: string) => {
    stop.abort(outer.reason);
    timers.push(setTimeout(() => ended.resolve(failure(words)), GRACE_MS));
  };
  const onAbort = () => giveUp('The user interrupted this call. It was told to stop; parts of it may have taken effect.');
  if (outer.aborted) onAbort();
  outer.addEventListener('abort', onAbort, { once: true });
  if (timeoutMs > 0)
    timers.push(
      setTimeout(
        () => giveUp(`The call took longer than ${timeoutMs / 1000} s and was stopped; parts of it may have taken effect.`),
        timeoutMs,
      ),
    );
  running.then(ended.resolve, (error: unknown) => ended.resolve(failed(error)));
  try {
    return await ended.promise;
  } finally {
    timers.forEach(clearTimeout);
    outer.removeEventListener('abort', onAbort);
  }
}

const failure = (words: string): ToolOutput => ({ content: [createTextBlock(words, 'tool')], failed: true });
/** A call that does not come to its tool. */
export const toRefusalOutput = (words: string | readonly TextBlock[]): ToolOutput =>
  typeof words === 'string' ? { ...failure(words), refused: true } : { content: words, failed: true, refused: true };

const failed = (error: unknown): ToolOutput => (isToolRefusal(error) ? toRefusalOutput(error.message) : failure(wordsOf(error)));

/** A `ToolFailure` speaks to the model; anything else is named for what it is. */
const wordsOf = (error: unknown): string =>
  isToolFailure(error) ? error.message : `The tool failed: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
