import type { ServerConfig } from './servers.ts';

/** Whether the owner lets the model have a tool: by patterns with `*` and `?`; one that is included cannot be excluded. */
export function isChosen(tool: string, { include, exclude }: Pick<ServerConfig, 'include' | 'exclude'>): boolean {
  if (include.length > 0) return include.some((pattern) => matchesGlob(pattern, tool));
  return !exclude.some((pattern) => matchesGlob(pattern, tool));
}

/** Walks both from the left and goes back to the last star only: linear for any pattern people write. */
export function matchesGlob(pattern: string, text: string): boolean {
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === '*') [star, mark, p] = [p, t, p + 1];
    else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) [p, t] = [p + 1, t + 1];
    else if (star >= 0) [p, t, mark] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  return /^\**$/.test(pattern.slice(p));
}
