import type { RunningProcess, StartOptions } from '../../../contracts/terminal.ts';
import { createCapture } from './capture.ts';

/** What a process in the background says and how it ends: kept in bounds, told to whoever listens. One for every way to run it. */
export interface OutputListener {
  hear(bytes: Buffer): void;
  /** For the output alone: whoever listens has heard it, in a run before this one. */
  recall(bytes: Buffer): void;
  /** The first end counts. */
  finish(exitCode: number): void;
  /** `undefined` while it runs. */
  code(): number | undefined;
  readonly exited: Promise<number>;
  /** These of a `Running`. */
  readonly told: Pick<RunningProcess, 'status' | 'output' | 'outputEnds' | 'onOutput'>;
}

/** Bytes as they come, of which the first `heard` lines were heard in an earlier run; those before the first byte are `lines`. */
export function createResumedListener(ears: Pick<OutputListener, 'hear' | 'recall'>, heard: number, lines = 0) {
  return {
    take: (bytes: Buffer): void => {
      const old = afterLines(bytes, heard - lines);
      ears.recall(bytes.subarray(0, old));
      ears.hear(bytes.subarray(old));
      lines += newlines(bytes);
    },
    lines: (): number => lines,
  };
}

/** Where the first lines of a piece end; all of it when it has no more. */
function afterLines(bytes: Buffer, lines: number): number {
  let at = 0;
  for (let left = lines; left > 0; left--) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}
const NEWLINE = 10;
function newlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

export function openListener(options: StartOptions): OutputListener {
  const output = createCapture(options.maxOutput, options.keepAll, options.clean);
  const listeners = new Set<(text: string) => void>();
  const exited = Promise.withResolvers<number>();
  let code: number | undefined;
  return {
    hear: (bytes) => {
      const fresh = output.add(bytes);
      if (fresh !== '') for (const listener of listeners) listener(fresh);
    },
    recall: (bytes) => void output.add(bytes),
    finish: (exitCode) => {
      if (code !== undefined) return;
      code = exitCode;
      output.finish();
      exited.resolve(exitCode);
    },
    code: () => code,
    exited: exited.promise,
    told: {
      status: () => (code === undefined ? { state: 'running' } : { state: 'exited', exitCode: code }),
      output: output.window,
      outputEnds: output.ends,
      onOutput: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}
