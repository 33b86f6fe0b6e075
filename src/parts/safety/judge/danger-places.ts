import { isAbsolute } from 'node:path';
import { isWithin } from '../../../base/within.ts';
import type { CommandLocation, DangerPlaces, ProgramSettings } from '../../../contracts/safety.ts';
import { scopeOfCommand } from '../approval/acts/scope-of-command.ts';
import { resolveClassRow, type PlaceKind } from '../approval/classes.ts';
import { createRuleJudge } from '../command/judge.ts';
import { resolveTargetPath } from '../command/places/paths.ts';
import { RULES } from '../command/rules/all.ts';
import { listOperands, findWordPaths } from '../command/rules/rows.ts';
import { findFilledFolders, findWriteTargets } from '../command/rules/targets.ts';
import type { Call } from '../command/call/call.ts';
import { hasMarks, isUnknown } from '../command/values/marks.ts';

/** A call of a line, and the class of danger in it. */
interface DangerousCall {
  readonly name: string;
  readonly call: Call;
}

/**
 * Where the dangers of a line lie, as consent can be held to them: each class with the places of its own calls, and without
 * when one of those is not known. What is the agent's own is told whatever else is: that is never allowed but once.
 */
export function findDangerPlaces(line: string, place: CommandLocation, classes: readonly string[]): DangerPlaces {
  const hits = hitsIn(line, place);
  const placesBy = (find: (name: string, own: readonly DangerousCall[]) => readonly string[] | undefined): DangerPlaces =>
    Object.fromEntries(
      classes.flatMap((name) => {
        const places = find(
          name,
          hits.filter((hit) => hit.name === name),
        );
        return places === undefined || places.length === 0 ? [] : [[name, [...new Set(places)]]];
      }),
    );
  const own = placesBy((_name, mine) => mine.flatMap((hit) => ownIn(hit, place)));
  const standing = settingsAfter(place);
  return Object.keys(own).length > 0 ? own : placesBy((name, mine) => placesOfClass(name, mine, standing));
}

/** Variables that say where programs act: when the shell has set one itself, nobody here knows what it holds by now. */
const TELLS_WHERE =
  /\b(KUBECONFIG|(?:HELM|AWS|CLOUDSDK|DOCKER|CONTAINER|AZURE)_\w+|GIT_DIR|GIT_CONFIG_GLOBAL|XDG_CONFIG_HOME|HOME)=(?:"([^"]*)"|'([^']*)'|(\S*))/g;
function settingsAfter({ settings, carried = [] }: CommandLocation): ProgramSettings | undefined {
  const isChanged = carried.some(({ script }) =>
    [...script.matchAll(TELLS_WHERE)].some(
      ([, name = '', ...values]) => settings?.variable(name) !== values.find((value) => value !== undefined),
    ),
  );
  return isChanged ? undefined : settings;
}

/** The line is judged once more, with an ear at every rule. */
function hitsIn(line: string, place: CommandLocation): readonly DangerousCall[] {
  const hits: DangerousCall[] = [];
  const listening = RULES.map((rule) => ({
    ...rule,
    matches: (call: Call): boolean => {
      const matches = rule.matches(call, call.place);
      if (matches && rule.key !== undefined) hits.push({ name: rule.key, call });
      return matches;
    },
  }));
  createRuleJudge(listening, true)(line, place);
  return hits;
}

function placesOfClass(name: string, hits: readonly DangerousCall[], standing?: ProgramSettings): readonly string[] | undefined {
  const { to } = resolveClassRow(name);
  if (to === 'line' || to === 'command') return [];
  const found = hits.map(({ call }) => FINDERS[to](call, standing));
  return found.length > 0 && found.every((places) => places !== undefined && places.length > 0)
    ? found.flatMap((places) => places ?? [])
    : undefined;
}

type PathFinder = (call: Call, standing?: ProgramSettings) => readonly string[] | undefined;
const FINDERS: Readonly<Record<PlaceKind, PathFinder>> = {
  target: (call) => paths([...findWriteTargets(call), ...findFilledFolders(call)], call),
  operand: (call) => paths([...listOperands(call.args).slice(RIGHTS.test(call.name) ? 1 : 0), ...call.reads], call),
  here: (call) => {
    const { cwd } = call.place;
    const named = paths(
      call.args.filter((word) => /^[.~]|\//.test(word)),
      call,
    );
    return cwd === undefined || named === undefined ? undefined : [cwd, ...named];
  },
  // A line that goes elsewhere first runs the code of that folder.
  project: ({ place: { base, cwd = base, real } }) =>
    [base, ...(isWithin(base, cwd) ? [] : [cwd])].map((folder) => real?.(folder) ?? folder),
  host: hostsOf,
  program: ({ name, path }) => (hasMarks(path) || name === '' ? undefined : [`program:${isAbsolute(path) ? path : name}`]),
  act: ({ name, path, args, settings, place }, standing) => {
    // A file of that name may be anything.
    const isKnown = path === name && ![...args, ...settings].some(hasMarks);
    const scope = isKnown
      ? scopeOfCommand({ name, args, settings, cwd: place.cwd, ...(place.remote === undefined && { standing }) })
      : undefined;
    return scope === undefined ? undefined : [`act:${scope}`];
  },
};

/** Programs whose first word says which rights, not whose. */
const RIGHTS = /^(?:chmod|chown|chgrp|setcap)$/;

/** Of a name with a glob in it, the folder before the glob. */
function paths(words: readonly string[], { place }: Call): readonly string[] | undefined {
  const found = words.map((word) => (isUnknown(word) ? undefined : resolveTargetPath(word, place)));
  if (!found.every((path) => path !== undefined)) return undefined;
  return found.map((path) => {
    const parts = path.split('/');
    const first = parts.findIndex((part) => hasMarks(part));
    return first < 0 ? path : parts.slice(0, first).join('/') || '/';
  });
}

/** Options by which a program talks to somebody else than its words say. */
const DETOUR =
  /^(?:--(?:resolve|connect-to|proxy|preproxy|socks\w*|doh-url|(?:abstract-)?unix-socket|config|dns-\w+|url-query|next)(?:=|$)|-[xK])/;
const URL_HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:?#]+)/i;
const SSH_HOST = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)*):/;
const BARE_HOST = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+)(?:[:/].*)?$/;
/** A path, a file that is sent, or data. */
const NO_HOST = /^[-@./~]|=@|[\s"'{}]/;

/** Everybody a call names; nothing when one of its words may name somebody and cannot be told. */
function hostsOf({ args, place, settings }: Call): readonly string[] | undefined {
  if (args.some((word) => DETOUR.test(word) || hasMarks(word)) || settings.some((word) => /proxy/i.test(word))) return undefined;
  const named = args.flatMap((word) => {
    const url = URL_HOST.exec(word)?.[1];
    if (url !== undefined) return [url];
    if (NO_HOST.test(word) || place.look?.(resolveTargetPath(word, place) ?? '')?.kind === 'file') return [];
    return [SSH_HOST.exec(word)?.[1] ?? BARE_HOST.exec(word)?.[1] ?? (word.includes('.') ? undefined : [])].flat();
  });
  return named.every((host) => host !== undefined) ? named.map((host) => `host:${host.toLowerCase()}`) : undefined;
}

/** What of the agent's own a call names, or takes along with a folder above it. */
function ownIn({ name, call }: DangerousCall, { home, profile }: CommandLocation): readonly string[] {
  const folders = [...(profile === undefined ? [] : [profile, call.place.real?.(profile) ?? profile]), `${home}/.hermes`];
  const named = findWordPaths([...call.args, ...call.writes, ...call.reads, ...findWriteTargets(call)], call.place);
  const within = named.filter((path) => folders.some((folder) => isWithin(folder, path)));
  const above = resolveClassRow(name).to === 'operand' ? folders.filter((folder) => named.some((path) => isWithin(path, folder))) : [];
  return [...within, ...above];
}
