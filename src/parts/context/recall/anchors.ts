import { isObject } from '../../../base/json.ts';
import { isMessageEntry, type Entry, type LogMessage } from '../../../contracts/entry.ts';
import { ADDRESS, FINDERS, type AnchorKind, type AnchorFinder } from './anchor-kinds.ts';
import { isOurEcho } from './passage-index.ts';
import { listToolCalls, toRecallRow, type RowSection, type RowVoice } from './rows.ts';

/** An exact fact of the log. */
export interface Anchor {
  readonly kind: AnchorKind;
  readonly text: string;
  /** The entry that has it first, and the last one. */
  readonly seq: number;
  readonly last: number;
  /** How many entries have it. */
  readonly count: number;
}
/** An anchor with what it takes to judge its worth. */
export interface SeenAnchor extends Anchor {
  /** The weightiest voice that has it: 3 the user's, 2 the model's words, 1 its short calls, 0 material. */
  readonly said: number;
}

/** Of a longer row only so much is looked through. */
const SCANNED = 2_000_000;
/** New facts of one kind a single row may bring: a listing must not drown the rest. */
const MAX_OF_KIND = 60;
/** Facts kept in all; beyond them the least recent that came once make room. */
const MOST = 8_000;
const LONGEST = 300;

/** Every exact fact of these entries, in the order of their first mention. */
export const findAnchors = (rows: readonly Entry[]): Anchor[] =>
  collectAnchors(rows)
    .map(({ kind, text, seq, count, last }) => ({ kind, text, seq, count, last }))
    .toSorted((a, b) => a.seq - b.seq);

export function collectAnchors(rows: readonly Entry[]): SeenAnchor[] {
  const seen = new Map<string, SeenAnchor>();
  for (const entry of rows) {
    if (!isMessageEntry(entry) || isOurEcho(entry)) continue;
    for (const found of rowAnchors(entry)) note(seen, found, entry.seq);
    if (seen.size > 2 * MOST) makeRoom(seen);
  }
  if (seen.size > MOST) makeRoom(seen);
  return [...seen.values()];
}

interface AnchorMatch {
  readonly kind: AnchorKind;
  readonly text: string;
  readonly said: number;
}

function note(seen: Map<string, SeenAnchor>, { kind, text, said }: AnchorMatch, seq: number): void {
  const before = seen.get(text);
  seen.set(
    text,
    before === undefined
      ? { kind, text, seq, last: seq, count: 1, said }
      : {
          ...before,
          kind: VAGUE.has(before.kind) ? kind : before.kind,
          last: seq,
          count: before.count + 1,
          said: Math.max(before.said, said),
        },
  );
}
/** Kinds by their dress alone: in a better light a fact is told as what it is. */
const VAGUE: ReadonlySet<AnchorKind> = new Set(['quoted', 'setting']);

/** Half goes at a time, so that the work stays linear. */
function makeRoom(seen: Map<string, SeenAnchor>): void {
  const worth = ({ count, said, last }: SeenAnchor) => (count > 1 || said > 0 ? 1e9 : 0) + last;
  const leaving = [...seen].toSorted(([, a], [, b]) => worth(a) - worth(b)).slice(0, seen.size - MOST);
  for (const [key] of leaving) seen.delete(key);
}

const NO_CALLS = new Map<string, never>();
const SAID: Readonly<Record<RowVoice, number>> = { user: 3, assistant: 2, call: 1, result: 0, ours: 0 };

/** The facts of one row, each once: as the first kind that knows it. */
function rowAnchors(entry: LogMessage): Iterable<AnchorMatch> {
  const row = toRecallRow(entry, NO_CALLS);
  const commands = commandsOf(entry);
  const found = new Map<string, AnchorMatch>();
  const room = new Map<AnchorKind, number>();
  const add = (kind: AnchorKind, text: string, said: number) => {
    const left = room.get(kind) ?? MAX_OF_KIND;
    if (found.has(text) || left === 0 || (kind === 'setting' && repeats(text, found, commands))) return;
    room.set(kind, left - 1);
    found.set(text, { kind, text, said });
  };
  for (const command of commands) add('command', command, SAID.call);
  for (const section of row.sections.flatMap((each) => partsOf(row.text, each)))
    scan(row.text, section, add, (kind) => room.get(kind) !== 0);
  return found.values();
}

/** What somebody pasted between fences is material, not speech. */
function partsOf(text: string, section: RowSection): RowSection[] {
  const { voice, start, end } = section;
  if ((voice !== 'user' && voice !== 'assistant') || !text.includes('```')) return [section];
  const parts: RowSection[] = [];
  let at = start;
  for (let [pasted, fence] = [false, 0]; fence >= 0 && at < end; pasted = !pasted) {
    fence = text.indexOf('```', at);
    const stop = fence < 0 || fence > end ? end : fence;
    parts.push({ voice: pasted ? 'result' : voice, start: at, end: stop });
    at = stop + 3;
  }
  return parts.filter((part) => part.end > part.start);
}

/** Names that say no more of a value than its form does. */
const HOLLOW_NAMES =
  /^["']?(?:(?:file_?)?path|file(?:_?name)?|ur[il]|link|href|command|cmd|commit|sha|hash|uuid|id|version|ip|port|ticket|issue)["']?\s*[:=]\s*/i;

/** `path: x` where x is known as a path. */
function repeats(setting: string, found: ReadonlyMap<string, unknown>, commands: readonly string[]): boolean {
  const value = setting.replace(HOLLOW_NAMES, '').replace(/^["']|["']$/g, '');
  return value.length < setting.length - 1 && (found.has(value) || commands.some((command) => command.startsWith(value)));
}

/** What a call ran, whole: arguments need no guessing. */
function commandsOf(entry: LogMessage): string[] {
  return listToolCalls(entry).flatMap(({ input }) => {
    const command = isObject(input) ? input['command'] : undefined;
    return typeof command === 'string' && command.trim() !== ''
      ? [
          command
            .trim()
            .replaceAll(/\s*\n\s*/g, ' ⏎ ')
            .slice(0, LONGEST),
        ]
      : [];
  });
}

/** A call up to this long says what the model meant to do; a longer one is material. */
const SHORT_CALL = 2_000;
/** Lines are searched many at a time, which is several times as fast; one without end is cut. */
const CHUNK = 4_000;

function scan(
  text: string,
  section: RowSection,
  add: (kind: AnchorKind, text: string, said: number) => void,
  hasRoom: (kind: AnchorKind) => boolean,
): void {
  const speech = section.voice === 'user' || section.voice === 'assistant';
  const said = speech || section.end - section.start <= SHORT_CALL ? SAID[section.voice] : 0;
  for (const chunk of chunksOf(text, section.start, Math.min(section.end, SCANNED)))
    scanChunk(chunk, speech, hasRoom, (kind, fact) => add(kind, fact, said));
}

function scanChunk(
  chunk: string,
  speech: boolean,
  hasRoom: (kind: AnchorKind) => boolean,
  add: (kind: AnchorKind, fact: string) => void,
): void {
  // A piece of an address is no path, port or setting of its own.
  const rest = chunk.includes('://') ? chunk.replaceAll(ADDRESS, ' ') : chunk;
  for (const finder of FINDERS) {
    if (!hasRoom(finder.kind) || (!speech && finder.saidOnly === true)) continue;
    for (const fact of factsIn(finder.whole === true ? chunk : rest, finder)) add(finder.kind, fact);
  }
}

function* chunksOf(text: string, start: number, end: number): Generator<string> {
  for (let at = start; at < end;) {
    const chunk = text.slice(at, Math.min(end, at + CHUNK));
    // Looked for in the chunk alone: in the whole text a line without end would be gone through again and again.
    const feed = at + chunk.length < end ? chunk.lastIndexOf('\n') : -1;
    yield feed > 0 ? chunk.slice(0, feed) : chunk;
    at += feed > 0 ? feed : chunk.length;
  }
}

function* factsIn(text: string, { find, accept }: AnchorFinder): Generator<string> {
  for (const match of text.matchAll(find)) {
    const fact = tidy(match.slice(1).find((group) => group !== undefined) ?? match[0]);
    if (fact !== '' && (accept?.(fact) ?? true)) yield fact;
  }
}

/** Whether a text holds a fact of one of these kinds. */
export const holdsKind = (text: string, kinds: ReadonlySet<AnchorKind>): boolean =>
  FINDERS.some((finder) => kinds.has(finder.kind) && factsIn(text, finder).next().done !== true);

/** The sentence around a fact is no part of it: its full stop, or a bracket that was opened before. */
function tidy(fact: string): string {
  const bare = fact
    .replace(/(?<!\/\.{0,3})[.,;:!?]{1,8}$/, '')
    .trim()
    .slice(0, LONGEST);
  return /[)\]}>]$/.test(bare) && !/[([{<]/.test(bare) ? bare.slice(0, -1) : bare;
}
