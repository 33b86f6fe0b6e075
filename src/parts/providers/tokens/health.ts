import { setTimeout as pause } from 'node:timers/promises';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { redactUrl } from '../../../base/http.ts';
import { toServerRoot } from './ask-server.ts';

export interface HealthOptions {
  readonly signal: AbortSignal;
  /** How long a server that is starting is waited for. */
  readonly patienceMs?: number;
  readonly everyMs?: number;
}

/** Waits until the server says that it is well. One that has no page for it is there all the same. */
export async function waitForServer(baseUrl: string, { signal, patienceMs = 60_000, everyMs = 1_000 }: HealthOptions): Promise<void> {
  const url = `${toServerRoot(baseUrl)}/health`;
  const end = performance.now() + patienceMs;
  for (;;) {
    const trouble = await askHealth(url, signal);
    if (trouble === undefined) return;
    signal.throwIfAborted();
    if (performance.now() + everyMs > end)
      throw new UsageError(
        `the model server at ${redactUrl(baseUrl)} is not ready: ${trouble}. Start it or correct openai.base_url; openai.health_check=false skips this check.`,
      );
    await pause(everyMs, undefined, { signal });
  }
}

async function askHealth(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) });
    await response.body?.cancel();
    return response.status >= 500 ? `/health answers ${response.status}` : undefined;
  } catch (error) {
    return toErrorMessage(error instanceof Error ? (error.cause ?? error) : error);
  }
}
