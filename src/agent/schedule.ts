import type { Effects } from '../contracts/effects.ts';

/**
 * Splits calls into groups that may run side by side, in request order: a later call never overtakes one it clashes with.
 * Scheduling reads declared effects only; no tool is known by name.
 */
export function schedule<Call extends { readonly effects: Effects }>(calls: readonly Call[], width: number): Call[][] {
  const groups: Call[][] = [];
  for (const call of calls) {
    const group = groups.at(-1);
    if (group !== undefined && group.length < width && group.every((other) => !hasEffectConflict(call.effects, other.effects)))
      group.push(call);
    else groups.push([call]);
  }
  return groups;
}

export function hasEffectConflict(a: Effects, b: Effects): boolean {
  if (a.interactive === true || b.interactive === true) return true;
  if (a.kind === 'read' && b.kind === 'read') return false;
  return a.resources.some((left) => b.resources.some((right) => overlap(left, right)));
}

/** `*` is everything; a path holds all that lies below it. */
const overlap = (a: string, b: string): boolean => a === '*' || b === '*' || a === b || below(a, b) || below(b, a);
const below = (inner: string, outer: string): boolean => inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
