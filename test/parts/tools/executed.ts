import type { ToolMessage } from '../../../src/contracts/message.ts';
import type { ResolvedCall, Toolkit, ToolRun } from '../../../src/contracts/tool.ts';

/** What the model is told of one call that went through the whole door. */
export async function executed(toolkit: Toolkit, call: Extract<ResolvedCall, { ok: true }>, run: ToolRun): Promise<ToolMessage> {
  return (await toolkit.execute(call, run)).message;
}
