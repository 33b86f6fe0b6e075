/** What a hit may be: a message by its role, or a session's title. */
const ROLES = ['user', 'assistant', 'tool', 'title'] as const;
export type Role = (typeof ROLES)[number];

/** What people and the model said is looked at first; results of tools only where that gives nothing. */
export const USUAL: readonly (readonly Role[])[] = [['user', 'assistant', 'title'], ['tool']];

/** Sets of roles, one tried after the other. A filter that names no role is none. */
export function parseRoles(filter: string | undefined): readonly (readonly Role[])[] {
  const named = (filter ?? '').toLowerCase().split(/[\s,]+/u);
  const roles = ROLES.filter((role) => named.includes(role));
  return roles.length === 0 ? USUAL : [roles];
}
