import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import { resolveClassRow } from './classes.ts';
import { splitActionClasses } from './grant-scopes.ts';

/** The class whose entry in the owner's list is the trust in a folder: `project_code at /home/me/shop`. */
const TRUST = 'project_code at ';
export const formatTrust = (folder: string): string => `${TRUST}${folder}`;
/** The folder that an entry of the owner's list trusts; nothing for any other entry. */
export const readTrust = (entry: string): string | undefined => (entry.startsWith(`${TRUST}/`) ? entry.slice(TRUST.length) : undefined);

const isByTrust = (name: string): boolean => resolveClassRow(name).byTrust === true;

/** What of an act is left to ask about when its folder is trusted: everything that is more than running the folder's code. */
export const withoutTrusted = (action: ApprovalRequest): ApprovalRequest => ({
  ...action,
  key: splitActionClasses(action)
    .filter((name) => !isByTrust(name))
    .join('+'),
});

/**
 * The folders that must be trusted for an act to go unasked: the session's, the one its shell stands in, and those whose code
 * it runs. Nothing when trust has no say in it, or when nobody knows which folder's code would run.
 */
export function foldersOfTrust(action: ApprovalRequest, workspace: string): readonly string[] | undefined {
  const classes = splitActionClasses(action).filter(isByTrust);
  if (classes.length === 0 || (classes.includes('project_code') && (action.at?.['project_code'] ?? []).length === 0)) return undefined;
  const named = [workspace, ...(action.cwd === undefined ? [] : [action.cwd]), ...classes.flatMap((name) => action.at?.[name] ?? [])];
  return [...new Set(named.map((folder) => realPath(folder) ?? folder))];
}

/** A folder is trusted with all that lies below it, and never because one below it is. */
export const isTrustedBy = (trusted: readonly string[], folders: readonly string[]): boolean =>
  folders.every((folder) => trusted.some((each) => isWithin(each, folder)));
