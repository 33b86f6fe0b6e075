import { readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { ExportedFact, MemoryProvider } from '../../../contracts/memory-provider.ts';
import { toFactScope } from './fact-scope.ts';
import { toSource } from './facts.ts';
import type { PersonScope } from './person.ts';
import { MemoryServiceError } from './service-client.ts';

/** What one service keeps of a person, and how one more fact gets there. */
export interface ServiceFacts {
  readonly label: string;
  /** Everything it knows of this person, page by page. */
  list(person: PersonScope): AsyncIterable<ExportedFact>;
  /** Kept word for word. The key is the same whenever this fact is given. */
  add(fact: ExportedFact, person: PersonScope, key: string): Promise<unknown>;
}

const OWNER: PersonScope = { platform: 'cli', sessionId: 'owner', isOwner: true };

/**
 * Export gives what a service knows of the owner: ids of other people are hashes, from which nobody can be told again. Import
 * takes every fact that still holds, each for the person who said it, and leaves out what that person's memory has already.
 */
export const moveFacts = (service: ServiceFacts): Pick<MemoryProvider, 'exportFacts' | 'importFacts'> => ({
  exportFacts: () => listOrSay(service, OWNER),
  importFacts: async (facts) => {
    const known = new Map<string, Set<string>>();
    let taken = 0;
    for await (const fact of facts) {
      if (fact.validTo !== undefined) continue;
      const person = toPerson(fact);
      const name = JSON.stringify(person);
      const texts = known.get(name) ?? new Set((await Array.fromAsync(listOrSay(service, person))).map(({ text }) => text));
      known.set(name, texts);
      if (texts.has(fact.text.trim())) continue;
      await service.add(fact, person, `import ${name} ${sha256(fact.text)}`);
      texts.add(fact.text.trim());
      taken++;
    }
    return taken;
  },
});

/** A server that has no such list says so with one of these. */
const NO_LIST: ReadonlySet<number> = new Set([404, 405, 501]);

async function* listOrSay({ label, list }: ServiceFacts, person: PersonScope): AsyncGenerator<ExportedFact> {
  try {
    yield* list(person);
  } catch (error) {
    if (error instanceof MemoryServiceError && NO_LIST.has(error.status))
      throw new MemoryServiceError(`${label} cannot list what it knows (${error.status}), so nothing can be moved.`, error.status);
    throw error;
  }
}

function toPerson(fact: ExportedFact): PersonScope {
  const scope = toFactScope(fact);
  return scope.isOwner && scope.isGroup !== true ? OWNER : { ...scope, sessionId: 'import' };
}

/** What is kept beside an imported fact, so that exporting it again gives the same. */
export const toImportMetadata = ({ at, author, foreign }: ExportedFact, key: string): JsonObject => ({
  hermes_key: key,
  ...(at !== undefined && { hermes_at: new Date(at).toISOString() }),
  ...(author !== undefined && { hermes_author: author }),
  ...(foreign !== undefined && { hermes_foreign: foreign.slice(0, 300) }),
});

const OURS = ['hermes_key', 'hermes_session', 'hermes_store'] as const;

/** What we gave a service ourselves is as foreign as it was then. Of everything else nobody knows what was in view. */
export function toExportedFact(name: string, text: string, at: string | undefined, metadata?: Json): ExportedFact {
  const time = Date.parse(readStringAt(metadata, 'hermes_at') ?? at ?? '');
  const isOurs = OURS.some((key) => readStringAt(metadata, key) !== undefined);
  const foreign = readStringAt(metadata, 'hermes_foreign') ?? (isOurs ? undefined : toSource(name));
  const author = readStringAt(metadata, 'hermes_author');
  return {
    text: text.trim(),
    source: name,
    ...(Number.isFinite(time) && { at: time }),
    ...(author !== undefined && { author }),
    ...(foreign !== undefined && { foreign }),
  };
}

const PAGE_SIZE = 50;
/** A server that gives the same page for ever would never be done. */
const MAX_PAGES = 20_000;

/** Every item of a list that comes in pages, the first being 1: a page that is not full is the last. */
export async function* readPages<Item>(read: (page: number, size: number) => Promise<readonly Item[]>): AsyncGenerator<Item> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const items = await read(page, PAGE_SIZE);
    yield* items;
    if (items.length < PAGE_SIZE) return;
  }
}
