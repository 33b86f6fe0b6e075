import type { Session } from '../../../../contracts/session-store.ts';
import { ToolFailure, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';
import { openArchive, type ArchiveStore } from './archive.ts';
import { renderBrowsePage, drawRow } from './browse-page.ts';
import { discover } from './discover.ts';
import { renderDiscoveryPage } from './discovery-page.ts';
import { joinLines, toPageOutput, type SessionPage } from './page.ts';
import { parseRoles } from './roles.ts';
import { renderReadPage, renderScrollPage } from './session-page.ts';

export interface SessionSearchInput {
  readonly query?: string;
  readonly session_id?: string;
  readonly around?: string;
  readonly window?: number;
  readonly limit?: number;
  readonly sort?: 'newest' | 'oldest';
  readonly role_filter?: string;
}

/** The page a call of `session_search` asks for. */
export const findPage = async (store: ArchiveStore, input: SessionSearchInput, context: ToolContext): Promise<ToolOutput> =>
  toPageOutput(await pageFor(store, input, context));

/** What is wanted follows from what is given; an empty text is as good as none. */
async function pageFor(store: ArchiveStore, input: SessionSearchInput, context: ToolContext): Promise<SessionPage> {
  const query = trimmedOrUndefined(input.query);
  const ref = trimmedOrUndefined(input.session_id);
  const around = trimmedOrUndefined(input.around);
  if (ref === undefined && around !== undefined) throw new ToolFailure('around names an entry of a session: give its session_id too.');
  const session = ref === undefined ? undefined : await sessionFor(store, ref);
  if (session !== undefined && (around !== undefined || query === undefined)) return sessionPage(store, session, around, input.window);
  if (query !== undefined) return search(store, query, session, input, context);
  return renderBrowsePage(await store.list({ limit: BROWSED }), context.sessionId, within(1, input.limit ?? MOST, MOST));
}

const trimmedOrUndefined = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === '' ? undefined : value.trim();

const LIMIT = 3;
const MOST = 10;
const WINDOW = 5;
const WIDEST = 20;
/** Enough to find ten that are not children of others. */
const BROWSED = 200;
/** A longer query is not a query. */
const LONGEST = 400;

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, Math.trunc(value)));

async function search(
  store: ArchiveStore,
  typed: string,
  inside: Session | undefined,
  input: SessionSearchInput,
  context: ToolContext,
): Promise<SessionPage> {
  const question = {
    query: typed.slice(0, LONGEST),
    limit: within(1, input.limit ?? LIMIT, MOST),
    sort: input.sort ?? 'newest',
    roles: parseRoles(input.role_filter),
    ...(inside !== undefined && { within: inside.id }),
    running: context.sessionId,
    signal: context.signal,
  } as const;
  return renderDiscoveryPage(await discover(store, question), question);
}

async function sessionPage(store: ArchiveStore, session: Session, around: string | undefined, window = WINDOW): Promise<SessionPage> {
  const archive = openArchive(store);
  const log = await archive.log(session.id);
  if (archive.troubles.length > 0) throw new ToolFailure(`Session ${session.id} could not be read. ${archive.troubles.join(' ')}`);
  return around === undefined ? renderReadPage(session, log) : renderScrollPage(session, log, around, within(1, window, WIDEST));
}

/** Sessions named where the one that was meant is not plain. */
const NAMED = 5;

async function sessionFor(store: ArchiveStore, ref: string): Promise<Session> {
  const matches = await store.find(ref);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const named = only === undefined ? await store.list({ limit: NAMED }) : matches.slice(0, NAMED);
  const what = `${only === undefined ? 'No session has' : `${matches.length} sessions begin with`} the id ${JSON.stringify(ref.slice(0, 60))}.`;
  const hint = only === undefined ? (named.length === 0 ? 'There are none yet.' : 'Recent ones:') : 'Give more of it:';
  throw new ToolFailure(joinLines(what, hint, named.map(drawRow)));
}
