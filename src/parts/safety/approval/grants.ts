import type { Action } from '../../../contracts/tool.ts';

/** How long a consent holds. A task is what one message set off. */
export type Scope = 'once' | 'task' | 'session' | 'always';

/** Classes nobody can allow for good: what they would run is only known when it runs. */
const NEVER_LASTING = new Set(['unreadable', 'unknown_command', 'remote_code', 'decode_and_run']);

export const classesOf = ({ key }: Action): readonly string[] => (key === undefined || key === '' ? [] : key.split('+'));

/** The scopes an act can be allowed for. */
export function scopesFor(action: Action): readonly Scope[] {
  const classes = classesOf(action);
  if (classes.length === 0) return ['once'];
  return classes.some((name) => NEVER_LASTING.has(name)) ? ['once', 'task', 'session'] : ['once', 'task', 'session', 'always'];
}

/** What was allowed so far in this process, by class and by how far it reaches. */
export interface Grants {
  /** Whether every class of the act is allowed; by whom, in words. */
  covers(action: Action): string | undefined;
  grant(action: Action, scope: Exclude<Scope, 'once'>): void;
}

/** `lasting` is read anew for each question: an entry the owner takes away is gone at once. */
export function grants(lasting: () => readonly string[]): Grants {
  const given = new Set<string>();
  const places = ({ sessionId = '', turnId = '' }: Action) => [`task ${turnId}`, `session ${sessionId}`];
  return {
    covers: (action) => {
      const always = new Set(lasting().map((line) => line.trim()));
      if (action.key !== undefined && always.has(action.summary.trim())) return 'the allow list';
      const classes = classesOf(action);
      if (classes.length === 0) return undefined;
      const allowed = (name: string) => always.has(name) || places(action).some((place) => given.has(`${place} ${name}`));
      return classes.every(allowed) ? 'an earlier answer' : undefined;
    },
    grant: (action, scope) => {
      const place = scope === 'task' ? `task ${action.turnId ?? ''}` : `session ${action.sessionId ?? ''}`;
      for (const name of classesOf(action)) given.add(`${place} ${name}`);
    },
  };
}
