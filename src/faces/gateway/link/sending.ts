import { toErrorMessage } from '../../../base/errors.ts';
import type { Chat, DownloadResult, FindSentResult, PlatformAdapter, SendResult } from '../../../contracts/platform-adapter.ts';
import type { AdapterSlot } from './adapter-slot.ts';
import type { LinkClock, LinkTimes, SendingCalls } from './contract.ts';

/** What a call gives when the adapter cannot answer it. */
interface Answers<Result> {
  /** There is no adapter: nothing was handed over. */
  readonly absent: (why: string) => Result;
  /** It was handed over, and no answer will come. */
  readonly lost: (why: string) => Result;
  /** The service has no such thing. */
  readonly missing: Result;
}
const SENDING: Answers<SendResult> = {
  absent: (why) => ({ type: 'not_sent', why }),
  lost: (why) => ({ type: 'unknown', why }),
  missing: { type: 'refused', why: 'This platform cannot do that.' },
};
const unknown = (why: string): FindSentResult => ({ type: 'unknown', why });
const FINDING: Answers<FindSentResult> = { absent: unknown, lost: unknown, missing: unknown('This platform cannot be asked.') };
const failed = (why: string): DownloadResult => ({ type: 'failed', why, retry: true });
const DOWNLOADING: Answers<DownloadResult> = { absent: failed, lost: failed, missing: failed('This platform has no files.') };
/** Shown or not, nothing depends on it. */
const SHOWING: Answers<void> = { absent: () => {}, lost: () => {}, missing: undefined };
const LISTING: Answers<readonly Chat[]> = { absent: () => [], lost: () => [], missing: [] };

/** The calls that need no connection. They go to the adapter that is there, and never throw. */
export function createSendingCalls(
  slot: AdapterSlot,
  clock: LinkClock,
  times: LinkTimes,
  log: (words: string) => void,
): {
  readonly calls: SendingCalls;
  /** Takes no more calls; settles when those that were handed over have their answers. */
  drain(): Promise<unknown>;
} {
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  const call = <Result>(
    name: string,
    signal: AbortSignal,
    run: (adapter: PlatformAdapter) => Promise<Result> | undefined,
    answers: Answers<Result>,
  ): Promise<Result> => {
    if (isClosed) return Promise.resolve(answers.absent('The account is being closed.'));
    const called = hand(name, signal, run, answers).finally(() => running.delete(called));
    running.add(called);
    return called;
  };
  const hand = async <Result>(
    name: string,
    signal: AbortSignal,
    run: (adapter: PlatformAdapter) => Promise<Result> | undefined,
    answers: Answers<Result>,
  ): Promise<Result> => {
    const open = await answerOf(slot.current(), { signal, graceMs: 0, clock });
    if ('why' in open || signal.aborted) return answers.absent('It was stopped before it began.');
    if (typeof open.value === 'string') return answers.absent(open.value);
    const { adapter, gone } = open.value;
    try {
      const answering = run(adapter);
      if (answering === undefined) return answers.missing;
      const answer = await answerOf(answering, { gone, signal, graceMs: times.close, clock });
      return 'why' in answer ? answers.lost(answer.why) : answer.value;
    } catch (error) {
      const why = gone.aborted ? String(gone.reason) : toErrorMessage(error);
      log(`${name} did not end as it should: ${why}`);
      return answers.lost(why);
    }
  };
  const calls: SendingCalls = {
    send: (message, signal) => call('send', signal, (adapter) => adapter.send(message, signal), SENDING),
    edit: (message, signal) => call('edit', signal, (adapter) => adapter.edit?.(message, signal), SENDING),
    remove: (at, signal) => call('remove', signal, (adapter) => adapter.remove?.(at, signal), SENDING),
    findSent: (message, since, signal) => call('findSent', signal, (adapter) => adapter.findSent?.(message, since, signal), FINDING),
    showTyping: (place, signal) => call('showTyping', signal, (adapter) => adapter.showTyping?.(place, signal), SHOWING),
    react: (at, reaction, signal) => call('react', signal, (adapter) => adapter.react?.(at, reaction, signal), SHOWING),
    answerPress: (handle, words, signal) => call('answerPress', signal, (adapter) => adapter.answerPress?.(handle, words, signal), SHOWING),
    download: (media, to, signal) => call('download', signal, (adapter) => adapter.download(media, to, signal), DOWNLOADING),
    listChats: (signal) => call('listChats', signal, (adapter) => adapter.listChats?.(signal), LISTING),
    publishCommands: (commands, signal) =>
      call('publishCommands', signal, (adapter) => adapter.publishCommands?.(commands, signal), SHOWING),
  };
  return {
    calls,
    drain: () => {
      isClosed = true;
      return Promise.all(running);
    },
  };
}

interface AnswerOptions {
  readonly gone?: AbortSignal;
  readonly signal: AbortSignal;
  /** So long after its signal aborts is an answer waited for. */
  readonly graceMs: number;
  readonly clock: LinkClock;
}
/** What some work gives, or why nobody waits for it any more. */
async function answerOf<Value>(
  work: Promise<Value>,
  { gone, signal, graceMs, clock }: AnswerOptions,
): Promise<{ readonly value: Value } | { readonly why: string }> {
  const given = Promise.withResolvers<{ readonly why: string }>();
  const done = new AbortController();
  const onGone = () => given.resolve({ why: String(gone?.reason) });
  const onAbort = () => void clock.sleep(graceMs, done.signal).then(() => given.resolve({ why: 'It was stopped before an answer came.' }));
  gone?.addEventListener('abort', onGone);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work.then((value) => ({ value })), given.promise]);
  } finally {
    done.abort('over');
    gone?.removeEventListener('abort', onGone);
    signal.removeEventListener('abort', onAbort);
  }
}
