import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import { resolveClassRow, type PlaceKind, type ConsentScope } from './classes.ts';

/** What a consent can be given for besides one act: a class in one place or for one command, exactly one line, or, in the owner's list alone, a class everywhere. */
export type GrantScope =
  | { readonly type: 'class'; readonly name: string }
  | { readonly type: 'place'; readonly name: string; readonly at: string }
  | { readonly type: 'line'; readonly hash: string };

export const splitActionClasses = ({ key }: ApprovalRequest): readonly string[] => (key === undefined || key === '' ? [] : key.split('+'));

/**
 * All that must be allowed for an act to be allowed. When one of its classes is held to the line, or has a place that is not
 * known, the act as a whole is.
 */
export function listGrantScopes(action: ApprovalRequest): readonly GrantScope[] {
  const scopes = splitActionClasses(action).map((name) => grantScopesOfClass(name, action));
  return scopes.every((each) => each !== undefined) ? scopes.flat() : [{ type: 'line', hash: lineHash(action) }];
}

function grantScopesOfClass(name: string, action: ApprovalRequest): readonly GrantScope[] | undefined {
  const { to } = resolveClassRow(name);
  if (to === 'command') return [{ type: 'place', name, at: commandOf(action) }];
  const places = to === 'line' ? [] : (action.at?.[name] ?? []).filter((place) => isOfKind(place, to));
  return places.length === 0 ? undefined : places.map((place) => ({ type: 'place', name, at: place }));
}

/** The command as a place. Words say nothing of the files behind them, and an entry of the list is one line: else it goes by a hash. */
const commandOf = (action: ApprovalRequest): string =>
  (action.read ?? []).length > 0 || /[\r\n]/.test(action.summary) ? `${HASHED}${lineHash(action)}` : `command:${action.summary.trim()}`;
const HASHED = 'command:#';
/** Whether a consent goes by a hash, which nobody could read in a list. */
export const isHashed = (scope: GrantScope): boolean => scope.type === 'line' || (scope.type === 'place' && scope.at.startsWith(HASHED));

const PREFIX = {
  target: '/',
  operand: '/',
  here: '/',
  project: '/',
  host: 'host:',
  program: 'program:',
  act: 'act:',
} as const satisfies Record<PlaceKind, string>;
const isOfKind = (place: string, kind: PlaceKind): boolean => place.startsWith(PREFIX[kind]);

/** The same words by the same tool in the same folder, with the same files behind them. */
const lineHash = ({ tool, summary, cwd = '', read = [] }: ApprovalRequest): string =>
  sha256(JSON.stringify([tool, summary, cwd, joinReadFiles(read)]));

/** In one order, whatever order they were read in. */
export const joinReadFiles = (read: ApprovalRequest['read'] = []): string =>
  read
    .map(({ path, hash }) => `${path}\0${hash}`)
    .toSorted()
    .join('\n');

const ORDER: readonly ConsentScope[] = ['once', 'task', 'session', 'always'];

/** The scopes an act can be allowed for: as far as each of its classes goes, and for one line never for good. */
export function listConsentScopes(action: ApprovalRequest): readonly ConsentScope[] {
  const classes = splitActionClasses(action);
  if (
    classes.length === 0 ||
    classes.some((name) => resolveClassRow(name).onlyPlaced === true && grantScopesOfClass(name, action) === undefined)
  )
    return ['once'];
  const lasting = listGrantScopes(action).some(isHashed) ? ORDER.indexOf('session') : ORDER.indexOf('always');
  const most = Math.min(lasting, ...classes.map((name) => ORDER.indexOf(resolveClassRow(name).longest)));
  const least = Math.max(...classes.map((name) => ORDER.indexOf(resolveClassRow(name).shortest ?? 'once')));
  return ORDER.slice(least, most + 1);
}

/** An entry of the owner's list: `privilege at command:sudo true`, or `recursive_delete at /home/me/old`. */
export const formatScope = (scope: Exclude<GrantScope, { type: 'line' }>): string =>
  scope.type === 'class' ? scope.name : `${scope.name} at ${scope.at}`;

/** What an entry allows. A class that has places is allowed by none of them when the entry names none. */
export function readGrantScope(entry: string): GrantScope | undefined {
  const [, name = entry, at] = /^(\S+)\s+at\s+(\S.*)$/.exec(entry) ?? [];
  const { to, longest } = resolveClassRow(name);
  if (longest !== 'always') return undefined;
  if (at === undefined) return to === 'command' ? { type: 'class', name } : undefined;
  return { type: 'place', name, at: at.startsWith('/') && at.length > 1 ? at.replace(/\/+$/, '') : at };
}

/** Whether one consent is enough for what is wanted: in a folder it holds for all that lies there. */
export function allows(given: GrantScope, wanted: GrantScope): boolean {
  if (given.type === 'line') return wanted.type === 'line' && given.hash === wanted.hash;
  if (wanted.type === 'line' || given.name !== wanted.name) return false;
  return given.type === 'class' || (wanted.type === 'place' && covers(given.at, wanted.at));
}

/** An owner may write down a whole program where only its acts are asked for. */
const covers = (given: string, wanted: string): boolean =>
  given === wanted ||
  (given.startsWith('/') && wanted.startsWith('/') && isWithin(given, wanted)) ||
  (given.startsWith('program:') && wanted.startsWith(`act:${given.slice('program:'.length)} `));

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
