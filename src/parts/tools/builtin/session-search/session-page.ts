import type { LogMessage } from '../../../../contracts/entry.ts';
import type { Session } from '../../../../contracts/session-store.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';
import type { SessionTranscript } from './archive.ts';
import { drawMessage, drawSession } from './draw.ts';
import { fit, computeRangeAround } from './fit.ts';
import { formatCall, joinLines, MAX_PAGE_CHARS, type SessionPage } from './page.ts';
import { indexNear } from './transcript.ts';

/** Characters kept for the head and the foot of a page. */
const FRAME = 1_200;
/** Of a session with more messages than both together the beginning and the end are shown. */
const FIRST = 20;
const LAST = 10;
/** Characters of one message: in an overview, and where it was asked for. */
const SHORT = 2_000;
const LONG = 8_000;

export function renderReadPage(session: Session, { said }: SessionTranscript): SessionPage {
  const head = drawSession(session, said.length);
  if (said.length === 0) return { text: joinLines(head, 'Nothing has been said in it yet.'), shown: [] };
  const gap = said.slice(FIRST, -LAST);
  const shown = gap.length === 0 ? said : [...said.slice(0, FIRST), ...said.slice(-LAST)];
  const drawn = shown.map((each) => drawMessage(each));
  const texts = fit(drawn, MAX_PAGE_CHARS - FRAME, SHORT);
  const ends = gap.length === 0 ? [texts] : [texts.slice(0, FIRST), leftOut(session, gap), texts.slice(FIRST)];
  return { text: joinLines(head, ...ends, drawn.some((each, index) => each !== texts[index]) ? whereCut(session) : []), shown };
}

const leftOut = ({ id }: Session, gap: readonly LogMessage[]): string =>
  `… ${gap.length} messages left out, #${gap[0]?.seq} to #${gap.at(-1)?.seq}: ${formatCall({ session_id: id, around: String(gap[0]?.seq) })}`;

const whereCut = ({ id }: Session): string =>
  `Where a message is cut: ${formatCall({ session_id: id, around: 'n' })} with its number and window 1 shows more of it.`;

/** The messages around an entry, named by its id or its number. */
export function renderScrollPage(session: Session, log: SessionTranscript, around: string, radius: number): SessionPage {
  const { said } = log;
  const head = drawSession(session, said.length);
  if (said.length === 0) return { text: joinLines(head, 'Nothing has been said in it yet.'), shown: [] };
  const at = indexNear(said, seqOf(session, log, around));
  const { from, to } = computeRangeAround(said.length, at, radius);
  const shown = said.slice(from, to);
  const texts = fit(
    shown.map((each, index) => drawMessage(each, from + index === at)),
    MAX_PAGE_CHARS - FRAME,
    LONG,
  );
  return { text: joinLines(head, `-- ${from} messages before, ${said.length - to} after`, texts, onwards(session, log, from, to)), shown };
}

function seqOf(session: Session, { entries }: SessionTranscript, around: string): number {
  const number = /^#?(?<seq>\d+)$/u.exec(around)?.groups?.['seq'];
  const entry = entries.find(({ id, seq }) => id === around || seq === Number(number));
  if (entry !== undefined) return entry.seq;
  throw new ToolFailure(
    `Session ${session.id} has no entry ${JSON.stringify(around.slice(0, 60))}. around takes an entry id or a number from 1 to ${entries.length}; without it the session is shown from its beginning.`,
  );
}

/** How to go on in both directions, where there is anything. */
function onwards({ id }: Session, { said }: SessionTranscript, from: number, to: number): string[] {
  const step = (words: string, index: number) => `${words}: ${formatCall({ session_id: id, around: String(said[index]?.seq) })}`;
  return [...(from > 0 ? [step('Earlier', from - 1)] : []), ...(to < said.length ? [step('Later', to)] : [])];
}
