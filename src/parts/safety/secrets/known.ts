import { lazy } from '../../../base/lazy.ts';
import { listSecretForms } from './forms.ts';
import { MARK, openPlaceholder, findPlaceholderAt, formatPlaceholder, type Placeholder, type TagTable } from './placeholder.ts';
import { createSpreadScanner, type SpreadScanner } from './spread.ts';
import { createScanner, WINDOW, type SecretHit, type Scanner } from './scanner.ts';
import type { Redaction } from './stream.ts';

export interface KnownSecret {
  readonly name: string;
  readonly value: string;
}

/** The values that are known, and how to find them in a text. */
export interface KnownSecrets extends Redaction {
  add(secret: KnownSecret): void;
  has(value: string): boolean;
  names(): string[];
  /** The text without values that are written backwards or spread out; whatever stands there is given to `replace`. */
  redactSpread(text: string, replace: (name: string, written: string) => string): string;
  /** What is looked for just now: the same object until another secret is known. */
  wanted(): SearchedForms;
  /** What a placeholder stands for, letter for letter. */
  meaning(placeholder: Placeholder): string | undefined;
  /** The name of what a placeholder stands for; nothing where it is not known, or known by its looks alone. */
  nameOf(placeholder: Placeholder): string | undefined;
}

export interface SearchedForms {
  /** Characters of the longest form. */
  readonly longest: number;
}

/** `gather` is asked once, when the first secret is needed. The first name of a value stays its name. */
export function createKnownSecrets(gather: () => Iterable<KnownSecret>, tags: TagTable): KnownSecrets {
  const names = new Map<string, string>();
  let index: SecretIndex | undefined;
  let gathered = false;
  const book = (): Map<string, string> => {
    if (gathered) return names;
    gathered = true;
    for (const secret of gather()) add(secret);
    return names;
  };
  const add = ({ name, value }: KnownSecret): void => {
    if (value.length < WINDOW || book().has(value)) return;
    names.set(value, name);
    index = undefined;
  };
  const ready = (): SecretIndex => (index ??= indexOf(book()));
  const meaning = ({ tag, code, cut }: Placeholder) => {
    const value = ready().tagged(tags).valueOf(tag);
    return value === undefined
      ? undefined
      : listSecretForms(value)
          .find((form) => form.code === code)
          ?.text.slice(0, cut);
  };
  return {
    add,
    meaning,
    nameOf: ({ tag }) => book().get(ready().tagged(tags).valueOf(tag) ?? ''),
    has: (value) => book().has(value),
    names: () => [...book().values()],
    redactSpread: (text, replace) => ready().spread().redact(text, replace),
    wanted: ready,
    next: (text, from) => nextIn(text, from, ready(), tags, meaning),
    pending: (text, from) => Math.min(ready().scanner.pending(text, from), openPlaceholder(text, from)),
  };
}

interface SecretOwner {
  readonly name: string;
  readonly value: string;
  readonly code: string;
}
/** Every form of every value, ready to be looked for. */
interface SecretIndex extends SearchedForms {
  readonly scanner: Scanner;
  readonly owners: ReadonlyMap<string, SecretOwner>;
  readonly spread: () => SpreadScanner;
  /** The marks, once every value has one: hashing waits until a placeholder is met. */
  tagged(tags: TagTable): TagTable;
}

function indexOf(names: ReadonlyMap<string, string>): SecretIndex {
  const owners = new Map<string, SecretOwner>();
  for (const [value, name] of names)
    for (const { code, text } of listSecretForms(value))
      if (text.length >= WINDOW && !owners.has(text)) owners.set(text, { name, value, code });
  let marked = false;
  return {
    owners,
    longest: Math.max(MARK.length, ...[...owners.keys()].map((text) => text.length)),
    scanner: createScanner([MARK, ...owners.keys()]),
    spread: lazy(() => createSpreadScanner([...owners].map(([text, { name }]) => ({ name, text })))),
    tagged: (tags) => {
      if (!marked) for (const value of names.keys()) tags.of(value);
      marked = true;
      return tags;
    },
  };
}

function nextIn(text: string, from: number, { scanner, owners }: SecretIndex, tags: TagTable, meaning: KnownSecrets['meaning']) {
  for (let hit = scanner.find(text, from); hit !== undefined; hit = scanner.find(text, hit.start + 1)) {
    const { start, needle, length } = hit;
    const owner = owners.get(needle);
    if (owner !== undefined) return { start, end: start + length, text: standInFor(owner, hit, tags) };
    const standing = findPlaceholderAt(text, start);
    // One of ours stays; what only pretends to be one is looked into like any text.
    if (standing !== undefined && meaning(standing) !== undefined) return { start, end: start + standing.text.length, text: standing.text };
  }
  return undefined;
}

const standInFor = ({ name, value, code }: SecretOwner, { needle, length }: SecretHit, tags: TagTable): string =>
  formatPlaceholder(name, { tag: tags.of(value), code, ...(length < needle.length && { cut: length }) });
