import { join } from 'node:path';
import type { EventBatch } from '../../../../../src/contracts/platform-adapter.ts';
import type { AdapterHandle } from '../../../../../src/faces/gateway/link/contract.ts';
import { openWorkerAdapter, type WorkerAdapterOptions } from '../../../../../src/faces/gateway/link/worker/open-worker-adapter.ts';

/** An adapter that hears what it sends, in a worker. */
export const openEcho = (options: Partial<WorkerAdapterOptions> = {}): Promise<AdapterHandle> =>
  openWorkerAdapter({
    file: join(import.meta.dirname, 'echo-worker.ts'),
    platform: 'echo',
    settings: { secrets: {}, extra: {} },
    log: () => {},
    ...options,
  });
export const textsOf = (batch: EventBatch | void | undefined) => (batch ?? []).map((event) => (event.type === 'message' ? event.text : ''));
