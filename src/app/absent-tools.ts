import { NOT_FOR_CHILDREN, type Childhood } from './childhood.ts';
import type { Settings } from './settings.ts';
import { switchedOff, toolsetsOf } from './toolsets.ts';
import type { Toolset } from '../contracts/tool.ts';

interface Question {
  readonly settings: Settings;
  /** The tools of the session. */
  readonly chosen: readonly string[];
  /** Sets that are only known now. */
  readonly more?: readonly Toolset[] | undefined;
  readonly child?: Childhood | undefined;
}

/** Those of the known tools that are not for this session, each with the reason, for the model. */
export function absentTools(known: Iterable<string>, { settings, chosen, more, child }: Question): ReadonlyMap<string, string> {
  const here = new Set(chosen);
  const off = switchedOff(settings, toolsetsOf(settings, more));
  const reason = (name: string): string => {
    if (off.has(name)) return 'the owner switched it off';
    return child !== undefined && NOT_FOR_CHILDREN.includes(name)
      ? 'an agent that works for another has no such tool'
      : 'it is not among the toolsets of this session';
  };
  return new Map([...known].flatMap((name) => (here.has(name) ? [] : [[name, reason(name)]])));
}
