/** Characters of an address that nobody wrote before; more could carry something out. */
const MAX_NEW = { reading: 200, other: 48 } as const;
/** Parts that could be an encoding of something: long, without the look of words. */
const ENCODED = /^(?=.{20,}$)(?:(?=.*\d)(?=.*[A-Za-z])[\w+/=.~-]+|[A-Za-z0-9+/]{24,}={0,2}|[0-9a-f]{24,}|\d{20,})$/i;
const ESCAPED = /(?:%[0-9a-f]{2}){4}/i;
const MAX_LABEL = 20;
/** Names that are one word to a reader: `getting-started-with-node-20`, `2024-01-15-how-we-moved`. */
const WORDS = /^(?:[A-Za-z]{1,20}|\d{1,6})(?:[-_.+](?:[A-Za-z]{1,20}|\d{1,6}))+$/;

export interface UrlDataOptions {
  /** Whether these very characters stand in something the owner or a result said. */
  seen(text: string): boolean;
  /** A site that everybody reads, whose addresses may hold what is looked for. */
  readonly reading: boolean;
}

/**
 * Whether an address carries more than it takes to find a page: parts nobody has written before that are long, encoded or
 * hidden in the name of the host. What stood verbatim in a result or a message carries nothing new.
 */
export function carriesData(url: URL, { seen, reading }: UrlDataOptions): boolean {
  if (seen(withoutFragment(url))) return false;
  const labels = url.hostname
    .split('.')
    .slice(0, -2)
    .filter((label) => !isKnown(label, seen));
  if (labels.some((label) => label.length > MAX_LABEL || isEncoded(label))) return true;
  const parts = [...url.pathname.split('/'), ...listQueryParts(url)].filter((part) => part !== '' && !isKnown(part, seen));
  if (parts.some(isEncoded)) return true;
  return [...labels, ...parts].reduce((sum, part) => sum + part.length, 0) > (reading ? MAX_NEW.reading : MAX_NEW.other);
}

const withoutFragment = ({ href }: URL): string => href.replace(/#.*$/, '').replace(/\/$/, '');
const listQueryParts = ({ search }: URL): string[] => search.slice(1).split(/[&=;]/);

/** Short parts are known to everybody; longer ones when they were written before, as they stand or decoded. */
const isKnown = (part: string, seen: UrlDataOptions['seen']): boolean => part.length <= 3 || seen(part) || seen(decode(part));

const isEncoded = (part: string): boolean => {
  const plain = decode(part);
  return ESCAPED.test(part) ? !/^[\p{L}\p{N}\p{P}\p{Zs}]+$/u.test(plain) || isEncoded(plain) : ENCODED.test(plain) && !WORDS.test(plain);
};

function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}
