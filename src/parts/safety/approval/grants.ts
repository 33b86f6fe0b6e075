import { readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import type { GrantHolder, QuestionStore } from '../../../contracts/question-store.ts';
import { resolveClassRow, type ConsentScope } from './classes.ts';
import {
  allows,
  foldersOfTrust,
  isTrustedBy,
  listConsentScopes,
  listGrantScopes,
  readGrantScope,
  readTrust,
  splitActionClasses,
  withoutTrusted,
  type GrantScope,
} from './grant-scopes.ts';

/** What was allowed so far: by the answers of this session, and by the owner's list. */
export interface Grants {
  /** The scopes an act can be allowed for. */
  scopes(action: ApprovalRequest): readonly ConsentScope[];
  /** Whether only a person may allow it: a class that says so, or the agent's own folder. */
  needsPerson(action: ApprovalRequest): boolean;
  /** Whether everything about the act is allowed; by whom, in words. */
  covers(action: ApprovalRequest): Promise<string | undefined>;
  grant(action: ApprovalRequest, scope: 'task' | 'session'): Promise<void>;
  /** The folder to trust so that the like of it goes unasked; nothing where trust is not enough. */
  trustable(action: ApprovalRequest): string | undefined;
}
export interface GrantsOptions {
  /** The owner's list as it stands now: read for each question, so that an entry that is taken away is gone at once. */
  lasting(): readonly string[] | Promise<readonly string[]>;
  /** Whether a path is part of what the agent itself is: its settings, memory, skills, hooks. That is allowed once, and each time anew. */
  isOwn?(path: string): boolean;
  /** The folder of the session, and whether a folder may be trusted as a whole: the home and the system's never are. */
  readonly workspace?: string;
  canTrust?(folder: string): boolean;
  /** Where answers outlive this process; without it they end with it. */
  readonly store?: Pick<QuestionStore, 'grant' | 'granted'>;
}

export function openGrants({
  lasting,
  isOwn = () => false,
  workspace,
  canTrust = () => false,
  store = keepInMemory(),
}: GrantsOptions): Grants {
  const touchesOwn = ({ at = {} }: ApprovalRequest): boolean =>
    Object.values(at)
      .flat()
      .some((place) => place.startsWith('/') && isOwn(place));
  const scopes = (action: ApprovalRequest): readonly ConsentScope[] => {
    const folders = action.at?.['project_code'] ?? [];
    const offered = folders.every(canTrust) ? listConsentScopes(action) : listConsentScopes(action).filter((scope) => scope !== 'always');
    return offered.slice(0, touchesOwn(action) ? 1 : undefined);
  };
  const coveredBy = async (action: ApprovalRequest, entries: readonly string[]): Promise<string | undefined> => {
    if (scopes(action).length === 1) return undefined;
    const known = [
      ...entries.flatMap((entry) => (readTrust(entry) === undefined ? (readGrantScope(entry) ?? []) : [])),
      // What cannot be read allows nothing.
      ...(await store.granted(holderOf(action)).catch(() => [])).flatMap((scope) => toGrantScope(scope) ?? []),
    ];
    return listGrantScopes(action).every((wanted) => known.some((each) => allows(each, wanted))) ? 'an earlier answer' : undefined;
  };
  /** The folder that would have to be trusted for an act to go unasked; nothing where that would not do, or cannot be. */
  const trustable = (action: ApprovalRequest): string | undefined => {
    const [folder = '', ...others] = workspace === undefined ? [] : (foldersOfTrust(action, workspace) ?? []);
    return folder !== '' && canTrust(folder) && isTrustedBy([folder], others) ? folder : undefined;
  };
  return {
    scopes,
    needsPerson: (action) => touchesOwn(action) || splitActionClasses(action).some((name) => resolveClassRow(name).by === 'person'),
    trustable: (action) => (splitActionClasses(withoutTrusted(action)).length === 0 ? trustable(action) : undefined),
    covers: async (action) => {
      const entries = (await lasting()).map((line) => line.trim());
      if (scopes(action).length > 1 && isNamed(action, entries)) return 'the allow list';
      const trusted = entries.flatMap((entry) => readTrust(entry) ?? []).filter(canTrust);
      const folders = trusted.length === 0 || workspace === undefined || touchesOwn(action) ? undefined : foldersOfTrust(action, workspace);
      if (folders === undefined || !isTrustedBy(trusted, folders)) return coveredBy(action, entries);
      const rest = withoutTrusted(action);
      return splitActionClasses(rest).length === 0 ? 'the trusted folder' : coveredBy(rest, entries);
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
