import { lazy } from '../../../base/lazy.ts';
import type { SkillCatalog, SkillListing, SkillContext } from '../../../contracts/skills.ts';
import { listDisabledSkills, filterListing, toSystemName, type CatalogConditions } from './conditions.ts';
import { createListing } from './listing.ts';
import { createLru } from './lru.ts';
import { resolveRoots, type Root, type RootOptions } from './roots.ts';
import { loadSnapshot, saveSnapshot, snapshotText, type SkillSnapshot } from './snapshot.ts';
import { EMPTY_SURVEY, survey } from './survey.ts';

export interface SkillCatalogOptions extends RootOptions {
  /** `HERMES_HOME/.skills_prompt_snapshot.json`; nothing is kept on disk without it. */
  readonly snapshotFile?: string | undefined;
  readonly disabled?: readonly string[] | undefined;
  readonly platformDisabled?: Readonly<Record<string, readonly string[]>> | undefined;
  /** `macos`, `linux` or `windows`; the one we run on when absent. */
  readonly os?: string | undefined;
  /** Told once of every file that cannot be used. */
  readonly notice?: ((line: string) => void) | undefined;
}

/** Seed 000 §5.8.1: contexts of one process that are kept. */
const MAX_CONTEXTS = 8;

export function createSkillCatalog(options: SkillCatalogOptions): SkillCatalog {
  const standing: CatalogConditions = {
    os: options.os ?? toSystemName(process.platform),
    disabled: options.disabled ?? [],
    platformDisabled: options.platformDisabled ?? {},
  };
  const roots = lazy(() => resolveRoots(options));
  const listings = createLru<{ readonly of: SkillListing; readonly shown: SkillListing }>(MAX_CONTEXTS);
  const all = looks(roots, options.snapshotFile, createProblemReporter(options.notice));
  const shown = async (context: SkillContext): Promise<SkillListing> => {
    const of = await all();
    const key = toContextKey(roots().roots, listDisabledSkills(standing, context.platform), context);
    const kept = listings.get(key);
    if (kept?.of === of) return kept.shown;
    const fresh = filterListing(of, context, standing);
    listings.set(key, { of, shown: fresh });
    return fresh;
  };
  return { all, shown, find: async (name) => (await all()).skills.find((skill) => skill.name === name) };
}

type SkillRoots = ReturnType<typeof resolveRoots>;
/** What a look gave. */
interface SurveyedCatalog extends SkillSnapshot {
  readonly listing: SkillListing;
  /** Of folders; those of files are in the memory. */
  readonly problems: string;
}

/** One look after the other: the second finds in memory what the first has read, and still sees what changed in between. */
function looks(roots: () => SkillRoots, snapshotFile: string | undefined, tell: (listing: SkillListing) => void): SkillCatalog['all'] {
  let known: SurveyedCatalog | undefined;
  let line: Promise<unknown> = Promise.resolve();
  const look = async (): Promise<SkillListing> => {
    const before = known ?? (snapshotFile === undefined ? undefined : loadSnapshot(snapshotFile, roots().roots));
    known = await lookAgain(roots(), before);
    if (known.text !== before?.text && snapshotFile !== undefined) saveSnapshot(snapshotFile, known.text);
    tell(known.listing);
    return known.listing;
  };
  return () => {
    const mine = line.then(look);
    line = mine.catch(() => undefined);
    return mine;
  };
}

/** What was read again may turn out to be the same: then the listing stays the same object and the caches hold. */
async function lookAgain(
  { roots, problems: ofRoots }: SkillRoots,
  before: (SkillSnapshot & Partial<SurveyedCatalog>) | undefined,
): Promise<SurveyedCatalog> {
  const { memory, places, problems: found, fresh } = await survey(roots, before?.memory ?? EMPTY_SURVEY, Date.now());
  const text = fresh || before === undefined ? snapshotText(roots, memory) : before.text;
  const problems = JSON.stringify(found);
  const same = text === before?.text && problems === before.problems ? before.listing : undefined;
  return { text, memory, problems, listing: same ?? createListing(places, memory.files, [...ofRoots, ...found]) };
}

/** Everything that decides which skills a session sees; the order in which tools were named does not. */
export const toContextKey = (roots: readonly Root[], disabled: readonly string[], { tools, toolsets, platform }: SkillContext): string =>
  JSON.stringify([roots.map(({ path }) => path), tools.toSorted(), toolsets.toSorted(), platform, disabled.toSorted()]);

function createProblemReporter(notice: ((line: string) => void) | undefined): (listing: SkillListing) => void {
  const told = new Set<string>();
  return ({ problems }) => {
    if (notice === undefined) return;
    for (const { path, words } of problems) {
      const line = `skill ${path}: ${words}`;
      if (told.has(line)) continue;
      told.add(line);
      notice(line);
    }
  };
}
