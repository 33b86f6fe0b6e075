import type { Env } from '../../base/env.ts';

/** `${VAR}` and `${env:VAR}`; a bare `$VAR` is text. */
const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Names of the variables a text refers to. */
export const findVariableReferences = (text: string): string[] => [...new Set([...text.matchAll(REFERENCE)].map(([, name = '']) => name))];

/** Puts variables into the texts of a value, however deep. One that is not set stays as it is written and is named. */
export function expandVariables(value: unknown, env: Env): { readonly value: unknown; readonly unset: readonly string[] } {
  const unset: string[] = [];
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(REFERENCE, (whole, name: string) => env[name] ?? (unset.push(name), whole));
    if (Array.isArray(part)) return part.map(fill);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, fill(member)]));
  };
  return { value: fill(value), unset };
}
