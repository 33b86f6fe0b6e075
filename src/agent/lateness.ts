import { formatAge } from '../base/screen/when.ts';
import { createTextBlock, type TextBlock } from '../contracts/message.ts';
import type { InboxItem } from '../contracts/inbox.ts';

/** Later than this and the world may have moved on. */
const LATE_MS = 10 * 60_000;

/**
 * What stands beside a message when a turn takes it in, which may be long after it was sent: it waited for another turn, or
 * nobody ran.
 */
export function listOverlay({ overlay = [], sentAt }: Pick<InboxItem, 'overlay' | 'sentAt'>, now: number): readonly TextBlock[] {
  const age = now - (sentAt ?? now);
  if (age <= LATE_MS) return overlay;
  const words = `This message was sent ${formatAge(age)} ago and is read only now. Check whether it still makes sense before you act on it.`;
  return [...overlay, createTextBlock(words, 'owner')];
}
