import type { ExportedFact, MemoryScope } from '../../../contracts/memory-provider.ts';

/**
 * Whom an imported fact is for. A file of an earlier version does not say whether it is the owner's: it is where the owner wrote it,
 * or where nobody else can have, outside of chats. What nobody vouches for is somebody else's. A fact without a scope is what the
 * owner, who imports it, wants known.
 */
export function toFactScope({ scope, author }: ExportedFact): Omit<MemoryScope, 'sessionId'> {
  if (scope === undefined) return { platform: 'import', isOwner: true };
  const { platform = 'import', userId, chatId, isGroup, isOwner } = scope;
  return {
    platform,
    isOwner: isOwner ?? (author === 'owner' || (userId === undefined && chatId === undefined)),
    ...(userId !== undefined && { userId }),
    ...(chatId !== undefined && { chatId }),
    ...(isGroup === true && { isGroup }),
  };
}
