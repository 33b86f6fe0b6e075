import type { Streams } from '../faces/cli/one-shot.ts';

/** The process's own streams. A reader that went away (`| head`) is no error. */
export function processStreams(): Streams {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    watched: process.stderr.isTTY,
  };
}

/** Aborts on SIGINT and SIGTERM; a second SIGINT does not wait for anything. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort('interrupted');
  });
  process.on('SIGTERM', () => controller.abort('terminated'));
  return controller.signal;
}
