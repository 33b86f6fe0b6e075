import type { Toolset } from '../../contracts/tool.ts';
import { expand } from './toolsets.ts';

/** Names of sets and tools the owner switched off, as they stand in the settings. */
type SwitchedOffNames = readonly string[];

/** Which of them keep a tool away: its own name, and sets that hold it. */
export const listDisablingNames = (tool: string, off: SwitchedOffNames, sets: readonly Toolset[]): readonly string[] =>
  off.filter((name) => name === tool || expand([name], sets).tools.includes(tool));

/** With these as well. A tool that is away with its set needs no line of its own. */
export function withDisabled(off: SwitchedOffNames, names: readonly string[], sets: readonly Toolset[]): readonly string[] {
  return [...new Set([...off, ...names.filter((name) => isSet(name, sets) || listDisablingNames(name, off, sets).length === 0)])];
}

/** With these back again: of a set that holds some of them, what else it holds stays off. */
export function withEnabled(off: SwitchedOffNames, names: readonly string[], sets: readonly Toolset[]): readonly string[] {
  const wanted = new Set([...names, ...expand(names, sets).tools]);
  const named = new Set(names);
  const seen = new Set<string>();
  const left = (name: string): readonly string[] => {
    // A set of the owner's may hold itself.
    if (named.has(name) || seen.has(name)) return [];
    seen.add(name);
    const held = expand([name], sets).tools;
    if (!isSet(name, sets) && held.length === 0) return wanted.has(name) ? [] : [name];
    if (!held.some((tool) => wanted.has(tool))) return [name];
    const { tools, includes } = membersOf(name, sets);
    return [...tools.filter((tool) => !wanted.has(tool)), ...includes.flatMap(left)];
  };
  return [...new Set(off.flatMap(left))];
}

const isSet = (name: string, sets: readonly Toolset[]): boolean => sets.some((set) => set.name === name);

/** `all` is a set that stands in no list. */
const membersOf = (name: string, sets: readonly Toolset[]): Pick<Toolset, 'tools' | 'includes'> =>
  sets.find((set) => set.name === name) ?? { tools: [], includes: sets.map((set) => set.name) };
