import type { Running, StartOptions } from '../../contracts/terminal.ts';
import { capture } from './capture.ts';

/** What a process in the background says and how it ends: kept in bounds, told to whoever listens. One for every way to run it. */
export interface Ear {
  hear(bytes: Buffer): void;
  /** For the output alone: whoever listens has heard it, in a run before this one. */
  recall(bytes: Buffer): void;
  /** The first end counts. */
  finish(exitCode: number): void;
  /** `undefined` while it runs. */
  code(): number | undefined;
  readonly exited: Promise<number>;
  /** These of a `Running`. */
  readonly told: Pick<Running, 'status' | 'output' | 'onOutput'>;
}

export function ear(options: StartOptions): Ear {
  const output = capture(options.maxOutput, options.keepAll, options.clean);
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
      onOutput: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}
