import { NOT_FOR_CHILDREN, type ChildLimits } from './child-limits.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { toolSettings } from './settings.ts';
import { collectDisabledTools, mergeToolsets } from './choose-tools.ts';
import type { Toolset } from '../../contracts/tool.ts';

export interface AbsentOptions {
  readonly settings: SliceValues<typeof toolSettings>;
  /** The tools of the session. */
  readonly chosen: readonly string[];
  /** Sets that are only known now. */
  readonly more?: readonly Toolset[] | undefined;
  /** The sets of the host; the built-in ones when left out. */
  readonly sets?: readonly Toolset[] | undefined;
  /** Tools of servers the owner keeps from every session. */
  readonly withheld?: readonly string[] | undefined;
  readonly child?: ChildLimits | undefined;
}

/** Those of the known tools that are not for this session, each with the reason, for the model. */
export function listAbsentTools(
  known: Iterable<string>,
  { settings, chosen, more, sets, withheld = [], child }: AbsentOptions,
): ReadonlyMap<string, string> {
  const [here, kept] = [new Set(chosen), new Set(withheld)];
  const off = collectDisabledTools(settings, mergeToolsets(settings, more, sets));
  const reason = (name: string): string => {
    if (off.has(name)) return 'the owner switched it off';
    if (kept.has(name)) return 'the owner keeps it out of what its MCP server offers (tools.include, tools.exclude)';
    return child !== undefined && NOT_FOR_CHILDREN.includes(name)
      ? 'an agent that works for another has no such tool'
      : 'it is not among the toolsets of this session';
  };
  return new Map([...known, ...withheld].flatMap((name) => (here.has(name) ? [] : [[name, reason(name)]])));
}
