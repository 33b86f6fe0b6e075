import type { RunningProcess } from '../../../../contracts/terminal.ts';
import { splitLines } from './process-log.ts';

/** What processes say to what they are told. */
export interface ProcessAnswers {
  /** Sends something and gives the answer, after what came too late for the answer before. */
  exchange(running: RunningProcess, message: ProcessMessage, signal: AbortSignal): Promise<string>;
  /** Somebody has looked at the output: nothing of it is news any more. */
  looked(running: RunningProcess): void;
}
export interface ProcessMessage {
  readonly data: string;
  /** Gives words on what was sent; throws when it was not. */
  send(): Promise<string>;
}

/** How long a process that was told something is listened to: until it answers, and then until it is silent. */
const ANSWER_MS = { first: 2_000, quiet: 300, most: 10_000 };
/** Characters of an answer; the log has the rest. */
const MAX_ANSWER = 10_000;

export function createProcessAnswers(): ProcessAnswers {
  const ears = new WeakMap<RunningProcess, Ear>();
  return {
    exchange: async (running, { data, send }, signal) => {
      const ear = ears.get(running) ?? listen(running);
      ears.set(running, ear);
      const late = ear.take();
      const sent = await send();
      await untilSilent(running, ear, data, signal);
      return [...(late === '' ? [] : [`[it said before this:]\n${late}\n[then:]`]), sent, answerWords(running, ear, data)].join('\n');
    },
    looked: (running) => void ears.get(running)?.take(),
  };
}

/** Hears a process from now on, as long as it runs. */
interface Ear {
  /** What it said and nobody took yet. */
  said(): string;
  take(): string;
  onWord(listener: () => void): () => void;
}

function listen(running: RunningProcess): Ear {
  let said = '';
  const news = new EventTarget();
  running.onOutput((text) => {
    said = (said + text).slice(-MAX_ANSWER);
    news.dispatchEvent(new Event('said'));
  });
  return {
    said: () => said,
    take: () => {
      const taken = splitLines(said.replaceAll('\r\n', '\n')).join('\n');
      said = '';
      return taken;
    },
    onWord: (listener) => {
      news.addEventListener('said', listener);
      return () => news.removeEventListener('said', listener);
    },
  };
}

/** A terminal shows what is typed into it: that is no answer yet. */
const isEcho = (said: string, data: string): boolean => data.startsWith(said.replaceAll('\r', ''));

function untilSilent(running: RunningProcess, ear: Ear, data: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wait = () => setTimeout(resolve, isEcho(ear.said(), data) ? ANSWER_MS.first : ANSWER_MS.quiet);
  let timer = wait();
  const most = setTimeout(resolve, ANSWER_MS.most);
  const off = ear.onWord(() => {
    clearTimeout(timer);
    timer = wait();
  });
  const stop = () => resolve();
  signal.addEventListener('abort', stop, { once: true });
  void running.exited.then(stop);
  return promise.finally(() => {
    off();
    [timer, most].forEach(clearTimeout);
    signal.removeEventListener('abort', stop);
  });
}

function answerWords(running: RunningProcess, ear: Ear, data: string): string {
  const { state, exitCode, stopped } = running.status();
  const silent = isEcho(ear.said(), data);
  const lines = ear.take();
  if (state === 'exited') return `${lines || '[no new output]'}\n[${stopped ?? `exited with code ${exitCode ?? 'unknown'}`}]`;
  return silent ? [...(lines === '' ? [] : [lines]), '[no new output yet; poll later]'].join('\n') : lines;
}
