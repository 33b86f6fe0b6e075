import type { MemoryTarget } from '../../../../contracts/memory.ts';
import type { MemoryWrite } from '../../../../contracts/memory-provider.ts';
import type { HonchoClient } from './client.ts';

/** Conclusions that stand for an entry of a file belong to a session that only has those. */
export const toFileSession = (target: MemoryTarget): string => `hermes-file-${target}`;
export const isFileSession = (session: string): boolean => session.startsWith('hermes-file-');

/** The two files belong to the profile, so their copy is part of the owner's picture. */
export async function mirrorWrite(client: HonchoClient, { operation, target }: MemoryWrite, signal: AbortSignal): Promise<void> {
  const { peerName: peer, aiPeer: ai } = client.settings;
  const session = toFileSession(target);
  await client.ensureSession({ peer, ai, session }, signal);
  const kept = await client.listConclusions(peer, session, signal);
  if (operation.action !== 'add') {
    const { oldText } = operation;
    for (const { id } of kept.filter(({ content }) => content.includes(oldText))) await client.removeConclusion(id, signal);
  }
  if (operation.action !== 'remove' && !kept.some(({ content }) => content === operation.content))
    await client.conclude(operation.content, peer, session, signal);
}
