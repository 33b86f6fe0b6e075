import type { ForeignPart, InboundMedia, InboundMessage, PlatformKind } from '../../../contracts/platform-adapter.ts';

/** All files of a message: the sender's own, and those handed on. */
export const listMedia = ({ media, foreign = [] }: Pick<InboundMessage, 'media' | 'foreign'>): readonly InboundMedia[] => [
  ...media,
  ...foreign.flatMap((part) => part.media),
];

/** Longer names say no more. */
const MAX_AUTHOR = 80;

const ORIGINS: Readonly<Record<ForeignPart['origin'], string>> = {
  forward: 'message forwarded',
  quote: 'message quoted',
  bot: 'message made by a bot',
};

/** Where a part comes from, in words. */
export function describePart({ origin, author = '' }: ForeignPart, { label }: Pick<PlatformKind, 'label'>): string {
  const name = author.trim().slice(0, MAX_AUTHOR).toWellFormed();
  return `${ORIGINS[origin]} on ${label}${name === '' ? '' : `, by ${name}`}`;
}

/** In place of the words of a sender who wrote none. */
export const NO_OWN_WORDS = '(Passed on without a comment.)';
