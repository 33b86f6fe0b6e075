import type { ServerResponse } from 'node:http';
import { setImmediate as nextLap, setTimeout as sleep } from 'node:timers/promises';
import type { ReplyPlan } from './plan.ts';

/**
 * Carries a plan out. A stalled response is left open on purpose: the client gives up, or the server is disposed.
 * Ends early, without an error, when the client goes away.
 */
export async function deliver(plan: ReplyPlan, response: ServerResponse): Promise<void> {
  if (plan.ending.type === 'stall_before_headers') return;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(plan.status, plan.headers);
  // Without this the headers would wait for the first byte of the body, and a stall before it would hide them.
  response.flushHeaders();
  await writeAll(plan, response, gone.signal);
  if (gone.signal.aborted) return;
  if (plan.ending.type === 'end') response.end();
  if (plan.ending.type === 'cut') await cut(response);
}

async function writeAll(plan: ReplyPlan, response: ServerResponse, gone: AbortSignal): Promise<void> {
  let left = 'afterBytes' in plan.ending ? plan.ending.afterBytes : Number.POSITIVE_INFINITY;
  for (const [index, chunk] of plan.chunks.entries()) {
    if (index > 0 && plan.paceMs > 0) await pause(plan.paceMs, gone);
    if (gone.aborted || left <= 0) return;
    const bytes = Buffer.from(chunk).subarray(0, left);
    left -= bytes.length;
    response.write(bytes);
  }
}

/** Everything written so far arrives, then the connection is gone without the end of the body. */
async function cut(response: ServerResponse): Promise<void> {
  // Node holds the writes of one lap back until its end.
  await nextLap();
  response.socket?.destroySoon();
}

async function pause(milliseconds: number, gone: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: gone }).catch(() => undefined);
}
