import { definePlugin, type ContextEngine, type Entry, type RequestContent, type ViewMessage } from 'hermes-ts/plugin';

const SILENCE: ViewMessage = { message: { role: 'assistant', content: [] } };

/** Pure: the same entries give the same view, or the provider's cache breaks. What a compaction covers is shown as its summary. */
export function view(entries: readonly Entry[]): readonly ViewMessage[] {
  const spans = entries.filter((entry) => entry.type === 'compaction');
  const shown = entries.flatMap((entry): readonly ViewMessage[] => {
    if (entry.type !== 'message') return [];
    const { seq, message, wireBefore = [], wireOnly } = entry;
    const span = spans.findLast(({ fromSeq, toSeq }) => fromSeq <= seq && seq <= toSeq);
    if (span !== undefined) return seq === span.fromSeq ? [{ message: span.summary }] : [];
    return [...wireBefore.map((before) => ({ message: before })), { message, ...(wireOnly !== undefined && { wireOnly }) }];
  });
  const isUser = (each: ViewMessage | undefined): boolean => each?.message.role === 'user';
  // Roles alternate: between two messages of the user stands silence.
  return shown.flatMap((each, at) => (isUser(each) && isUser(shown[at - 1]) ? [SILENCE, each] : [each]));
}

const estimate = ({ system, tools, view: shown }: RequestContent): number => Math.ceil(JSON.stringify([system, tools, shown]).length / 4);

export const engine: ContextEngine = {
  name: 'latest-turn',
  view,
  estimate,
  shouldCompress: ({ tokens, window }) => tokens > window / 2,
  compress: async ({ entries, reason, system, tools, calibration }) => {
    const rows = entries.filter((entry) => entry.type === 'message');
    // Before a request no call waits for its result, so a cut right before it separates none from its own.
    const [first, last] = [rows[0], rows[rows.findLastIndex(({ origin }) => origin === 'user') - 1]];
    if (first === undefined || last === undefined) return { ok: false, why: 'there is nothing before the latest request' };
    const words = `[Entries ${first.seq} to ${last.seq} are no longer shown; the log keeps them. Nothing here is to be answered.]`;
    const summary = { role: 'user', content: [{ type: 'text', text: words, trust: 'tool' }] } as const;
    const cut = { fromSeq: first.seq, toSeq: last.seq, summary };
    const [before, after] = [view(entries), view([...entries, { ...last, type: 'compaction', ...cut }])];
    const count = (shown: readonly ViewMessage[]): number => Math.round(estimate({ system, tools, view: shown }) * calibration);
    const sizes = { tokensBefore: count(before), tokensAfter: count(after), messagesBefore: before.length, messagesAfter: after.length };
    const report = { engine: 'latest-turn', reason, ms: 0, ...sizes } as const;
    return sizes.tokensAfter < sizes.tokensBefore
      ? { ok: true, ...cut, report: { ...report, outcome: 'digest' } }
      : { ok: false, why: 'it would not become smaller', report: { ...report, outcome: 'refused' } };
  },
};

export default definePlugin({
  name: 'latest-turn',
  setup: (host) => void host.engines.add({ name: 'latest-turn', open: () => engine }),
});
