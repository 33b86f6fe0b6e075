import type { AgentEvent } from '../../../contracts/event.ts';
import type { Entry } from '../../../contracts/entry.ts';
import type { AsideBlock, Block, DrawContext, Frame, MainScreen, TerminalSize, TypedBlock } from '../contract.ts';
import type { TranscriptView } from '../draw/view.ts';
import { applyEntries } from '../transcript/entries.ts';
import { addAside, addStored, applyEvent } from '../transcript/events.ts';
import { createTranscript, type Transcript } from '../transcript/state.ts';

export interface StageDeps {
  readonly screen: MainScreen;
  readonly view: TranscriptView;
  readonly now: () => number;
  context(): DrawContext;
  /** Whether code that is to be printed has its colors yet. */
  hasColors?(transcript: Transcript): boolean;
  /** The frame below what is being written. */
  compose(live: readonly string[], context: DrawContext): Frame;
}

/** What is on the screen, and when it is drawn. */
export interface Stage {
  readonly transcript: Transcript;
  apply(event: AgentEvent): void;
  aside(block: AsideBlock | TypedBlock): void;
  /** Prints blocks of a stored session. */
  show(blocks: readonly Block[]): void;
  /** Goes on from stored entries: they count, and are not shown again. Gives what they were. */
  follow(entries: readonly Entry[]): readonly Block[];
  /** What is counted and shown as live belongs to another session from now on. */
  reset(): void;
  /** Draws soon: at once for a key, with the next frame for what streams in. */
  invalidate(cause?: 'key' | 'stream'): void;
  /** The terminal has another size: what is drawn waits until it has settled. */
  resize(size: TerminalSize): void;
  /** Draws now. */
  paint(): void;
  /** Nothing is drawn until it is resumed: the terminal is somebody else's. */
  pause(): void;
  resume(): void;
}

/** At once after what is being done, or after some time. */
function schedulePaint(paint: () => void, ms?: number): { readonly isKey: boolean; cancel(): void } {
  if (ms === undefined) {
    const soon = setImmediate(paint);
    return { isKey: true, cancel: () => clearImmediate(soon) };
  }
  const later = setTimeout(paint, ms);
  return { isKey: false, cancel: () => clearTimeout(later) };
}

/** Frames of what streams in; more would only cost. */
const FRAME_MS = 33;

/** Colors are loaded when code of their language first comes: nothing is printed without them, for a moment. */
const COLORS_MS = { wait: 10, most: 200 } as const;

export function createStage({ screen, view, now, context, compose, hasColors = () => true }: StageDeps): Stage {
  let transcript = createTranscript();
  let soon: { readonly isKey: boolean; cancel(): void } | undefined;
  let lastPaint = -Infinity;
  let paused = false;
  let heldUntil = -Infinity;
  let plainSince: number | undefined;

  function resize({ columns, rows }: TerminalSize): void {
    const quietMs = screen.resize({ columns, rows });
    if (quietMs > 0) heldUntil = now() + quietMs;
  }
  function waitForColors(): number {
    if (hasColors(transcript)) plainSince = undefined;
    else plainSince ??= now();
    return plainSince !== undefined && now() - plainSince < COLORS_MS.most ? COLORS_MS.wait : 0;
  }
  /** Draws unless the terminal is still being resized, which may be seen here before it is told. */
  function paintSettled(): void {
    resize(context());
    const wait = Math.max(heldUntil - now(), waitForColors());
    if (wait <= 0) return paint();
    cancel();
    soon = schedulePaint(paintSettled, wait);
  }
  function paint(): void {
    cancel();
    if (paused) return;
    lastPaint = now();
    const drawn = context();
    const { printed, live, rest } = view.draw(transcript, drawn);
    transcript = rest;
    screen.update(printed, compose(live, drawn));
  }
  function cancel(): void {
    soon?.cancel();
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
    show: (blocks) => {
      transcript = addStored(transcript, blocks);
    },
    follow: (entries) => {
      const { finished } = transcript;
      const next = applyEntries(entries, transcript);
      transcript = { ...next, finished };
      return next.finished.slice(finished.length).map(({ block }) => block);
    },
    reset: () => {
      transcript = { ...createTranscript(), finished: transcript.finished, keys: transcript.keys };
    },
    invalidate: (cause = 'key') => {
      if (soon !== undefined && (soon.isKey || cause === 'stream')) return;
      cancel();
      soon = cause === 'key' ? schedulePaint(paintSettled) : schedulePaint(paintSettled, Math.max(0, FRAME_MS - (now() - lastPaint)));
    },
    resize,
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
