import { toOneLine } from '../../base/printable.ts';
import { createRewoundCheck, type Entry } from '../../contracts/entry.ts';
import type { RepairReport, SearchHit, Session } from '../../contracts/session-store.ts';
import * as commands from '../../commands/sessions.ts';
import { toEntryRows, toHitRow, toSessionRow } from '../../commands/session-rows.ts';
import { drawEntry } from './entries.ts';
import { encodeEventLine } from './json-events.ts';
import { createProgressPrinter } from './progress.ts';
import { renderCommand, type RendererRow } from './renderer.ts';
import { formatCount } from '../../base/screen/figures.ts';
import type { Paint } from '../../base/screen/paint.ts';
import type { Screen } from '../../base/screen/screen.ts';
import { drawTable, type TableCell, type TableColumn } from '../../base/screen/table.ts';
import { formatAgo, formatMoment } from '../../base/screen/when.ts';

const LIST: readonly TableColumn[] = [
  { heading: 'session' },
  { heading: 'last used', optional: true },
  { heading: 'from', optional: true },
  { heading: 'messages', align: 'right', optional: true },
  { heading: 'ended', optional: true },
  { heading: 'title', flexible: true },
];

export function drawList(sessions: readonly Session[], screen: Screen): string {
  if (sessions.length === 0) return 'No sessions found. To start one: hermes chat -q "…"\n';
  const rows = sessions.map((session) => [
    { text: session.id, paint: screen.paint.accent },
    formatAgo(session.updatedAt, screen.now),
    toOneLine(session.source),
    String(session.messages),
    ending(session, screen.paint),
    toOneLine(session.title ?? ''),
  ]);
  const cutOff = sessions.find(isCutOff);
  const hint = cutOff === undefined ? [] : ['', screen.paint.faint(`Finish what was cut off with: hermes chat --resume ${cutOff.id}`)];
  return `${[...drawTable(LIST, rows, screen), ...hint].join('\n')}\n`;
}

const isCutOff = ({ unfinished, running }: Session): boolean => unfinished && running !== true;

/** How the last turn ended; nothing is said of what went well. */
function ending(session: Session, paint: Paint): TableCell {
  const { running, lastExitReason } = session;
  if (running === true) return { text: 'running', paint: paint.accent };
  if (isCutOff(session)) return { text: 'cut off', paint: paint.warn };
  if (lastExitReason === undefined || lastExitReason === 'answered') return { text: '' };
  return { text: lastExitReason.replaceAll('_', ' '), paint: paint.bad };
}

export function drawSession({ session, entries, ancestors, children }: commands.SessionFamily, { paint, now }: Screen): string {
  const title = session.title === undefined ? '' : ` “${toOneLine(session.title)}”`;
  const head = [
    `${paint.strong(`Session ${session.id}`)}${title}`,
    paint.faint(
      `${formatMoment(session.startedAt)}, last used ${formatAgo(session.updatedAt, now)} · ${toOneLine(session.source)} · ${toOneLine(session.provider)} ${toOneLine(session.model)} · ${toOneLine(session.cwd)}`,
    ),
    ...lineage(session, ancestors, children).map(paint.faint),
  ];
  const isRewound = createRewoundCheck(entries);
  const drawn = (entry: Entry) => [...(isRewound(entry.seq) ? [{ text: paint.faint('↶ ') }] : []), ...drawEntry(entry, paint)];
  const body = entries.flatMap(drawn).map((piece) => piece.text);
  const open = isCutOff(session) ? [`${paint.warn('── cut off here')} — finish it with: hermes chat --resume ${session.id}\n`] : [];
  return `${head.join('\n')}\n\n${[...body, ...open].join('').trimEnd()}\n`;
}

const KINDS = { branch: 'branched from', child: 'child of', reset: 'goes on after' } as const;

function lineage(session: Session, ancestors: readonly Session[], children: readonly Session[]): string[] {
  const { parent } = session;
  const known = ancestors.map(named);
  const up = parent === undefined ? [] : [`${KINDS[parent.kind]} ${(known.length > 0 ? known : [parent.sessionId]).join(' ← ')}`];
  return [...up, ...children.map((child) => `${child.parent?.kind ?? 'child'}: ${named(child)}`)];
}

const named = ({ id, title }: Session): string => `${id}${title === undefined ? '' : ` “${toOneLine(title)}”`}`;

export function drawHits(query: string, hits: readonly SearchHit[], { paint, now }: Screen): string {
  if (hits.length === 0) return `Nothing found for ${toOneLine(query)}.\n`;
  const drawn = hits.map(({ sessionId, title, at, role, snippet, rewound }) => {
    const marks = `${title === undefined ? '' : ` · ${toOneLine(title)}`}${rewound === true ? ' · taken back' : ''}`;
    const head = `${paint.accent(sessionId)}  ${paint.faint(`${formatAgo(at, now)} · ${role}${marks}`)}`;
    return `${head}\n  ${marked(snippet, paint)}`;
  });
  return `${drawn.join('\n')}\n${paint.faint(formatCount(hits.length, 'hit'))}\n`;
}

/** Hits stand out by colour where there is one, else by brackets, which survive pipes. */
function marked(snippet: string, paint: Paint): string {
  const tint = (words: string) => (paint.strong('x') === 'x' ? `[${words}]` : paint.warn(paint.strong(words)));
  return snippet
    .split('\u0002')
    .map((part, index) => {
      const [hit = '', rest] = part.split('\u0003');
      return index === 0 || rest === undefined ? flat(part) : tint(flat(hit)) + flat(rest);
    })
    .join('');
}
/** One line, with the spaces at its ends kept: they part a hit from its neighbours. */
const flat = (part: string): string => `${/^\s/.test(part) ? ' ' : ''}${toOneLine(part)}${/\S\s+$/.test(part) ? ' ' : ''}`;

export const ROWS: readonly RendererRow[] = [
  renderCommand(commands.sessionsList, { text: drawList, json: (found) => found.map(toSessionRow) }),
  renderCommand(commands.sessionsShow, {
    text: drawSession,
    json: ({ session, entries }) => ({ session: toSessionRow(session), entries: toEntryRows(entries) }),
  }),
  renderCommand(commands.sessionsSearch, {
    text: ({ query, hits }, screen) => drawHits(query, hits, screen),
    json: ({ hits }) => hits.map(toHitRow),
  }),
  renderCommand(commands.sessionsExport, {
    text: ({ text, file }) => (file === undefined ? text : ''),
    json: ({ session, count, text, file }) => ({
      ...(session && { session: toSessionRow(session) }),
      ...(count !== undefined && { count }),
      text,
      file: file ?? null,
    }),
    notices: ({ session, count = 0, file }) =>
      file === undefined
        ? []
        : [session === undefined ? `${formatCount(count, 'session')} written to ${file}.` : `Session ${session.id} is in ${file}.`],
  }),
  renderCommand(commands.sessionsRename, {
    text: ({ session, title }) => `${session.id} is now “${title}”.\n`,
    json: ({ session }) => toSessionRow(session),
  }),
  renderCommand(commands.sessionsDelete, {
    text: ({ session, ok }) => (ok ? `Session ${session.id} is removed.\n` : 'Nothing is removed.\n'),
    json: ({ session, ok }) => ({ session: toSessionRow(session), removed: ok }),
  }),
  renderCommand(commands.sessionsRebuildPrompt, {
    text: ({ session }) =>
      `The next turn of session ${session.id} starts with a new prompt; the provider’s cache of the old one is lost.\n`,
    json: ({ session }) => ({ session: toSessionRow(session) }),
  }),
  renderCommand(commands.sessionsCompress, {
    text: () => '',
    json: () => undefined,
    progress: (event, streams) => createProgressPrinter(streams)(event),
    jsonProgress: encodeEventLine,
  }),
  renderCommand(commands.sessionsRepair, {
    text: drawRepair,
    json: (report) => report,
  }),
  renderCommand(commands.sessionsBackup, { text: ({ file }) => `The store is copied to ${file}.\n` }),
];

function drawRepair({ problems, rebuilt, sessions: kept, entries, lost }: RepairReport, { paint }: Screen): string {
  const sound = `${formatCount(kept, 'session')} with ${formatCount(entries, 'entry', 'entries')} are in order.`;
  const order = lost.length > 0 ? `${sound} Not everything could be saved: see above.` : paint.good(sound);
  return [...problems.map((problem) => `${paint.warn('!')} ${problem}\n`), `Rebuilt: ${rebuilt.join(', ')}. ${order}\n`].join('');
}
