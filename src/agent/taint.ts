import type { Message, Text } from '../contracts/message.ts';
import type { ViewMessage } from '../contracts/provider.ts';

/**
 * Where foreign words in the model's view come from, each source once. While there are any, whatever the model does may
 * have been their idea: what lasts (memory, skills, schedules, messages) then needs consent.
 */
export const taintOf = (view: readonly ViewMessage[]): readonly string[] => [
  ...new Set(view.flatMap(({ message, wireOnly = [] }) => [...foreignIn(message), ...wireOnly.flatMap(sourceOf)])),
];

/** A summary is made of what it covers: foreign words in there make it foreign. */
export function summaryTrust(covered: readonly ViewMessage[]): Pick<Text, 'trust' | 'source'> {
  const sources = taintOf(covered);
  return sources.length === 0 ? { trust: 'tool' } : { trust: 'foreign', source: sources.join(', ') };
}

const foreignIn = (message: Message): string[] => {
  const fallback = message.role === 'tool' ? message.name : 'a message from outside';
  return message.content.flatMap((block) => {
    if (block.trust !== 'foreign') return [];
    return [block.type === 'text' ? (block.source ?? fallback) : fallback];
  });
};
const sourceOf = (block: Text): string[] => (block.trust === 'foreign' ? [block.source ?? 'recalled memory'] : []);
