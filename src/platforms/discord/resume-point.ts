import { parseJson, readNumberAt, readPath, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { Cursor, CursorNote, PlatformIdentity } from '../../contracts/platform-adapter.ts';

/** What the next connection goes on from. */
export interface ResumePoint {
  readonly session: string;
  readonly seq: number;
  readonly url: string;
  readonly account: PlatformIdentity;
  /** How often it was tried in a row without a connection that held. */
  readonly tries: number;
  /** What was missed before this session began was not read to its end: whoever goes on reads all of it first. */
  readonly isBehind?: true;
}
/** The scope of the session and how far of it was kept: a new process goes on with it, and so hears of chats that nobody knew. */
const SESSION_SCOPE = 'session';
export const noteSession = (point: ResumePoint): CursorNote => ({
  type: 'cursor',
  cursor: { scope: SESSION_SCOPE, value: JSON.stringify(point) },
});

/** Where the process before us was. */
export const readSession = (cursors: readonly Cursor[]): ResumePoint | undefined =>
  readResumePoint(parseJson(cursors.find(({ scope }) => scope === SESSION_SCOPE)?.value ?? ''));

export function readResumePoint(resume: Json | undefined): ResumePoint | undefined {
  const [session, url, id] = [readStringAt(resume, 'session'), readStringAt(resume, 'url'), readStringAt(resume, 'account', 'id')];
  const [seq, tries] = [readNumberAt(resume, 'seq'), readNumberAt(resume, 'tries')];
  if (session === undefined || url === undefined || id === undefined || seq === undefined || tries === undefined) return undefined;
  const behind = readPath(resume, 'isBehind') === true ? ({ isBehind: true } as const) : {};
  return { session, url, seq, tries, account: { id, name: readStringAt(resume, 'account', 'name') ?? '' }, ...behind };
}
