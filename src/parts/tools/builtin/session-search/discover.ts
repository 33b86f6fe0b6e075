import type { LogMessage } from '../../../../contracts/entry.ts';
import type { SearchHit, Session } from '../../../../contracts/session-store.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';
import { openArchive, type Archive, type ArchiveStore } from './archive.ts';
import { sortAttendedFirst, isAttended, resolveRootSession, type Sessions } from './lineage.ts';
import type { Role } from './roles.ts';
import { indexNear, createInViewCheck } from './transcript.ts';

export interface DiscoverOptions {
  readonly query: string;
  readonly limit: number;
  readonly sort: 'newest' | 'oldest';
  /** Sets of roles, one tried after the other. */
  readonly roles: readonly (readonly Role[])[];
  /** Only in this session. */
  readonly within?: string;
  /** The session that asks. */
  readonly running: string;
  readonly signal: AbortSignal;
}

/** A session that holds what was looked for, and where. */
export interface SessionMatch {
  readonly session: Session;
  readonly root: Session;
  readonly hit: SearchHit;
  readonly said: readonly LogMessage[];
  /** Index of the hit in `said`. */
  readonly at: number;
}
export interface Discovery {
  readonly found: readonly SessionMatch[];
  /** Others match too, or may. */
  readonly more: boolean;
  /** The roles that were looked at. */
  readonly roles: readonly Role[];
  /** Roles of everything that matched, shown or not. */
  readonly matched: readonly string[];
  /** Older matches were not looked at. */
  readonly partial: boolean;
  /** Sessions there are besides the one that asks. */
  readonly others: number;
  readonly troubles: readonly string[];
}

/**
 * How many matches are asked of the store, more only where these do not give enough sessions: a match in a long text costs the
 * store milliseconds. It gives the newest, so the oldest need all that can be had.
 */
const FEW = 50;
const MANY = 3_200;
const MORE = 8;

export async function discover(
  store: ArchiveStore,
  question: DiscoverOptions,
  most = question.sort === 'newest' ? FEW : MANY,
): Promise<Discovery> {
  const { query: text, within: sessionId, limit, sort, running } = question;
  const sessions = new Map((await store.list()).map((session) => [session.id, session]));
  const all = await store.search({ text, limit: most, ...(sessionId !== undefined && { sessionId }) });
  // What its user took back is not brought up again.
  const hits = all.filter(({ rewound }) => rewound !== true);
  const archive = openArchive(store);
  const full = all.length === most;
  const last = !full || most === MANY;
  // What follows the first set of roles is for when there is nothing of it at all, which only the last look can tell.
  const picked = await firstThatGives({ ...question, roles: question.roles.slice(0, last ? undefined : 1) }, hits, sessions, archive);
  const attended = picked.found.filter(({ session }) => isAttended(session)).length;
  if (!last && attended < limit) return discover(store, question, Math.min(MANY, most * MORE));
  return {
    ...picked,
    more: picked.more || full,
    matched: [...new Set(hits.map(({ role }) => role))],
    partial: full && (sort === 'oldest' || picked.found.length < limit),
    others: [...sessions.keys()].filter((id) => id !== running).length,
    troubles: archive.troubles,
  };
}

type PickedSessions = Pick<Discovery, 'found' | 'more' | 'roles'>;

async function firstThatGives(
  question: DiscoverOptions,
  hits: readonly SearchHit[],
  sessions: Sessions,
  archive: Archive,
): Promise<PickedSessions> {
  let picked: PickedSessions = { found: [], more: false, roles: [] };
  for (const roles of question.roles) {
    const wanted = hits.filter(({ role }) => roles.some((each) => each === role));
    picked = { ...(await pick(question, inOrder(wanted, question.sort), sessions, archive)), roles };
    if (picked.found.length > 0) break;
  }
  return picked;
}

const inOrder = (hits: readonly SearchHit[], sort: DiscoverOptions['sort']): readonly SearchHit[] =>
  sort === 'newest' ? hits : hits.toSorted((a, b) => a.at - b.at || a.seq - b.seq);

/** Hits of one story, in order. */
interface StoryHits {
  readonly root: Session;
  readonly hits: { readonly hit: SearchHit; readonly session: Session }[];
}

/** One place per story, as many as wanted. Logs are read only as far as needed. */
async function pick(
  question: DiscoverOptions,
  hits: readonly SearchHit[],
  sessions: Sessions,
  archive: Archive,
): Promise<Omit<PickedSessions, 'roles'>> {
  const isSeen = await seenBy(question, sessions, archive);
  const found: SessionMatch[] = [];
  for (const group of groupsOf(hits, sessions, question.within)) {
    if (question.signal.aborted) throw new ToolFailure('The search was stopped before it finished.');
    const place = await firstPlace(group, archive, isSeen);
    if (place !== undefined && found.length === question.limit) return { found, more: true };
    if (place !== undefined) found.push(place);
  }
  return { found, more: false };
}

/** Entries of one session that lie so near each other are shown together. */
const NEIGHBOURS = 10;

function groupsOf(hits: readonly SearchHit[], sessions: Sessions, within: string | undefined): StoryHits[] {
  const groups = new Map<string, StoryHits>();
  for (const hit of hits) {
    const session = sessions.get(hit.sessionId);
    if (session === undefined) continue;
    const root = resolveRootSession(session, sessions);
    const key = within === undefined ? root.id : String(Math.trunc(hit.seq / NEIGHBOURS));
    const group = groups.get(key) ?? { root, hits: [] };
    groups.set(key, group);
    group.hits.push({ hit, session });
  }
  const ordered = [...groups.values()].map(({ root, hits: own }) => ({ root, hits: sortAttendedFirst(own, ({ session }) => session) }));
  return sortAttendedFirst(ordered, ({ root, hits: [first] }) => first?.session ?? root);
}

type IsInView = (root: Session, said: LogMessage | undefined) => boolean;

/** What the running session has in view needs no search; a session that is named is searched whatever is in view. */
async function seenBy({ running, within }: DiscoverOptions, sessions: Sessions, archive: Archive): Promise<IsInView> {
  const session = sessions.get(running);
  if (session === undefined || within !== undefined) return () => false;
  const ownRoot = resolveRootSession(session, sessions).id;
  const { entries } = await archive.log(running);
  const inView = createInViewCheck(running, entries);
  return (root, said) => root.id === ownRoot && (said === undefined || inView(said));
}

/** The first hit of a story that was said by somebody and is not in view. */
async function firstPlace({ root, hits }: StoryHits, archive: Archive, isSeen: IsInView): Promise<SessionMatch | undefined> {
  for (const { hit, session } of hits) {
    const { said } = await archive.log(session.id);
    const isTitle = hit.role === 'title';
    const at = isTitle ? indexNear(said, hit.seq) : said.findIndex(({ seq }) => seq === hit.seq);
    if (at < 0 || isSeen(root, isTitle ? undefined : said[at])) continue;
    return { session, root, hit, said, at };
  }
  return undefined;
}
