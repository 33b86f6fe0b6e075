import { toErrorMessage } from '../../../../base/errors.ts';
import type { JsonObject, TextBlock } from '../../../../contracts/message.ts';
import type { ToolContext } from '../../../../contracts/tool.ts';
import { renderToolNames } from '../../bridge/table.ts';
import { openLanes } from './lanes.ts';
import type { ScriptCallRequest } from './requests.ts';

/** What goes back to the script for one request. */
export interface ScriptCallAnswer {
  readonly id: number;
  /** The result as values; of one that failed, why. */
  readonly data: JsonObject;
  readonly failed: boolean;
}
export interface ScriptCallOptions {
  readonly tools: readonly string[];
  readonly maxCalls: number;
  /** Puts placeholders where known secrets stand in what a script hands to a tool. */
  readonly redact?: <Value>(value: Value) => Value;
}
export interface ScriptCalls {
  /** A number that was used before gets no answer: the one who waits under it would take it for its own. */
  answer(request: ScriptCallRequest): Promise<ScriptCallAnswer | undefined>;
  /** Those that were begun. */
  made(): number;
  /** Where foreign words among the answers come from. */
  foreign(): readonly string[];
  /** Rules of folders that the calls were the first to touch: they are for the model, not for the script. */
  hints(): readonly TextBlock[];
  /** From now on nothing is begun, and what is under way is told to stop. Says how many those were; they are through soon. */
  close(): number;
  /** Settles when none is under way. */
  readonly through: () => Promise<unknown>;
}

/** Tools that only look: several may look at once. All others go one by one, for a script has no schedule of its own. */
const LOOKING: ReadonlySet<string> = new Set([
  'read_file',
  'search_files',
  'web_search',
  'web_extract',
  'session_search',
  'skills_list',
  'skill_view',
]);
/** As many as the agent itself lets run side by side. */
const AT_ONCE = 8;

/** The tool calls of one script. Every one goes through the session's own door; nothing here is thrown. */
export function openScriptCalls(context: ToolContext, options: ScriptCallOptions): ScriptCalls {
  const traffic = openLanes(AT_ONCE);
  const foreign = new Set<string>();
  const hints: TextBlock[] = [];
  const used = new Set<number>();
  const stop = new AbortController();
  const open = new Set<Promise<unknown>>();
  let made = 0;
  const perform = async (name: string, input: JsonObject): Promise<Omit<ScriptCallAnswer, 'id'>> => {
    if (stop.signal.aborted) return failure(ENDING);
    const result = await context.call(name, options.redact?.(input) ?? input, stop.signal);
    result.foreign.forEach((source) => foreign.add(source));
    hints.push(...result.hints);
    return { data: result.data, failed: result.failed };
  };
  const refuse = (request: ScriptCallRequest): string | undefined => {
    if (stop.signal.aborted) return ENDING;
    if (!request.ok) return `Not run: ${request.why}.`;
    return refused(request.name, request.input, options.tools) ?? (made >= options.maxCalls ? tooMany(options.maxCalls) : undefined);
  };
  return {
    answer: async (request) => {
      if (used.has(request.id)) return undefined;
      const why = refuse(request);
      if (why !== undefined || !request.ok) return { id: request.id, ...failure(why ?? '') };
      used.add(request.id);
      made += 1;
      const told = traffic
        .run(!LOOKING.has(request.name), () => perform(request.name, request.input))
        .catch((error: unknown) => failure(toErrorMessage(error)));
      open.add(told);
      const answer = await told;
      open.delete(told);
      return { id: request.id, ...answer };
    },
    made: () => made,
    foreign: () => [...foreign],
    hints: () => hints,
    close: () => {
      stop.abort(new Error('the script was ended'));
      return open.size;
    },
    through: () => Promise.all(open),
  };
}

const failure = (why: string): Omit<ScriptCallAnswer, 'id'> => ({ data: { text: why }, failed: true });
const ENDING = 'Not run: the script is being ended.';
const tooMany = (most: number): string =>
  `Not run: a script may make ${most} tool calls. Print what you have, and go on in another script.`;

/** Parameters that leave something running or hand it to a person. */
const NOT_IN_SCRIPTS = ['background', 'pty', 'notify_on_complete', 'watch_patterns'];

/** Characters for what there is. */
const NAMED = 2_000;

function refused(name: string, input: JsonObject, tools: readonly string[]): string | undefined {
  if (!tools.includes(name))
    return `Not run: there is no tool ${name} for scripts. There are: ${renderToolNames(
      tools.map((each) => ({ name: each })),
      NAMED,
    )}.`;
  const found = name === 'terminal' ? NOT_IN_SCRIPTS.find((field) => input[field] !== undefined && input[field] !== false) : undefined;
  return found === undefined
    ? undefined
    : `Not run: a script's terminal has no ${found}. Let the command end, or call the terminal yourself.`;
}
