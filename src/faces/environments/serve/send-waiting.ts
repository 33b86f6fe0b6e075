import { waitUnlessAborted } from '../../../base/waits.ts';
import type { LineFile } from '../result-file.ts';
import type { AtroposClient } from './atropos-client.ts';
import type { Outbox } from './outbox.ts';

const STOP_MS = 2_000;

export interface SendingDeps {
  readonly client: Pick<AtroposClient, 'push'>;
  readonly outbox: Outbox;
  readonly keptBack: LineFile;
  /** Names the groups of this folder; a trainer can tell a repeat by it. */
  readonly series: string;
  readonly signal: AbortSignal;
  readonly onNews: (words: string) => void;
}

/** Sends what waits, the oldest first. Says whether all of it has gone; what has not is sent after the next look at the trainer. */
export async function sendWaiting({ client, outbox, keptBack, series, signal, onNews }: SendingDeps, envId: number): Promise<boolean> {
  for (let next = outbox.waiting; next !== undefined && !signal.aborted; next = outbox.waiting) {
    const { group, scored } = next;
    outbox.noteSending(group);
    const group_overrides = { ...scored.group_overrides, group_id: `${series}/${group}` };
    const pushed = client.push({ ...scored, group_overrides, env_id: envId });
    // Who stops waits a moment for the answer: without it the group is sent a second time.
    const outcome = (await waitUnlessAborted(pushed, signal, STOP_MS)) ?? { type: 'withheld' };
    switch (outcome.type) {
      case 'accepted':
        outbox.noteOutcome(group, 'accepted');
        break;
      case 'refused':
        keptBack.append({ group, reason: 'refused', why: outcome.why, scored });
        outbox.keepBack(group, 'refused');
        onNews(`group ${group} was refused: ${outcome.why}`);
        break;
      case 'unsent':
        outbox.noteOutcome(group, 'unsent');
        return false;
      case 'withheld':
        onNews(`no answer came for group ${group}; it is sent again`);
        return false;
    }
  }
  return outbox.waiting === undefined;
}
