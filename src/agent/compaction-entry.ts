import type { CompressResult } from '../contracts/context-engine.ts';
import type { NewEntry } from '../contracts/entry.ts';
import type { Message, TextBlock } from '../contracts/message.ts';
import type { TurnDeps } from './deps.ts';
import { deriveSummaryTrust } from './taint.ts';

/** The entry that changes the view. A summary of foreign words is foreign, whatever its engine says; so is one that was made with some at hand. */
export function createCompactionEntry(
  { fromSeq, toSeq, summary, report }: CompressResult & { ok: true },
  deps: TurnDeps,
  insights: readonly TextBlock[] = [],
): NewEntry {
  const covered = deps.context.view(
    deps.journal.entries.filter((entry) => entry.type === 'compaction' || (entry.seq >= fromSeq && entry.seq <= toSeq)),
  );
  const label = deriveSummaryTrust([...covered, { message: { role: 'user', content: insights } }]);
  return {
    type: 'compaction',
    origin: 'summary',
    fromSeq,
    toSeq,
    summary: label.source === undefined ? summary : labelled(summary, label),
    report,
  };
}

const labelled = (summary: Message, label: ReturnType<typeof deriveSummaryTrust>): Message =>
  summary.role === 'user'
    ? {
        ...summary,
        content: summary.content.map((block) =>
          block.type === 'text' ? { ...block, ...label, trust: label.trust === 'foreign' ? 'foreign' : block.trust } : block,
        ),
      }
    : summary;
