import type { Usage } from '../../../contracts/message.ts';
import type { Block } from '../contract.ts';

/** One block with the name under which it was drawn while it was live. Keys say nothing about order. */
export interface TranscriptItem {
  readonly key: string;
  readonly block: Block;
}
/**
 * A block that still changes, or that waits for one before it:
 * - `streaming`: words of a reply that is being written; `streamed`: the reply is over, or its next part has begun. Nothing
 *   of them is stored yet, and a recovery makes them void;
 * - `pending`: a call that is stored and has no stored result;
 * - `done`: made from what is stored, or in no log at all.
 */
export interface LiveItem extends TranscriptItem {
  readonly state: 'streaming' | 'streamed' | 'pending' | 'done';
}

/** What is being waited for, and since when. */
export type Activity =
  | { readonly what: 'idle' }
  | { readonly what: 'waiting' | 'thinking' | 'writing' | 'running' | 'asking' | 'compacting'; readonly since: number }
  /** The next try comes at `until`. */
  | { readonly what: 'recovering'; readonly since: number; readonly until?: number; readonly strategy: string; readonly detail: string };

export interface Counters {
  /** Model calls that gave a message, and calls of tools. */
  readonly steps: number;
  readonly calls: number;
  /** Tokens of all model calls heard of. */
  readonly usage: Usage;
  /** Tokens of the last one: what the session takes of the window. */
  readonly last?: Usage;
  /** Characters streamed in the turn that runs. */
  readonly streamed: number;
  readonly compactions: number;
}

/** A session on the screen, as plain data: what is finished and not yet printed, what is live, what happens now. */
export interface Transcript {
  readonly finished: readonly TranscriptItem[];
  readonly live: readonly LiveItem[];
  readonly activity: Activity;
  /** When the turn that runs began. */
  readonly turnSince?: number;
  readonly counters: Counters;
  /** The first entry of each turn that stands, so that a rewind can say how many it took back. */
  readonly turns: readonly { readonly turnId: string; readonly seq: number }[];
  readonly keys: number;
}

/** The same while it is being changed; whoever makes one owns its arrays. */
export type TranscriptDraft = { -readonly [Field in keyof Transcript]: Transcript[Field] } & {
  finished: TranscriptItem[];
  live: LiveItem[];
  turns: { readonly turnId: string; readonly seq: number }[];
};

const NO_TOKENS: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export const createTranscript = (): Transcript => ({
  finished: [],
  live: [],
  activity: { what: 'idle' },
  counters: { steps: 0, calls: 0, usage: NO_TOKENS, streamed: 0, compactions: 0 },
  turns: [],
  keys: 0,
});

export const toDraft = (state: Transcript): TranscriptDraft => ({
  ...state,
  finished: [...state.finished],
  live: [...state.live],
  turns: [...state.turns],
});

/** What is finished, and the transcript without it. */
export const takeFinished = (state: Transcript): readonly [readonly TranscriptItem[], Transcript] => [
  state.finished,
  state.finished.length === 0 ? state : { ...state, finished: [] },
];

export const isWords = ({ state }: LiveItem): boolean => state === 'streaming' || state === 'streamed';

export function pushLive(draft: TranscriptDraft, block: Block, state: LiveItem['state'], key = `b${++draft.keys}`): void {
  draft.live.push({ key, block, state });
}

/** Blocks leave in order: one is finished when it is done and nothing before it is live. */
export function settleLive(draft: TranscriptDraft): void {
  const open = draft.live.findIndex(({ state }) => state !== 'done');
  const done = draft.live.splice(0, open < 0 ? draft.live.length : open);
  for (const { key, block } of done) draft.finished.push({ key, block });
}
