import type { JsonObject } from '../../../../base/json-types.ts';
import { createTextBlock } from '../../../../contracts/message.ts';
import type { RunProgress } from '../../../../contracts/run-store.ts';
import type { Sampling } from '../../../../contracts/provider.ts';
import { checkAnswer, describeFault, type AnswerFormat } from './answer-format.ts';
import { createFailedEnd, cutAtStop, withOutput, type DescribedEnd } from './end-run.ts';

/** An answer that is not of the form that was asked for, and the message that asks for it once more. */
export interface RejectedAnswer {
  readonly fault: string;
  readonly retry: NonNullable<RunProgress['retry']>;
}

/** What of a request says how its answer is to look, as `readOptions` wrote it. */
interface RequestedForm {
  readonly format?: AnswerFormat;
  readonly stop?: readonly string[];
  readonly sampling?: Sampling;
}
const readRules = (request: JsonObject): RequestedForm => request;

/** Whether words are told as a whole when the answer is known, and not as they come. */
export const isHeldBack = (request: JsonObject): boolean =>
  readRules(request).format !== undefined || readRules(request).stop !== undefined;

/** The answer as its request wants it. One of another form is asked for again, unless it was already. */
export function judgeEnd(end: DescribedEnd, request: JsonObject, isLast: boolean): DescribedEnd | RejectedAnswer {
  const { format, stop = [], sampling } = readRules(request);
  const { result, state } = end;
  if (format === undefined) return cutAtStop(end, stop);
  if (state !== 'completed' || result.finish_reason !== 'stop') return end;
  const checked = checkAnswer(result.output, format);
  if ('json' in checked) return withOutput(end, checked.json);
  if (isLast) return createFailedEnd('answer_rejected', '', result.usage);
  const content = [createTextBlock(describeFault(format, checked.fault), 'owner')];
  return { fault: checked.fault, retry: { content, ...(sampling !== undefined && { sampling }) } };
}
