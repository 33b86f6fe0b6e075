import type { ToolBlock } from '../contract.ts';
import type { TranscriptDraft } from './state.ts';

/** So much of what a call tells is kept while it runs; its result has all of it. */
const MAX_PROGRESS_LINES = 60;
const MAX_LINE_CHARS = 4_000;

/** Changes the row of a call that runs; says whether there is one. */
export function changeCall(draft: TranscriptDraft, callId: string, change: (block: ToolBlock) => ToolBlock): boolean {
  const at = draft.live.findLastIndex(({ block, state }) => state === 'pending' && block.kind === 'tool' && block.call.id === callId);
  const item = draft.live[at];
  if (item?.block.kind !== 'tool') return false;
  draft.live[at] = { ...item, block: change(item.block) };
  return true;
}

/** Output comes in pieces that end anywhere: the last line goes on until its break comes. A child's newest word replaces its last. */
export function addProgress(block: ToolBlock, note: string, childId?: string): ToolBlock {
  if (childId !== undefined) {
    const others = (block.children ?? []).filter(({ id }) => id !== childId);
    const at = (block.children ?? []).findIndex(({ id }) => id === childId);
    return { ...block, children: others.toSpliced(at < 0 ? others.length : at, 0, { id: childId, note: note.trimEnd() }) };
  }
  const [first = '', ...rest] = note.split('\n');
  const last = block.progress.at(-1) ?? '';
  const lines = [...block.progress.slice(0, -1), last + first, ...rest];
  return { ...block, progress: lines.slice(-MAX_PROGRESS_LINES).map((line) => line.slice(-MAX_LINE_CHARS)) };
}
