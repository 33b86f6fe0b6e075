import type { Secrets } from '../../../contracts/secrets.ts';
import { redactDeep } from './deep.ts';
import { redactFollowing } from './following.ts';
import { createKnownSecrets, type KnownSecret } from './known.ts';
import { formatPlaceholder, findPlaceholders, rewritePlaceholders, createTagTable } from './placeholder.ts';
import { WINDOW } from './scanner.ts';
import { withoutShapes } from './shapes.ts';
import { createRedactingStream, redactWith } from './stream.ts';

export interface SecretsOptions {
  /** Asked for once, when the first secret is needed. */
  readonly known: () => Iterable<KnownSecret>;
  /** What makes the marks of this home its own. Asked for with the first placeholder. */
  readonly salt: () => string;
}

/** All secrets of one home behind one closure. */
export function createSecrets(options: SecretsOptions): Secrets {
  const tags = createTagTable(options.salt);
  const known = createKnownSecrets(options.known, tags);
  const redact = (text: string): string => (text.length < WINDOW ? text : redactWith(known, text));
  const guess = (kind: string, value: string): string => formatPlaceholder(kind, { tag: tags.of(value) });
  const redactOutput = (text: string): string =>
    rewritePlaceholders(
      redact(text),
      (standing) => standing.text,
      (words) => known.redactSpread(words, guess),
    );
  return {
    redact,
    redactAll: (value) => redactDeep(value, redact),
    redactOutput,
    mask: (text) => withoutShapes(redactOutput(text), guess),
    restore: (text) =>
      rewritePlaceholders(
        text,
        (placeholder) => known.meaning(placeholder) ?? placeholder.text,
        (words) => words,
      ),
    lost: (text) => [
      ...new Set(findPlaceholders(text).flatMap((placeholder) => (known.meaning(placeholder) === undefined ? [placeholder.text] : []))),
    ],
    standing: (text) => {
      const meant = findPlaceholders(text).filter((placeholder) => known.meaning(placeholder) !== undefined);
      return [...new Map(meant.map((each) => [each.text, { text: each.text, name: known.nameOf(each) ?? each.name }])).values()];
    },
    following: () => redactFollowing(known, redact),
    stream: () => createRedactingStream(known),
    learn: (name, value) => known.add({ name, value }),
    names: () => known.names(),
  };
}
