import type { ProcessSizes } from '../../base/process-sizes.ts';

const MAX_TASKS = 256;
const MAX_MEMORY_MB = 1_000;
const MAX_OPEN_FILES = 2_000;

/** What of it is beyond its bounds, in words for the owner. */
export function describeExcess({ tasks, memoryMb, openFiles, isHiding }: ProcessSizes): string | undefined {
  const beyond = (what: string, most: string): string => `${what}; ${most} is the most for all of its programs together`;
  if (tasks > MAX_TASKS) return beyond(`it ran ${tasks} programs and threads`, String(MAX_TASKS));
  if (memoryMb > MAX_MEMORY_MB) return beyond(`it held ${memoryMb} MB of memory`, `${MAX_MEMORY_MB} MB`);
  if (openFiles > MAX_OPEN_FILES) return beyond(`it had ${openFiles} files open`, String(MAX_OPEN_FILES));
  return isHiding ? 'a program of it hides what it has open' : undefined;
}
