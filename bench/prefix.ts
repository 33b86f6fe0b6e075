import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hermes } from './programs.ts';
import type { Wire } from './wire.ts';

const API_MODES = ['chat_completions', 'anthropic_messages', 'responses'];
const STEPS = 20;

/** The share of requests, in percent and per wire format, that repeat the one before them byte for byte; the last pairs span a resume. */
export async function stablePairs(wire: Wire): Promise<readonly number[]> {
  const shares: number[] = [];
  for (const mode of API_MODES) {
    const home = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
    try {
      const url = await wire.anew();
      await hermes({ url, model: `steps-${STEPS}`, home, more: ['--api-mode', mode] });
      await hermes({ url, model: `steps-${STEPS}`, home, more: ['--api-mode', mode, '--continue'] });
      const { bodies } = await wire.report();
      const kept = bodies.slice(1).filter((body, index) => repeats(plain(bodies[index] ?? ''), plain(body)));
      shares.push((100 * kept.length) / (bodies.length - 1));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
  return shares;
}

/** Cache marks wander to the end by design; the bytes beneath them must not. */
const plain = (body: string): string => body.replaceAll(/,"cache_control":\{[^}]*\}/g, '');

/** Whether the later request is the earlier one with bytes put in at one place, which is how messages are added to a list. */
function repeats(earlier: string, later: string): boolean {
  let head = 0;
  while (head < earlier.length && earlier[head] === later[head]) head++;
  return later.length > earlier.length && later.endsWith(earlier.slice(head));
}
