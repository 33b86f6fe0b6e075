import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/contracts/entry.ts';
import type { AgentEvent } from '../../../src/contracts/event.ts';
import { drawBlocks } from '../../../src/faces/tui/draw/block.ts';
import { createHighlighter } from '../../../src/faces/tui/draw/highlight.ts';
import { createTranscriptView } from '../../../src/faces/tui/draw/view.ts';
import { createStyles } from '../../../src/faces/tui/theme/styles.ts';
import { THEMES } from '../../../src/faces/tui/theme/themes.ts';
import { applyEntries } from '../../../src/faces/tui/transcript/entries.ts';
import { applyEvent } from '../../../src/faces/tui/transcript/events.ts';
import { createTranscript, takeFinished } from '../../../src/faces/tui/transcript/state.ts';
import type { Block, DrawContext } from '../../../src/faces/tui/contract.ts';
import type { ScriptedAnswer } from '../../../src/testing/scripted-provider.ts';
import { createSeededRandom, forAll, type SeededRandom } from '../../../src/testing/seeded-random.ts';
import { lineFor } from '../../agent/invariants/lines.ts';
import { openStage, type Stage } from '../../agent/invariants/stage.ts';
import { randomStory } from '../../agent/invariants/story.ts';
import { tell } from '../../agent/invariants/world.ts';
import { randomDetails, randomMarkdown } from './sample-text.ts';

const WIDTHS = [40, 80, 120] as const;
const highlighter = createHighlighter();
for (const language of ['ts', 'py']) highlighter.highlight('', language);
await highlighter.settled();

/** A model that says what people read: long Markdown in small pieces. */
function sayMore(chance: SeededRandom, index: number, line: ScriptedAnswer): ScriptedAnswer {
  const own = chance.fork(`markdown ${index}`);
  return {
    ...line,
    ...(line.text !== undefined && line.text.trim() !== '' && { text: `${line.text} ${randomMarkdown(own)}` }),
    ...(line.thinking !== undefined && { thinking: `${line.thinking} ${randomMarkdown(own, 8)}` }),
    chunk: own.int(1, 30),
  };
}

/** A call with what it did; the tools of these stories have no details of their own. */
function decorate(entry: Entry): Entry {
  if (entry.type !== 'message' || entry.message.role !== 'tool') return entry;
  const chance = createSeededRandom(entry.id);
  const details = randomDetails(chance);
  return { ...entry, ...(details !== undefined && { details }) };
}
const decorated = (event: AgentEvent): AgentEvent => (event.type === 'entry' ? { ...event, entry: decorate(event.entry) } : event);

async function playSession(chance: SeededRandom, stage: Stage) {
  const story = randomStory(chance, {
    rates: { kill: 0, full: 0 },
    line: (index) => sayMore(chance, index, lineFor(chance, index)),
  });
  const { events, entries } = await tell(story, stage);
  return { events: events.map(decorated), entries: entries.map(decorate) };
}

const rebuild = (entries: readonly Entry[]): readonly Block[] => applyEntries(entries).finished.map(({ block }) => block);

/** JSON has no negative zero. */
const asStored = (blocks: readonly Block[]): unknown => JSON.parse(JSON.stringify(blocks));

test('finished blocks are the same live and rebuilt from the log, wherever the face is started anew', async () => {
  const stage = await openStage();
  await forAll(50, async (chance) => {
    const { events, entries } = await playSession(chance, stage);
    const blocks: Block[] = [];
    const seen: Entry[] = [];
    const restart = chance.int(0, events.length - 1);
    let state = createTranscript();
    for (const [index, event] of events.entries()) {
      if (event.type === 'entry') seen.push(event.entry);
      state = index === restart ? takeFinished(applyEntries(seen))[1] : applyEvent(state, event, index);
      if (index === restart) blocks.splice(0, blocks.length, ...rebuild(seen));
      const [finished, rest] = takeFinished(state);
      blocks.push(...finished.map(({ block }) => block));
      state = rest;
    }
    assert.deepEqual(asStored(blocks.filter(({ kind }) => kind !== 'aside')), rebuild(entries));
    assert.deepEqual([state.live, state.activity], [[], { what: 'idle' }]);
  });
});

test('the lines that are printed while a session runs are those its log draws, byte for byte at three widths', async () => {
  const stage = await openStage();
  await forAll(50, async (chance) => {
    const { events, entries } = await playSession(chance, stage);
    const told = events.filter((event, index) => event.type !== 'notice' && !isVoid(events, index));
    for (const columns of WIDTHS) {
      const style = createStyles(chance.pick(['none', '16', 'truecolor']), THEMES[chance.int(0, THEMES.length - 1)]?.styles ?? {});
      const context: DrawContext = { columns, rows: 24, style, now: 0, showThinking: chance.hits(0.5), highlight: highlighter.highlight };
      assert.deepEqual(printLive(told, context, chance), drawBlocks(rebuild(entries), context));
    }
  });
});

/**
 * Words that never come into the log: of a reply that is mended, and the reasoning of one that is broken off. Lines of them
 * may be printed already, and are no block.
 */
function isVoid(events: readonly AgentEvent[], index: number): boolean {
  const kind = KINDS[events[index]?.type ?? 'settled'];
  if (kind === undefined) return false;
  const over = events.findIndex((event, at) => at > index && KINDS[event.type] === undefined && event.type !== 'sampled');
  const stored = events.slice(over).find((event) => event.type !== 'inbox');
  const message = stored?.type === 'entry' && stored.entry.type === 'message' ? stored.entry.message : undefined;
  return message?.role !== 'assistant' || !message.content.some(({ type }) => type === kind);
}
const KINDS: Readonly<Partial<Record<AgentEvent['type'], 'text' | 'thinking'>>> = { text_delta: 'text', thinking_delta: 'thinking' };

/** A face that draws a frame now and then. */
function printLive(events: readonly AgentEvent[], context: DrawContext, chance: SeededRandom): string[] {
  const view = createTranscriptView();
  const printed: string[] = [];
  let state = createTranscript();
  for (const [index, event] of events.entries()) {
    state = applyEvent(state, event, index);
    if (index < events.length - 1 && chance.hits(0.6)) continue;
    const drawn = view.draw(state, { ...context, now: index });
    printed.push(...drawn.printed);
    state = drawn.rest;
  }
  return printed;
}
