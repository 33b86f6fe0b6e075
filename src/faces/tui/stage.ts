import type { AgentEvent } from '../../contracts/event.ts';
import type { Entry } from '../../contracts/entry.ts';
import type { AsideBlock, DrawContext, Frame, LiveBlock, MainScreen } from './contract.ts';
import { applyEntries } from './transcript/entries.ts';
import { addAside, applyEvent } from './transcript/events.ts';
import { createTranscript, takeFinished, type LiveItem, type Transcript, type TranscriptItem } from './transcript/state.ts';

/** Draws blocks; keeps what it drew of those that still change. */
export interface BlockDrawer {
  /** The block that still changes, as it stands now. */
  live(item: LiveItem): LiveBlock;
  /** What is left to print of a block that is finished: all of it, or what was not settled before. */
  finish(item: TranscriptItem, context: DrawContext): string[];
}

export interface StageDeps {
  readonly screen: MainScreen;
  readonly drawer: BlockDrawer;
  readonly now: () => number;
  context(): DrawContext;
  /** The frame below what is being written. */
  compose(live: readonly string[], context: DrawContext): Frame;
  /** Blocks that were printed, for the viewer. */
  printed?(items: readonly TranscriptItem[]): void;
}

/** What is on the screen, and when it is drawn. */
export interface Stage {
  readonly transcript: Transcript;
  apply(event: AgentEvent): void;
  aside(block: AsideBlock): void;
  /** Stored entries, as if they had just been said. */
  replay(entries: readonly Entry[]): void;
  /** What is counted and shown as live belongs to another session from now on. */
  reset(): void;
  /** Draws soon: at once for a key, with the next frame for what streams in. */
  invalidate(cause?: 'key' | 'stream'): void;
  /** Draws now. */
  paint(): void;
  /** Nothing is drawn until it is resumed: the terminal is somebody else's. */
  pause(): void;
  resume(): void;
}

/** Frames of what streams in; more would only cost. */
const FRAME_MS = 33;

export function createStage({ screen, drawer, now, context, compose, printed }: StageDeps): Stage {
  let transcript = createTranscript();
  let soon: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let isKey = false;
  let lastPaint = -Infinity;
  let paused = false;

  function paint(): void {
    cancel();
    if (paused) return;
    lastPaint = now();
    const drawn = context();
    const [finished, rest] = takeFinished(transcript);
    transcript = rest;
    const lines = finished.flatMap((item) => drawer.finish(item, drawn));
    if (finished.length > 0) printed?.(finished);
    const live: string[] = [];
    for (const [index, item] of transcript.live.entries()) {
      const block = drawer.live(item);
      // Only the first has everything before it on the screen for good.
      if (index === 0) lines.push(...block.takeSettled(drawn));
      live.push(...block.render(drawn));
    }
    screen.update(lines, compose(live, drawn));
  }
  function cancel(): void {
    if (soon === undefined) return;
    if (isKey) clearImmediate(soon as NodeJS.Immediate);
    else clearTimeout(soon as NodeJS.Timeout);
    soon = undefined;
  }
  return {
    get transcript() {
      return transcript;
    },
    apply: (event) => {
      transcript = applyEvent(transcript, event, now());
    },
    aside: (block) => {
      transcript = addAside(transcript, block);
    },
    replay: (entries) => {
      transcript = applyEntries(entries, transcript);
    },
    reset: () => {
      transcript = { ...createTranscript(), finished: transcript.finished, keys: transcript.keys };
    },
    invalidate: (cause = 'key') => {
      if (cause === 'key' ? isKey && soon !== undefined : soon !== undefined) return;
      cancel();
      isKey = cause === 'key';
      soon = isKey ? setImmediate(paint) : setTimeout(paint, Math.max(0, FRAME_MS - (now() - lastPaint)));
    },
    paint,
    pause: () => {
      paused = true;
      cancel();
    },
    resume: () => {
      paused = false;
      paint();
    },
  };
}
