import { toOneLine } from '../../../base/printable.ts';
import { drawBar, formatDollars } from '../../../base/screen/figures.ts';
import { fitWidth, measureWidth } from '../../../base/width.ts';
import type { DrawContext, StyleName, Widget } from '../contract.ts';
import { formatElapsed, formatTokens } from './figures.ts';

/** What the status bar tells. What is not known is left out. */
export interface StatusFacts {
  readonly model: string;
  /** Tokens of the last request and its reply, and how many the model can take. */
  readonly context?: { readonly used: number; readonly window: number };
  /** How much of what was sent came from the provider's cache, from 0 to 1. */
  readonly cacheShare?: number;
  /** Dollars. */
  readonly cost?: number;
  /** Since when the session is open. */
  readonly since?: number;
  /** Processes and sessions in the background, messages that wait, compactions so far. */
  readonly background?: number;
  readonly queued?: number;
  readonly compactions?: number;
  readonly title?: string;
  /** Told unless it is the usual one. */
  readonly profile?: string;
  /** Nothing is asked before it is done. */
  readonly yolo?: boolean;
}
export interface StatusBarOptions {
  facts(): StatusFacts;
  /** `display.status_bar.fields`; all of ours in their order, then those of extensions, when empty. */
  fields(): readonly string[];
  /** Fields of extensions by their names; each gives its text. */
  readonly extensions?: Readonly<Record<string, () => string>>;
}

type Room = 'full' | 'compact' | 'minimal';
interface Field {
  readonly text: string;
  readonly look: StyleName;
}
type DrawField = (facts: StatusFacts, room: Room, now: number) => readonly Field[];

const roomFor = (columns: number): Room => (columns >= 76 ? 'full' : columns >= 52 ? 'compact' : 'minimal');

const MAX_MODEL: Readonly<Record<Room, number>> = { full: 26, compact: 20, minimal: 16 };
const MAX_TITLE = 24;
const MAX_EXTENSION = 30;
const BAR_CELLS = 10;
/** How full the window is, from where, and what color says so. */
const LEVELS: readonly (readonly [from: number, look: StyleName])[] = [
  [0.95, 'status.full'],
  [0.8, 'status.high'],
  [0.5, 'status.mid'],
  [0, 'status.low'],
];

/** Of a name that is too long, what stands before the last slash goes first. */
const nameModel = (model: string, most: number): string =>
  measureWidth(model) <= most ? model : fitWidth(model.slice(model.lastIndexOf('/') + 1) || model, most);

const one = (text: string, look: StyleName = 'status'): readonly Field[] => (text === '' ? [] : [{ text, look }]);
const counted = (count: number | undefined, words: (count: number) => string, look?: StyleName) =>
  count === undefined || count === 0 ? [] : one(words(count), look);

function drawContextField({ context }: StatusFacts, room: Room): readonly Field[] {
  if (context === undefined || context.window <= 0) return [];
  const share = context.used / context.window;
  const look = LEVELS.find(([from]) => share >= from)?.[1] ?? 'status.low';
  const percent = `${Math.round(share * 100)}%`;
  const size = `${formatTokens(context.used)}/${formatTokens(context.window)}`;
  if (room === 'minimal') return one(percent, look);
  if (room === 'compact') return one(`${size} ${percent}`, look);
  // The empty part shows where the window ends.
  return one(`${size} ${drawBar(share, BAR_CELLS).replaceAll(' ', '·')} ${percent}`, look);
}

/** Fields by name, in the order they stand in. Where there is no room the last ones of `DROPPED` go first. */
const FIELDS: ReadonlyMap<string, DrawField> = new Map(
  Object.entries<DrawField>({
    model: ({ model }, room) => one(nameModel(toOneLine(model), MAX_MODEL[room]), 'accent'),
    context: drawContextField,
    cache: ({ cacheShare }, room) => (cacheShare === undefined || room === 'minimal' ? [] : one(`cache ${Math.round(cacheShare * 100)}%`)),
    cost: ({ cost }) => (cost === undefined ? [] : one(formatDollars(cost))),
    elapsed: ({ since }, room, now) => (since === undefined || room === 'minimal' ? [] : one(formatElapsed(now - since))),
    compressions: ({ compactions }) => counted(compactions, (count) => `compressed ${count}×`),
    background: ({ background }) => counted(background, (count) => `${count} in background`, 'accent'),
    queue: ({ queued }) => counted(queued, (count) => `${count} queued`, 'accent'),
    title: ({ title = '' }, room) => (room === 'full' ? one(fitWidth(toOneLine(title), MAX_TITLE)) : []),
    profile: ({ profile = '' }) => one(profile === '' ? '' : `profile ${fitWidth(toOneLine(profile), MAX_TITLE)}`),
    yolo: ({ yolo }) => (yolo === true ? one('YOLO', 'status.full') : []),
  }),
);
/** What goes first when there is no room. Never the model, the context or YOLO. */
const DROPPED = ['title', 'compressions', 'elapsed', 'profile', 'cache', 'cost', 'queue', 'background'];

export const STATUS_FIELDS: readonly string[] = [...FIELDS.keys()];
const SEPARATOR = ' │ ';

/** One line: the model, how full its window is, what it costs, what runs. */
export function createStatusBar({ facts, fields, extensions = {} }: StatusBarOptions): Widget {
  const drawField = (name: string, room: Room, now: number): readonly Field[] =>
    FIELDS.get(name)?.(facts(), room, now) ??
    one(fitWidth(toOneLine((Object.hasOwn(extensions, name) ? extensions[name]?.() : undefined) ?? ''), MAX_EXTENSION));
  return {
    render: ({ columns, style, now }) => {
      const asked = fields();
      const names = asked.length > 0 ? asked : [...STATUS_FIELDS, ...Object.keys(extensions)];
      const room = roomFor(columns);
      const drawn = names.map((name) => ({ name, parts: drawField(name, room, now) })).filter(({ parts }) => parts.length > 0);
      const fitting = dropUntilFits(drawn, columns);
      const line = fitting.flatMap(({ parts }) => parts);
      return line.length === 0 ? [] : [drawLine(line, columns, style)];
    },
  };
}

interface NamedField {
  readonly name: string;
  readonly parts: readonly Field[];
}
const widthOf = (fields: readonly NamedField[]): number =>
  fields.flatMap(({ parts }) => parts).reduce((sum, { text }, index) => sum + measureWidth(text) + (index === 0 ? 0 : SEPARATOR.length), 0);

function dropUntilFits(fields: readonly NamedField[], columns: number): readonly NamedField[] {
  let kept = fields;
  // Fields of extensions go before ours.
  for (const name of [...fields.map((field) => field.name).filter((each) => !FIELDS.has(each)), ...DROPPED]) {
    if (widthOf(kept) <= columns) return kept;
    kept = kept.filter((field) => field.name !== name);
  }
  return kept;
}

function drawLine(fields: readonly Field[], columns: number, style: DrawContext['style']): string {
  let room = columns;
  return fields
    .map(({ text, look }, index) => {
      const lead = index === 0 ? '' : SEPARATOR;
      const shown = fitWidth(text, Math.max(0, room - lead.length));
      room -= lead.length + measureWidth(shown);
      return shown === '' ? '' : `${style('rule', lead)}${style(look, shown)}`;
    })
    .join('');
}
