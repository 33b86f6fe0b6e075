import { drawBar, formatCount, formatPercent, formatWhole } from '../base/screen/figures.ts';
import type { ContextMeasure } from '../contracts/aside.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { findSession, SESSION_REF } from './find-session.ts';

export const contextUse = defineCommand({
  category: 'insight',
  where: ['terminal', 'chat'],
  whileBusy: 'run',
  name: 'context',
  slash: ['context', 'ctx'],
  summary: 'Show what takes up the model’s context window',
  summaryForOthers: 'Show how full the model’s context window is',
  arguments: { session: { ...SESSION_REF, session: 'there is no session yet; send a message first.', begins: true } },
  examples: ['/context'],
  needs: ['store', 'openSession'],
  run: async ({ session: ref }, { store, openSession }, { othersRead = false }) => {
    const open = await openSession(await findSession(ref, store));
    return { model: open.runtime.model, ...(await open.measure()), othersRead };
  },
  describe: describeContext,
});

/** Columns of the bar. */
const BAR = 30;

interface ContextUse extends ContextMeasure {
  readonly model: string;
  readonly othersRead: boolean;
}

function describeContext({ model, window, system, tools, messages, messageCount, othersRead }: ContextUse): string {
  if (othersRead)
    return `This conversation takes up ${formatPercent((system + tools + messages) / window)} of what fits into the model’s context.`;
  if (messageCount === 0)
    return `Nothing has been sent to ${model} yet. Its context window is ${formatWhole(window)} tokens. To see what it will be told first: hermes prompt --platform tui`;
  const used = system + tools + messages;
  const rows: readonly (readonly [string, number])[] = [
    ['system prompt', system],
    ['tools', tools],
    [formatCount(messageCount, 'message'), messages],
    ['free', Math.max(0, window - used)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const line = ([name, tokens]: readonly [string, number]): string =>
    `${name.padEnd(width)}  ${drawBar(tokens / window, BAR)}  ${formatWhole(tokens)} (${formatPercent(tokens / window)})`;
  return [
    `${model}: about ${formatWhole(used)} of ${formatWhole(window)} tokens (${formatPercent(used / window)})`,
    ...rows.map(line),
  ].join('\n');
}
