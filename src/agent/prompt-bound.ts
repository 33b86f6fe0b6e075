import { boundTextTokens } from '../base/token-bound.ts';
import { isMessageEntry, type Entry } from '../contracts/entry.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import type { ViewMessage } from '../contracts/provider.ts';
import type { Runtime } from '../contracts/runtime.ts';
import type { TurnDeps } from './deps.ts';
import { findCountedCall, toCalibration } from './gauge.ts';
import type { OpenCall } from './ledger.ts';

/** A calibrated count is off by this much at most; what it was made from is rounded. */
const MARGIN = { share: 1.01, tokens: 8 };
/** What a model makes of an estimate while nothing is known of how it counts. */
const UNCOUNTED_SHARE = 4 / 3;
/** What a message takes beyond its words. */
const MESSAGE_TOKENS = 8;

/**
 * What the prompt of a call may take at most. What the provider has counted before it counts again as it did; what came since is of another
 * kind, perhaps (a table of figures after pages of prose), and is taken for the most that any tokenizer makes of it.
 */
export async function boundPrompt(call: OpenCall, runtime: Runtime, deps: TurnDeps): Promise<number> {
  const counted = await findCountedCall(deps.journal, runtime);
  if (counted === undefined) return guessPrompt(call);
  const fresh = deps.journal.entries.filter(({ seq }) => seq > counted.throughSeq);
  const same = withMargin(call.estimate * toCalibration(counted));
  if (isOtherView(call, counted, fresh)) return Math.max(same, boundWhole(call, counted, deps));
  const views = fresh.flatMap((entry) => (isMessageEntry(entry) ? [entry] : []));
  return Math.max(same, withMargin(counted.estimate * toCalibration(counted)) + boundMessages(views, deps));
}

/** The same while nothing is known of how the model counts. */
export const guessPrompt = ({ estimate }: OpenCall): number => withMargin(estimate * UNCOUNTED_SHARE);

/** A compaction, or turns that were taken back: what was counted no longer stands as a whole. */
const isOtherView = (call: OpenCall, counted: CallRecord, fresh: readonly Entry[]): boolean =>
  call.estimate < counted.estimate || fresh.some(({ type }) => type === 'compaction');

function boundWhole({ encoded }: OpenCall, counted: CallRecord, deps: TurnDeps): number {
  const { system, tools, messages } = encoded.request;
  return withMargin(deps.context.estimate({ system, tools, view: [] }) * toCalibration(counted)) + boundMessages(messages, deps);
}

const withMargin = (tokens: number): number => Math.ceil(tokens * MARGIN.share) + MARGIN.tokens;

const boundMessages = (views: readonly ViewMessage[], deps: TurnDeps): number =>
  views.reduce((sum, view) => sum + boundMessage(view, deps), 0);

/** Its words one by one; images and files, which have none, by the estimate. */
function boundMessage({ message, wireOnly = [] }: ViewMessage, { context }: TurnDeps): number {
  const content: readonly ViewMessage['message']['content'][number][] = [...message.content, ...wireOnly];
  const words = content.map((block) => {
    if (block.type === 'text') return boundTextTokens(block.text);
    return block.type === 'tool_call' ? boundTextTokens(block.name + (block.malformed ?? JSON.stringify(block.input))) : 0;
  });
  const estimate = context.estimate({ system: '', tools: [], view: [{ message, wireOnly }] });
  return (
    Math.max(
      Math.ceil(estimate * UNCOUNTED_SHARE),
      words.reduce((sum, tokens) => sum + tokens, 0),
    ) + MESSAGE_TOKENS
  );
}
