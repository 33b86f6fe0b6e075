import type { RunningProcess } from '../../../../contracts/terminal.ts';
import { withoutAnsi } from '../command-line/ansi.ts';
import { FRESH_BREAKER, FRESH_WATCH, onMatch, onMessage, WATCH_RULES } from './watch-rules.ts';

/** Puts a text into a session as if somebody had said it; the same key again is the same text. */
export type Notify = (sessionId: string, text: string, key: string) => void | Promise<void>;

/** What a session wants to hear of a process without asking. */
export interface NoticeRequest {
  readonly onComplete: boolean;
  /** Words to look for, as they are, in each line. */
  readonly patterns: readonly string[];
  /** Lines that were looked at in an earlier run: what comes is what follows them. */
  readonly seen?: number;
}
/** What of its requests is still open, for whoever keeps them beyond this process. */
export interface PendingNotices {
  readonly tell?: boolean;
  readonly watch?: { readonly patterns: readonly string[]; readonly seen: number };
}
export const toPendingNotices = ({ onComplete, patterns, seen = 0 }: NoticeRequest): PendingNotices => ({
  ...(onComplete && { tell: true }),
  ...(patterns.some((pattern) => pattern !== '') && { watch: { patterns, seen } }),
});
export interface NoticesOptions {
  readonly now?: () => number;
  /** Hears what is open, each time after a session was told something: told twice is the same message, not told is lost. */
  keep?(id: string, request: PendingNotices): void | Promise<void>;
}
export interface FollowedProcess {
  readonly id: string;
  readonly sessionId: string;
  readonly running: RunningProcess;
}
export interface ProcessNotices {
  follow(process: FollowedProcess, request: NoticeRequest): void;
  /** The session has seen that it is over: it need not be told. */
  seen(id: string): void;
}

/** Whoever waits for the end is told of it by the waiting; this much later that is sure. */
export const AFTER_MS = 100;
/** A line that does not end is looked at in pieces of this size. */
const LONGEST_LINE = 65_536;
/** Of such a piece the next one has the end: a word may lie on the border. */
const KEPT = 1_024;

/**
 * Messages say what happened and where to look, never what a process wrote: they come into the conversation as words of the
 * owner's side, and its output may be anybody's.
 */
export function createProcessNotices(notify: Notify, { now = Date.now, keep }: NoticesOptions = {}): ProcessNotices {
  const seen = new Set<string>();
  let breaker = FRESH_BREAKER;
  const send = ({ sessionId, id }: FollowedProcess, words: string, key: string, open?: PendingNotices): void =>
    // A store that cannot take a message must not end the agent.
    void Promise.resolve()
      .then(() => notify(sessionId, words, `${id}:${key}`))
      .then(() => open && keep?.(id, open))
      .catch(() => undefined);
  /** The number of the line is the key: a later run that comes to the same line says the same. */
  const tellMatch = (
    process: FollowedProcess,
    { pattern, line, seen: lines }: Match,
    patterns: readonly string[],
    dropped: number,
  ): void => {
    const [next, decision] = onMessage(breaker, now());
    breaker = next;
    const open = { watch: { patterns, seen: lines } };
    if (decision === 'tell') send(process, matchWords(process, pattern, dropped), `watch:${line}`, open);
    else if (decision === 'trip') send(process, SILENCE, `silence:${now()}`, open);
  };
  return {
    seen: (id) => void seen.add(id),
    follow: (process, { onComplete, patterns, seen: heard = 0 }) => {
      let [complete, watch] = [onComplete, FRESH_WATCH];
      const stop = hearLines(process.running, patterns, heard, (match) => {
        const before = watch;
        const [next, decision] = onMatch(watch, now());
        watch = next;
        if (decision === 'tell') tellMatch(process, match, patterns, before.dropped);
        if (decision !== 'off') return;
        complete = true;
        stop();
        send(process, tooManyWords(process), 'off', { tell: true });
      });
      void process.running.exited.then((code) => {
        stop();
        setTimeout(
          () => (complete && !seen.has(process.id) ? send(process, describeProcessEnd(process, code), 'exit') : undefined),
          AFTER_MS,
        );
      });
    },
  };
}

interface Match {
  readonly pattern: string;
  /** The line it stands in, counted from the first the process wrote. */
  readonly line: number;
  /** Lines that have been looked at by now. */
  readonly seen: number;
}

/** Tells the first pattern found in what came at once: lines that come together are one match. */
function hearLines(running: RunningProcess, patterns: readonly string[], heard: number, tell: (match: Match) => void): () => void {
  const wanted = patterns.filter((pattern) => pattern !== '');
  if (wanted.length === 0) return () => {};
  let [rest, seen] = ['', heard];
  return running.onOutput((text) => {
    const lines = (rest + text).split('\n');
    const [first, open] = [seen + 1, lines.pop() ?? ''];
    seen += lines.length;
    if (open.length > LONGEST_LINE) lines.push(open.slice(0, -KEPT));
    rest = open.length > LONGEST_LINE ? open.slice(-KEPT) : open;
    const found = lines.findIndex((line) => matchIn(line, wanted) !== undefined);
    const pattern = matchIn(lines[found] ?? '', wanted);
    if (pattern !== undefined) tell({ pattern, line: first + found, seen });
  });
}
function matchIn(line: string, wanted: readonly string[]): string | undefined {
  const plain = withoutAnsi(line);
  return wanted.find((pattern) => plain.includes(pattern));
}

type NamedProcess = Pick<FollowedProcess, 'id' | 'running'>;
const named = ({ id, running }: NamedProcess): string => `${id} (${running.command.replace(/\s+/g, ' ').slice(0, 120)})`;
const look = ({ id }: NamedProcess): string => `See its output with process (action: log, session_id: ${id}).`;

export const describeProcessEnd = (process: NamedProcess, code: number): string =>
  `[Background process ${named(process)} is over: exit code ${code}. ${look(process)}]`;
const matchWords = (process: FollowedProcess, pattern: string, dropped: number): string =>
  `[Background process ${named(process)} wrote a line with ${JSON.stringify(pattern)}${dropped === 0 ? '' : `, and ${dropped} more since the last message`}. ${look(process)}]`;
const tooManyWords = (process: FollowedProcess): string =>
  `[Background process ${named(process)} writes too many lines with its watch_patterns: they are watched no more, and you hear when it is over. ${look(process)}]`;
const SILENCE = `[Background processes match their watch_patterns too often: no such messages for ${WATCH_RULES.silenceMs / 1000} s.]`;
