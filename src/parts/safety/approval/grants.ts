import { readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import type { GrantHolder, QuestionStore } from '../../../contracts/question-store.ts';
import { resolveClassRow, type ConsentScope } from './classes.ts';
import { allows, splitActionClasses, listGrantScopes, readGrantScope, listConsentScopes, type GrantScope } from './grant-scopes.ts';

/** What was allowed so far: by the answers of this session, and by the owner's list. */
export interface Grants {
  /** The scopes an act can be allowed for. */
  scopes(action: ApprovalRequest): readonly ConsentScope[];
  /** Whether only a person may allow it: a class that says so, or the agent's own folder. */
  needsPerson(action: ApprovalRequest): boolean;
  /** Whether everything about the act is allowed; by whom, in words. */
  covers(action: ApprovalRequest): Promise<string | undefined>;
  grant(action: ApprovalRequest, scope: 'task' | 'session'): Promise<void>;
}
export interface GrantsOptions {
  /** The owner's list as it stands now: read for each question, so that an entry that is taken away is gone at once. */
  lasting(): readonly string[] | Promise<readonly string[]>;
  /** Whether a path is part of what the agent itself is: its settings, memory, skills, hooks. That is allowed once, and each time anew. */
  isOwn?(path: string): boolean;
  /** Where answers outlive this process; without it they end with it. */
  readonly store?: Pick<QuestionStore, 'grant' | 'granted'>;
}

export function openGrants({ lasting, isOwn = () => false, store = keepInMemory() }: GrantsOptions): Grants {
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
        // What cannot be read allows nothing.
        ...(await store.granted(holderOf(action)).catch(() => [])).flatMap((scope) => toGrantScope(scope) ?? []),
      ];
      return listGrantScopes(action).every((wanted) => known.some((each) => allows(each, wanted))) ? 'an earlier answer' : undefined;
    },
    grant: (action, scope) => {
      const { sessionId, turnId } = holderOf(action);
      return store.grant(scope === 'task' ? { sessionId, turnId } : { sessionId }, listGrantScopes(action));
    },
  };
}

const holderOf = ({ sessionId = '', turnId = '' }: ApprovalRequest): Required<GrantHolder> => ({ sessionId, turnId });

function keepInMemory(): Pick<QuestionStore, 'grant' | 'granted'> {
  const given: { readonly to: GrantHolder; readonly scope: Json }[] = [];
  return {
    grant: async (to, scopes) => void given.push(...scopes.map((scope) => ({ to, scope }))),
    granted: async ({ sessionId, turnId }) =>
      given.flatMap(({ to, scope }) => (to.sessionId === sessionId && (to.turnId ?? turnId) === turnId ? [scope] : [])),
  };
}

/** Another version may have kept what this one does not know. */
function toGrantScope(scope: Json): GrantScope | undefined {
  const [type, name, at, hash] = ['type', 'name', 'at', 'hash'].map((key) => readStringAt(scope, key));
  if (type === 'line') return hash === undefined ? undefined : { type, hash };
  if (name === undefined) return undefined;
  if (type === 'class') return { type, name };
  return type === 'place' && at !== undefined ? { type, name, at } : undefined;
}

/** A whole line in the list. It says nothing of files that the agent may have put behind it. */
const isNamed = ({ summary, read = [] }: ApprovalRequest, entries: readonly string[]): boolean =>
  read.length === 0 && entries.includes(summary.trim());
