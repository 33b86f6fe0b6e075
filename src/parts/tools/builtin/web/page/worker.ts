import { parentPort, workerData } from 'node:worker_threads';
import { readStringAt } from '../../../../../base/json.ts';
import { toErrorMessage } from '../../../../../base/errors.ts';
import { convert } from './convert.ts';
import { loadParsers } from './dom.ts';

/** Converts one page in a thread of its own, which can be ended whatever the page does to the parsers. */
async function work(): Promise<object> {
  try {
    const parsers = await loadParsers();
    return { ok: true, ...convert(readStringAt(workerData, 'html') ?? '', readStringAt(workerData, 'url') ?? '', parsers) };
  } catch (error) {
    return { ok: false, reason: toErrorMessage(error) };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's; this is a thread's
void work().then((outcome) => parentPort?.postMessage(outcome));
