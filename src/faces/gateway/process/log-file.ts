import { join } from 'node:path';
import { toPrintable } from '../../../base/printable.ts';
import { openRotatingFile } from '../../../base/rotating-file.ts';
import type { WriteLog } from '../contract.ts';

export const findLogFile = (root: string): string => join(root, 'logs', 'gateway.log');

/** Writes lines with their time. */
export function createLogFile(path: string, redact: (text: string) => string, now: () => number = Date.now): WriteLog {
  const append = openRotatingFile(path);
  return (words) => append(`${new Date(now()).toISOString()} ${toPrintable(redact(words))}`);
}
