import { type TaggedText, SCAN, scanTags, type TagScan } from './think-tags.ts';
import { type Json, NO_USAGE, type Usage } from '../../../contracts/message.ts';
import type { CallProgress, FinishReason, ModelEvent, ModelRequest, TokenLogprob } from '../../../contracts/provider.ts';

/** The answer so far: what all three wires fold their frames into. A value; every function here gives a new one. */
export interface ReplyDraft {
  readonly protocol: string;
  readonly request: ModelRequest;
  readonly estimate: number | undefined;
  readonly blocks: readonly DraftBlock[];
  readonly progress: CallProgress;
  readonly scan: TagScan;
  /** The words as they came, tags and all, where the wire needs to know them again. */
  readonly said: string;
  /** Which text the tag scan is in. */
  readonly textKey: string;
  /** Reasoning came in a field of its own; then reasoning between tags is an echo and is dropped. */
  readonly structured: boolean;
  readonly usage: Usage;
  readonly finish: FinishReason | undefined;
  readonly logprobs?: readonly TokenLogprob[];
  /** The terminal event has been given. */
  readonly over: boolean;
}
/** `key` is the wire's own name for the place (index, item id); deltas find their block by it. */
export type DraftBlock =
  | { readonly kind: 'text'; readonly key: string; readonly text: string }
  | { readonly kind: 'thinking'; readonly key: string; readonly text: string; readonly tagged?: boolean; readonly native?: Json }
  | {
      readonly kind: 'call';
      readonly key: string;
      readonly slot: number;
      readonly id: string;
      readonly name: string;
      readonly args: string;
      readonly native?: Json;
    };
export type CallBlock = Extract<DraftBlock, { kind: 'call' }>;
export type DraftThinking = Extract<DraftBlock, { kind: 'thinking' }>;

/** Text under this key is the model's refusal to answer. */
export const REFUSAL = 'refusal';

export type FoldStep = readonly [ReplyDraft, readonly ModelEvent[]];

export const begin = (protocol: string, request: ModelRequest, estimate?: number): ReplyDraft => ({
  protocol,
  request,
  estimate,
  blocks: [],
  progress: { calls: 0, name: '', chars: 0, args: '' },
  scan: SCAN,
  said: '',
  textKey: '',
  structured: false,
  usage: NO_USAGE,
  finish: undefined,
  over: false,
});

/** Runs several steps one after the other. */
export function runFoldSteps(draft: ReplyDraft, steps: readonly ((draft: ReplyDraft) => FoldStep)[]): FoldStep {
  const events: ModelEvent[] = [];
  let here = draft;
  for (const step of steps) {
    const [next, given] = step(here);
    here = next;
    events.push(...given);
  }
  return [here, events];
}

/** Words for the reader, after reasoning between tags has been taken out of them. */
export function addText(draft: ReplyDraft, key: string, delta: string): FoldStep {
  const [ready, before] = key === draft.textKey ? [draft, []] : closeText(draft);
  const [scan, pieces] = scanTags(scanOf(ready), delta);
  const [next, events] = addPieces({ ...ready, scan, textKey: key }, pieces);
  return [next, [...before, ...events]];
}

/** The text under the scan is over: what was held back is words after all. */
export function closeText(draft: ReplyDraft): FoldStep {
  const [, pieces] = scanTags(scanOf(draft), '', true);
  const [next, events] = addPieces(draft, pieces);
  return [{ ...next, scan: SCAN, textKey: '' }, events];
}

/** Where reasoning has a field of its own, a stray closing tag tells nothing about the words before it. */
const scanOf = ({ scan, structured }: ReplyDraft): TagScan => (structured ? { ...scan, untold: false } : scan);

const addPieces = (draft: ReplyDraft, pieces: readonly TaggedText[]): FoldStep =>
  runFoldSteps(
    draft,
    pieces.map(
      ({ kind, text }) =>
        (here: ReplyDraft) =>
          ADD[kind](here, text),
    ),
  );
const ADD: Readonly<Record<TaggedText['kind'], (draft: ReplyDraft, text: string) => FoldStep>> = {
  text: showText,
  thinking: addTagged,
  recall,
};

function showText(draft: ReplyDraft, delta: string): FoldStep {
  const key = `text:${draft.textKey}`;
  // Calls do not part a text: its last letters may have been held back while they came.
  const index = draft.blocks.findLastIndex((block) => block.kind !== 'call');
  const last = draft.blocks[index];
  const blocks: readonly DraftBlock[] =
    last?.kind === 'text' && last.key === key
      ? draft.blocks.with(index, { ...last, text: last.text + delta })
      : [...draft.blocks, { kind: 'text', key, text: delta }];
  return [{ ...draft, blocks }, [{ type: 'text_delta', delta }]];
}

/** The words so far were reasoning. Their deltas are out and cannot be taken back; the final message is what holds. */
function recall(draft: ReplyDraft, unshown: string): FoldStep {
  const tag = { kind: 'thinking', key: `tag:${draft.textKey}`, tagged: true } as const;
  const moved = (block: DraftBlock): DraftBlock =>
    block.kind === 'text' && block.key === `text:${draft.textKey}` ? { ...tag, text: block.text } : block;
  const next = { ...draft, blocks: draft.blocks.map(moved) };
  return unshown === '' ? [next, []] : addTagged(next, unshown);
}

function addTagged(draft: ReplyDraft, delta: string): FoldStep {
  if (draft.structured) return [draft, []];
  return [
    grown(draft, { kind: 'thinking', key: `tag:${draft.textKey}`, text: '', tagged: true }, delta),
    [{ type: 'thinking_delta', delta }],
  ];
}

/** Reasoning that came in its own field. */
export function addThinking(draft: ReplyDraft, key: string, delta: string): FoldStep {
  const next = { ...grown(draft, { kind: 'thinking', key, text: '' }, delta), structured: true };
  return [next, delta === '' ? [] : [{ type: 'thinking_delta', delta }]];
}

function grown(draft: ReplyDraft, fresh: DraftThinking, delta: string): ReplyDraft {
  const index = draft.blocks.findLastIndex((block) => block.kind === 'thinking' && block.key === fresh.key);
  const known = draft.blocks[index];
  if (known?.kind !== 'thinking') return { ...draft, blocks: [...draft.blocks, { ...fresh, text: delta }] };
  return { ...draft, blocks: draft.blocks.with(index, { ...known, text: known.text + delta }) };
}

/** Opaque data of a reasoning block; opens the block when nothing readable came. */
export function setNative(draft: ReplyDraft, key: string, change: (known: Json | undefined, text: string) => Json): ReplyDraft {
  const open = grown(draft, { kind: 'thinking', key, text: '' }, '');
  const index = open.blocks.findLastIndex((block) => block.kind === 'thinking' && block.key === key);
  const known = open.blocks[index];
  if (known?.kind !== 'thinking') return open;
  return { ...open, structured: true, blocks: open.blocks.with(index, { ...known, native: change(known.native, known.text) }) };
}

export const listCallBlocks = (draft: ReplyDraft): readonly CallBlock[] => draft.blocks.filter((block) => block.kind === 'call');

/** The calls in the order of their places, however their pieces came; what stands between them stays. */
export function orderCalls(draft: ReplyDraft): ReplyDraft {
  const calls = listCallBlocks(draft).toSorted((one, other) => one.slot - other.slot);
  let next = 0;
  return { ...draft, blocks: draft.blocks.map((block) => (block.kind === 'call' ? (calls[next++] ?? block) : block)) };
}

/** Opens a call or changes the open one. */
export function putCall(draft: ReplyDraft, call: CallBlock): ReplyDraft {
  const index = draft.blocks.findLastIndex((block) => block.kind === 'call' && block.key === call.key);
  const known = draft.blocks[index];
  const { calls, chars } = draft.progress;
  const more = call.args.length - (known?.kind === 'call' ? known.args.length : 0);
  const progress = { calls: calls + (index < 0 ? 1 : 0), name: call.name, chars: chars + more, args: call.args };
  return { ...draft, progress, blocks: index < 0 ? [...draft.blocks, call] : draft.blocks.with(index, call) };
}
