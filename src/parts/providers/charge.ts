import { NO_USAGE, type AssistantMessage, type Usage } from '../../contracts/message.ts';
import type { CallContext, ModelEvent, ReportedUsage } from '../../contracts/provider.ts';
import type { ReplyFold } from './wire-format.ts';

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

/** The same for an answer that broke off: what its server counted up to some moment, and our own count of what came after that. */
export function chargeBroken({ counted, produced, uncounted }: BrokenReply, call: CallContext): ReportedUsage {
  const { usage = NO_USAGE, usageEstimated } = chargeCall(counted, produced, call);
  if (uncounted === 0 || counted.output === 0) return { usage, ...(usageEstimated && { usageEstimated }) };
  const { cost: _, ...tokens } = usage;
  return { usage: { ...tokens, output: tokens.output + Math.ceil(uncounted / CHARS_PER_TOKEN) }, usageEstimated: true };
}

/** Characters of an answer that broke off, and those of them that came after the server's last count. */
interface BrokenReply {
  readonly counted: Usage;
  readonly produced: number;
  readonly uncounted: number;
}

/** Notes how far an answer had come when its server last counted. */
export function watchUsage() {
  let [counted, countedAt, text, calls]: [Usage, number, number, number] = [NO_USAGE, 0, 0, 0];
  return {
    hear: (events: readonly ModelEvent[], fold: Pick<ReplyFold, 'progress' | 'counted'>): void => {
      for (const event of events) if ('delta' in event) text += event.delta.length;
      calls = fold.progress().chars;
      const told = fold.counted();
      if (told !== counted) [counted, countedAt] = [told, text + calls];
    },
    get isCounted(): boolean {
      return counted !== NO_USAGE;
    },
    broken: (): BrokenReply => ({ counted, produced: text + calls, uncounted: text + calls - countedAt }),
  };
}

/** Characters a model has produced for a message. Reasoning that stays with the server cannot be seen. */
export const countProduced = ({ content }: AssistantMessage): number =>
  content.reduce((sum, block) => sum + ('text' in block ? block.text.length : callLength(block)), 0);

const callLength = (block: AssistantMessage['content'][number]): number =>
  block.type === 'tool_call' ? block.name.length + (block.malformed ?? JSON.stringify(block.input)).length : 0;
