import { NO_USAGE, type AssistantMessage, type Usage } from '../../contracts/message.ts';
import type { CallContext, ReportedUsage } from '../../contracts/provider.ts';

/** What we count a text as, at most, for each token of the estimate: three characters a token, where the estimate has four. */
const UNCOUNTED_SHARE = 4 / 3;
const CHARS_PER_TOKEN = 3;

/**
 * What a call is charged with: what the server counted and, for what it did not count, a count of our own that is rather too high. A budget
 * would otherwise end nothing on a server that counts nothing, and a call that broke off would have cost nothing. `produced`: characters of
 * the answer so far.
 */
export function chargeCall(counted: Usage | undefined, produced: number, call: CallContext): ReportedUsage {
  const usage = counted ?? NO_USAGE;
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const input = prompt > 0 ? usage.input : (call.uncountedPrompt ?? Math.ceil(call.estimate * UNCOUNTED_SHARE));
  const output = usage.output > 0 ? usage.output : Math.ceil(produced / CHARS_PER_TOKEN);
  if (input === usage.input && output === usage.output) return { usage };
  return { usage: { ...usage, input, output }, usageEstimated: true };
}

/** The same for an answer that broke off: its server has counted up to some moment before, if at all. */
export function chargeBroken(counted: Usage | undefined, produced: number, call: CallContext): ReportedUsage {
  const charged = chargeCall(counted, produced, call);
  const output = Math.ceil(produced / CHARS_PER_TOKEN);
  if (charged.usage === undefined || charged.usage.output >= output) return charged;
  return { usage: { ...charged.usage, output }, usageEstimated: true };
}

/** Characters a model has produced for a message. Reasoning that stays with the server cannot be seen. */
export const countProduced = ({ content }: AssistantMessage): number =>
  content.reduce((sum, block) => sum + ('text' in block ? block.text.length : callLength(block)), 0);

const callLength = (block: AssistantMessage['content'][number]): number =>
  block.type === 'tool_call' ? block.name.length + (block.malformed ?? JSON.stringify(block.input)).length : 0;
