import { applyEntry, isMessageEntry, type Entry } from '../contracts/entry.ts';
import type { BranchOptions, BranchResult } from '../contracts/branch.ts';
import type { SessionStore } from '../contracts/session-store.ts';

/** A session of its own from a place between two turns of another. */
export async function branchAt(
  store: Pick<SessionStore, 'entries' | 'branch'>,
  sessionId: string,
  { throughSeq, title }: BranchOptions,
): Promise<BranchResult> {
  const borders = findTurnBorders(await store.entries(sessionId));
  const border = throughSeq === undefined ? borders.at(-1) : borders.find((seq) => seq >= throughSeq);
  if (border === undefined || (throughSeq ?? 1) < 1)
    return {
      ok: false,
      why:
        throughSeq === undefined
          ? 'nothing of this session is settled yet'
          : `no turn that is settled ends at entry ${throughSeq} or later`,
    };
  return { ok: true, session: await store.branch(sessionId, { throughSeq: border, ...(title !== undefined && { title }) }) };
}

/** Positions after which a new message may come: no turn is open, and the assistant had the last word. */
export function findTurnBorders(log: readonly Entry[]): number[] {
  const visible: Entry[] = [];
  let open = false;
  return log.flatMap((entry) => {
    applyEntry(visible, entry);
    if (entry.type === 'outcome') open = false;
    else if (isMessageEntry(entry) && entry.turnId !== undefined) open = true;
    const last = visible.findLast(isMessageEntry)?.message.role;
    return open || last === 'user' || last === 'tool' ? [] : [entry.seq];
  });
}
