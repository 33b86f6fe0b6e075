import type { CallResult, ResolvedCall, Toolkit, ToolRunOptions } from '../../../src/contracts/tool.ts';
import type { ToolMessage } from '../../../src/contracts/message.ts';

type Runnable = Extract<ResolvedCall, { ok: true }>;

/** One call through the whole door, as a turn takes it there: whoever must be asked is asked on the way. */
export async function resultOf(toolkit: Toolkit, call: Runnable, run: ToolRunOptions): Promise<CallResult> {
  const prepared = await toolkit.prepare(call, run);
  for (;;) {
    const admission = await prepared.admission();
    if (admission.type !== 'ask') return prepared.run();
    await prepared.ask(admission.action, run.signal);
  }
}

/** What the model is told of it. */
export const executed = async (toolkit: Toolkit, call: Runnable, run: ToolRunOptions): Promise<ToolMessage> =>
  (await resultOf(toolkit, call, run)).message;
