import type { Action } from '../../../contracts/consent.ts';
import { rowOf, type ConsentScope } from './classes.ts';
import { allows, classesOf, grantScopesOf, readGrantScope, scopesFor, type GrantScope } from './grant-scopes.ts';

/** What was allowed so far: in this process, and by the owner's list. */
export interface Grants {
  /** The scopes an act can be allowed for. */
  scopes(action: Action): readonly ConsentScope[];
  /** Whether only a person may allow it: a class that says so, or the agent's own folder. */
  needsPerson(action: Action): boolean;
  /** Whether everything about the act is allowed; by whom, in words. */
  covers(action: Action): Promise<string | undefined>;
  grant(action: Action, scope: 'task' | 'session'): void;
}
export interface GrantsOptions {
  /** The owner's list as it stands now: read for each question, so that an entry that is taken away is gone at once. */
  lasting(): readonly string[] | Promise<readonly string[]>;
  /** Whether a path is part of what the agent itself is: its settings, memory, skills, hooks. That is allowed once, and each time anew. */
  isOwn?(path: string): boolean;
}

export function openGrants({ lasting, isOwn = () => false }: GrantsOptions): Grants {
  const given = new Map<string, GrantScope[]>();
  const touchesOwn = ({ at = [] }: Action): boolean => at.some((place) => place.startsWith('/') && isOwn(place));
  const scopes = (action: Action): readonly ConsentScope[] => (touchesOwn(action) ? ['once'] : scopesFor(action));
  return {
    scopes,
    needsPerson: (action) => touchesOwn(action) || classesOf(action).some((name) => rowOf(name).by === 'person'),
    covers: async (action) => {
      if (scopes(action).length === 1) return undefined;
      const entries = (await lasting()).map((line) => line.trim());
      if (isNamed(action, entries)) return 'the allow list';
      const known = [
        ...entries.flatMap((entry) => readGrantScope(entry) ?? []),
        ...holdersOf(action).flatMap((each) => given.get(each) ?? []),
      ];
      return grantScopesOf(action).every((wanted) => known.some((each) => allows(each, wanted))) ? 'an earlier answer' : undefined;
    },
    grant: (action, scope) => {
      const [task, session] = holdersOf(action);
      const holder = scope === 'task' ? task : session;
      given.set(holder, [...(given.get(holder) ?? []), ...grantScopesOf(action)]);
    },
  };
}

const holdersOf = ({ sessionId = '', turnId = '' }: Action): readonly [task: string, session: string] => [
  `task ${turnId}`,
  `session ${sessionId}`,
];

/** A whole line in the list. It says nothing of files that the agent may have put behind it. */
const isNamed = ({ summary, read = [] }: Action, entries: readonly string[]): boolean =>
  read.length === 0 && entries.includes(summary.trim());
