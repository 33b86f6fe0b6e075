import { constants } from 'node:os';

/** The exit code as a shell would tell it: of what a signal ended 128 and the number of the signal. */
export const toExitCode = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? (signal === null ? -1 : 128 + constants.signals[signal]);
