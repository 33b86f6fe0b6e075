import assert from 'node:assert/strict';
import type { Entry } from '../../../src/contracts/entry.ts';
import type { AgentEvent } from '../../../src/contracts/event.ts';
import { createTextBlock, type UserMessage } from '../../../src/contracts/message.ts';
import { drawBlocks } from '../../../src/faces/tui/draw/block.ts';
import { createHighlighter } from '../../../src/faces/tui/draw/highlight.ts';
import { createTranscriptView } from '../../../src/faces/tui/draw/view.ts';
import { measureLine } from '../../../src/faces/tui/screen/lines.ts';
import { promptMarks } from '../../../src/faces/tui/terminal/sequences.ts';
import { createStyles } from '../../../src/faces/tui/theme/styles.ts';
import { THEMES } from '../../../src/faces/tui/theme/themes.ts';
import { applyEntries } from '../../../src/faces/tui/transcript/entries.ts';
import { addAside, applyEvent } from '../../../src/faces/tui/transcript/events.ts';
import { createTranscript, takeFinished, type Transcript } from '../../../src/faces/tui/transcript/state.ts';
import type { Block, DrawContext } from '../../../src/faces/tui/contract.ts';
import type { ScriptedAnswer } from '../../../src/testing/scripted-provider.ts';
import { createSeededRandom, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { lineFor } from '../../agent/invariants/lines.ts';
import type { Stage } from '../../agent/invariants/stage.ts';
import { randomStory, type OwnersDeed } from '../../agent/invariants/story.ts';
import { tell, type ToldLife } from '../../agent/invariants/world.ts';
import { randomDetails, randomMarkdown } from './sample-text.ts';

export const WIDTHS = [40, 80, 120] as const;
const highlighter = createHighlighter();
for (const language of ['ts', 'py']) highlighter.highlight('', language);
await highlighter.settled();

/** A session as it was lived, process after process, and the log it left. */
export interface PlayedSession {
  readonly lives: readonly ToldLife[];
  readonly entries: readonly Entry[];
}

/** A session with everything a transcript can show: long Markdown, tools with details, steering, failures, kills, undo, compaction. */
export async function playSession(chance: SeededRandom, stage: Stage): Promise<PlayedSession> {
  const plan = chance.fork('owner');
  const deeds = plan.list(5, 5, () => plan.weighed({ nothing: 5, compact: 2, undo: 2, 'undo two': 1, 'change model': 1 }));
  const story = randomStory(chance, {
    rates: { kill: 2, full: 0 },
    messages: plan.list(1, 5, (index) => `question ${index} ${randomMarkdown(plan, 4)}`),
    line: (index) => sayMore(chance, index, lineFor(chance, index)),
    message: (words, index) => attach(chance.fork(`message ${index}`), words),
    between: (index) => asDeed(deeds[index]),
    details: (callId) => randomDetails(createSeededRandom(`${chance.seed} ${callId}`)),
  });
  const { lives, entries } = await tell(story, stage);
  return { lives, entries };
}
const asDeed = (deed: OwnersDeed | 'nothing' | undefined): OwnersDeed | undefined => (deed === 'nothing' ? undefined : deed);

/** A model that says what people read: long Markdown in small pieces. What a failure leaves of a reply is what was streamed of it. */
function sayMore(chance: SeededRandom, index: number, line: ScriptedAnswer): ScriptedAnswer {
  const own = chance.fork(`markdown ${index}`);
  const { text: words = '', thinking, fails } = line;
  const text = words.trim() === '' ? words : `${words} ${randomMarkdown(own)}`;
  return {
    ...line,
    ...(words !== '' && { text }),
    ...(thinking !== undefined && { thinking: `${thinking} ${randomMarkdown(own, 8)}` }),
    ...(fails !== undefined && 'partial' in fails && { fails: { ...fails, partial: { text } } }),
    chunk: own.int(1, 30),
  };
}

function attach(chance: SeededRandom, words: string): UserMessage {
  const content: UserMessage['content'] = [
    createTextBlock(words, 'owner'),
    ...(chance.hits(0.3) ? [{ type: 'image', mime: 'image/png', data: 'AAAA', trust: 'owner' } as const] : []),
    ...(chance.hits(0.3) ? [{ ...createTextBlock('words of a file', 'foreign'), source: `notes ${randomMarkdown(chance, 1)}.md` }] : []),
  ];
  return { role: 'user', content };
}

export const rebuild = (entries: readonly Entry[]): readonly Block[] => applyEntries(entries).finished.map(({ block }) => block);
/** JSON has no negative zero. */
const asStored = (blocks: readonly Block[]): unknown => JSON.parse(JSON.stringify(blocks));
const isAside = ({ kind }: Block): boolean => kind === 'aside';

/** One process of a session: what it began with, what it told, and the log when it was over. */
interface Life extends ToldLife {
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
  /** A kill can lose the word of what was stored. */
  readonly isWhole: boolean;
}
const livesOf = ({ lives, entries }: PlayedSession): Life[] =>
  lives.map((life, index) => {
    const end = lives[index + 1]?.entriesBefore ?? entries.length;
    const told = life.events.filter(({ type }) => type === 'entry').length;
    return {
      ...life,
      before: entries.slice(0, life.entriesBefore),
      after: entries.slice(0, end),
      isWhole: told === end - life.entriesBefore,
    };
  });

/** The blocks a face finishes are those of the log, in every process of the session and wherever the face itself is started anew. */
export function compareBlocks(session: PlayedSession, chance: SeededRandom): void {
  for (const life of livesOf(session)) {
    const { blocks, state } = foldLife(life, chance.int(0, Math.max(0, life.events.length - 1)));
    const expected = rebuild(life.after);
    assert.deepEqual(asStored(blocks), life.isWhole ? expected : expected.slice(0, blocks.length));
    if (life.isWhole && life.events.at(-1)?.type === 'settled') assert.deepEqual([state.live, state.activity], [[], { what: 'idle' }]);
  }
}

function foldLife({ events, before }: Life, restart: number): { readonly blocks: Block[]; readonly state: Transcript } {
  const seen = [...before];
  let [finished, state] = takeFinished(applyEntries(seen));
  const blocks = finished.map(({ block }) => block);
  for (const [index, event] of events.entries()) {
    if (event.type === 'entry') seen.push(event.entry);
    if (index === restart) {
      state = takeFinished(applyEntries(seen))[1];
      blocks.splice(0, blocks.length, ...rebuild(seen));
    } else state = applyEvent(state, event, index);
    [finished, state] = takeFinished(state);
    blocks.push(...finished.map(({ block }) => block).filter((block) => !isAside(block)));
  }
  return { blocks, state };
}

/** How many lines were compared at each width. */
export interface ComparedLines {
  readonly equal: number;
  /** Lines that stand between them and in no log: words made void, notices. */
  readonly between: number;
}

/**
 * What is printed while a session runs are the lines its log draws, byte for byte. With words that were made void and notices
 * in between, they still all stand there, in their order.
 */
export function compareLines(session: PlayedSession, columns: number, chance: SeededRandom): ComparedLines {
  const context = randomContext(chance, columns);
  let [equal, between] = [0, 0];
  for (const life of livesOf(session)) {
    const expected = drawBlocks(rebuild(life.after), context);
    const plain = life.events.filter((event, index) => event.type !== 'notice' && !isVoid(life.events, index));
    const printed = printLive(life, plain, context, chance, false);
    assert.deepEqual(printed, life.isWhole ? expected : expected.slice(0, printed.length));
    const all = [...printed, ...drawBlocks(rebuild(life.after), { ...context, expanded: true })];
    assert.deepEqual(
      all.filter((line) => measureLine(line) > columns),
      [],
      'no line is wider than the terminal',
    );
    equal += printed.length;
    const disturbed = printLive(life, life.events, context, chance, true);
    let next = 0;
    for (const line of disturbed) if (line === printed[next]) next += 1;
    assert.equal(next, printed.length, `line ${next} is missing: ${JSON.stringify(printed[next])}`);
    between += disturbed.length - printed.length;
  }
  return { equal, between };
}

const randomContext = (chance: SeededRandom, columns: number): DrawContext => ({
  columns,
  rows: 24,
  style: createStyles(chance.pick(['none', '16', 'truecolor']), THEMES[chance.int(0, THEMES.length - 1)]?.styles ?? {}),
  now: 0,
  showThinking: chance.hits(0.5),
  toolCalls: chance.pick(['off', 'new', 'all', 'all', 'verbose']),
  hidesDiffs: chance.hits(0.3),
  timestamps: chance.hits(0.5),
  links: chance.hits(0.5),
  ...(chance.hits(0.5) && { marks: promptMarks }),
  highlight: highlighter.highlight,
});

/** Words that never come into the log: of a reply that is mended, and of one that is broken off. */
function isVoid(events: readonly AgentEvent[], index: number): boolean {
  const kind = KINDS[events[index]?.type ?? 'settled'];
  if (kind === undefined) return false;
  const over = events.findIndex((event, at) => at > index && KINDS[event.type] === undefined && event.type !== 'sampled');
  const stored = over < 0 ? undefined : events.slice(over).find((event) => event.type !== 'inbox');
  const message = stored?.type === 'entry' && stored.entry.type === 'message' ? stored.entry.message : undefined;
  return message?.role !== 'assistant' || !message.content.some(({ type }) => type === kind);
}
const KINDS: Readonly<Partial<Record<AgentEvent['type'], 'text' | 'thinking'>>> = { text_delta: 'text', thinking_delta: 'thinking' };

/** A face that draws a frame now and then, and is told something by the host now and then. */
function printLive(
  { before }: Life,
  events: readonly AgentEvent[],
  context: DrawContext,
  chance: SeededRandom,
  isDisturbed: boolean,
): string[] {
  const view = createTranscriptView();
  const printed: string[] = [];
  let state = applyEntries(before, createTranscript());
  const draw = (now: number): void => {
    const drawn = view.draw(state, { ...context, now });
    printed.push(...drawn.printed);
    state = drawn.rest;
  };
  draw(0);
  for (const [index, event] of events.entries()) {
    state = applyEvent(state, event, index);
    if (isDisturbed && chance.hits(0.05))
      state = addAside(state, { kind: 'aside', tone: 'warn', text: `notice ${randomMarkdown(chance, 3)}` });
    if (index === events.length - 1 || chance.hits(0.4)) draw(index);
  }
  return printed;
}
