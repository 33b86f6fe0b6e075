import { describeTaint, isProjectSource, listTaintSources } from '../../contracts/message.ts';
import type { ToolCallInfo } from '../../contracts/safety.ts';
import type { RequiredConsent } from '../../contracts/consent.ts';
import type { ToolRunOptions, RunnableCall } from '../../contracts/tool.ts';
import { describeAct } from './describe-input.ts';
import type { ToolkitOptions } from './options.ts';

/**
 * What lasts beyond the session must not be decided by words from outside. While such words are in view, a call that
 * writes to a lasting place runs only with consent that names where they came from; no answer is a refusal.
 */
export async function findForeignWriteObjection(
  { tool, input }: RunnableCall,
  touching: ToolCallInfo,
  { taint: seen }: ToolRunOptions,
  { provenance }: ToolkitOptions,
): Promise<RequiredConsent | undefined> {
  const taint = seen.filter((source) => tool.sinkConsent?.ignores?.(source) !== true);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  const place = taint.length === 0 ? undefined : ((await tool.sink?.(input as never)) ?? (await provenance?.lasting(touching)));
  if (place === undefined || (place === MEMORY && taint.every(isProjectSource))) return undefined;
  const { key = 'foreign_words', at, advice } = tool.sinkConsent ?? {};
  const reason = advice === undefined ? reasonOf(taint) : `${reasonOf(taint)}; ${advice}`;
  const action = {
    tool: tool.name,
    summary: describeWrite(input, place),
    reason,
    key,
    cwd: touching.cwd,
    ...(at !== undefined && { at: { [key]: at } }),
  };
  return { action, refusal: (why) => refusal(place, taint, why) };
}

/** Writing there, with all of the text in it. */
export const describeWrite = (input: unknown, place: string): string => describeAct(`write to ${place}`, input, place);

/** Notes about the project are what memory is for: they keep their source, and nobody is asked. */
const MEMORY = 'memory';

const reasonOf = (taint: readonly string[]): string =>
  `this session has read ${describeTaint(taint)} (${listTaintSources(taint)}); the text it read may have asked for this`;

const refusal = (place: string, taint: readonly string[], why: string): string =>
  `Not run: writing to ${place} needs the owner's consent while ${describeTaint(taint)} are in view (${listTaintSources(taint)}), and it was not given: ${why}`;
