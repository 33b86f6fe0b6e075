import type { ApprovalRequest } from '../../../contracts/consent.ts';
import { resolveClassRow, type ConsentScope } from './classes.ts';
import { allows, splitActionClasses, listGrantScopes, readGrantScope, listConsentScopes, type GrantScope } from './grant-scopes.ts';

/** What was allowed so far: in this process, and by the owner's list. */
export interface Grants {
  /** The scopes an act can be allowed for. */
  scopes(action: ApprovalRequest): readonly ConsentScope[];
  /** Whether only a person may allow it: a class that says so, or the agent's own folder. */
  needsPerson(action: ApprovalRequest): boolean;
  /** Whether everything about the act is allowed; by whom, in words. */
  covers(action: ApprovalRequest): Promise<string | undefined>;
  grant(action: ApprovalRequest, scope: 'task' | 'session'): void;
}
export interface GrantsOptions {
  /** The owner's list as it stands now: read for each question, so that an entry that is taken away is gone at once. */
  lasting(): readonly string[] | Promise<readonly string[]>;
  /** Whether a path is part of what the agent itself is: its settings, memory, skills, hooks. That is allowed once, and each time anew. */
  isOwn?(path: string): boolean;
}

export function openGrants({ lasting, isOwn = () => false }: GrantsOptions): Grants {
  const given = new Map<string, GrantScope[]>();
  const touchesOwn = ({ at = {} }: ApprovalRequest): boolean =>
    Object.values(at)
      .flat()
      .some((place) => place.startsWith('/') && isOwn(place));
  const scopes = (action: ApprovalRequest): readonly ConsentScope[] =>
    listConsentScopes(action).slice(0, touchesOwn(action) ? 1 : undefined);
  return {
    scopes,
    needsPerson: (action) => touchesOwn(action) || splitActionClasses(action).some((name) => resolveClassRow(name).by === 'person'),
    covers: async (action) => {
      if (scopes(action).length === 1) return undefined;
      const entries = (await lasting()).map((line) => line.trim());
      if (isNamed(action, entries)) return 'the allow list';
      const known = [
        ...entries.flatMap((entry) => readGrantScope(entry) ?? []),
        ...holdersOf(action).flatMap((each) => given.get(each) ?? []),
      ];
      return listGrantScopes(action).every((wanted) => known.some((each) => allows(each, wanted))) ? 'an earlier answer' : undefined;
    },
    grant: (action, scope) => {
      const [task, session] = holdersOf(action);
      const holder = scope === 'task' ? task : session;
      given.set(holder, [...(given.get(holder) ?? []), ...listGrantScopes(action)]);
    },
  };
}

const holdersOf = ({ sessionId = '', turnId = '' }: ApprovalRequest): readonly [task: string, session: string] => [
  `task ${turnId}`,
  `session ${sessionId}`,
];

/** A whole line in the list. It says nothing of files that the agent may have put behind it. */
const isNamed = ({ summary, read = [] }: ApprovalRequest, entries: readonly string[]): boolean =>
  read.length === 0 && entries.includes(summary.trim());
