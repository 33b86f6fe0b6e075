import { resolve } from 'node:path';
import { toHereDocumentCommand } from '../../../base/shell.ts';
import type { CommandLocation, CommandOutcome, Provenance, ToolCallInfo } from '../../../contracts/safety.ts';
import { createRuleJudge, createListeningJudge } from '../command/judge.ts';
import type { Call } from '../command/call/call.ts';
import { createProjectSource } from '../../../contracts/message.ts';
import { isWithin } from '../../../base/within.ts';
import { createProjectRules } from './project.ts';
import { createLastingRules, createOutsideRules } from './commands.ts';
import { createFetchedFiles, findFetchTargets, listPathCandidates } from './fetched.ts';
import type { SpeaksWithOwnRemotes } from './own-remotes.ts';
import { isUnreached } from './unreached.ts';
import { LASTING, OUTSIDE, findPlaceRule, type ProvenanceRoots } from './places.ts';

/** Tools whose `command` is a line for a shell. */
const SHELLS: ReadonlySet<string> = new Set(['terminal']);
/** Tools that show what a command put out that another call started. */
const SHOWS_BACKGROUND: ReadonlySet<string> = new Set(['process']);

/** It knows at once. */
interface KnownProvenance extends Provenance {
  foreign(call: ToolCallInfo, outcome?: CommandOutcome): string | undefined;
  project(call: ToolCallInfo, failed: boolean): string | undefined;
  lasting(call: ToolCallInfo): string | undefined;
}

export interface ProvenanceOptions {
  /** Whether a path can be read where commands run: what is not there was not fetched. Absent where that cannot be told. */
  readonly isThere?: (path: string) => boolean;
  /** Whether git speaks with nobody but remotes that were there when the session began; without it all of them are somebody else. */
  readonly isOwnRemote?: SpeaksWithOwnRemotes;
  /** The text of a script the agent may have written: running it is judged by what it does. */
  readonly read?: CommandLocation['read'];
  /** The working folder of the session; without it nothing is text of the project. */
  readonly workspace?: string;
  /** Commands run behind a wall, with the guard: it asks about what they change of its files, once it can show the change. */
  readonly isGuarded?: boolean;
}

/** Judges calls by what they touch. Remembers sessions whose background commands fetch: their output comes through another tool. */
export function openProvenance(roots: ProvenanceRoots, options: ProvenanceOptions = {}): KnownProvenance {
  const { isThere = () => true, read, isOwnRemote = () => false } = options;
  const unguarded = options.isGuarded === true ? LASTING.filter(({ isGuarded }) => isGuarded !== true) : LASTING;
  const background = new Map<string, string>();
  const fetched = createFetchedFiles(isThere);
  const home = roots.user;
  return {
    foreign: (call, outcome) => {
      if (SHOWS_BACKGROUND.has(call.tool)) return background.get(call.sessionId);
      const command = commandOf(call);
      if (command === undefined)
        return call.effects.kind === 'read'
          ? (fetched.among(call.sessionId, filesOf(call, roots)) ?? fileFromOutside(call, roots))
          : undefined;
      const calls: Call[] = [];
      // Whom it speaks with may have been changed and put back by the line itself.
      const outside = createOutsideRules(roots, MOVES_REMOTES.test(command) ? () => false : isOwnRemote);
      const verdict = createListeningJudge(outside, false, (each) => calls.push(each))(command, { cwd: call.cwd, home, read });
      if (verdict.type === 'fine') return fetched.among(call.sessionId, listPathCandidates(calls, call.cwd));
      fetched.add(call.sessionId, findFetchTargets(calls, call.cwd));
      if (outcome !== undefined && isUnreached(command, outcome)) return undefined;
      const source = `terminal: ${command.replaceAll(/\s+/g, ' ').slice(0, SHOWN)}`;
      if (call.input['background'] === true) background.set(call.sessionId, source);
      return source;
    },
    project: openProject(roots, options),
    lasting: (call) => {
      const command = commandOf(call);
      if (command === undefined) return call.effects.kind === 'write' ? lastingFile(call, roots) : undefined;
      const verdict = createRuleJudge(createLastingRules(roots, SHELLS.has(call.tool) ? unguarded : LASTING))(command, {
        cwd: call.cwd,
        home,
        read,
      });
      return verdict.type === 'fine' ? undefined : verdict.reason;
    },
  };
}
const SHOWN = 100;
const MOVES_REMOTES = /\bremote\s+(?:add|set-url|rename)\b|\bconfig\b|insteadof/i;

function openProject(roots: ProvenanceRoots, { isThere = () => true, read, workspace }: ProvenanceOptions): KnownProvenance['project'] {
  if (workspace === undefined) return () => undefined;
  const written = createFetchedFiles(() => true);
  return (call, failed) => {
    const { sessionId, cwd, tool, effects } = call;
    const isOwn = (path: string): boolean => written.among(sessionId, [path]) !== undefined;
    const command = commandOf(call);
    if (command !== undefined) {
      const judge = createRuleJudge(createProjectRules({ workspace, isThere, isOwn }));
      return judge(command, { cwd, home: roots.user, workspace, read }).type === 'fine' ? undefined : createProjectSource(workspace);
    }
    if (WRITES_WHOLE.has(tool) && !failed) written.add(sessionId, filesOf(call, roots));
    const shown = effects.kind === 'read' ? filesOf(call, roots).find((path) => isWithin(workspace, path) && !isOwn(path)) : undefined;
    return shown === undefined ? undefined : createProjectSource(shown);
  };
}
/** Tools after which every word of the file is the session's. */
const WRITES_WHOLE: ReadonlySet<string> = new Set(['write_file']);

const commandOf = ({ tool, input }: ToolCallInfo): string | undefined => {
  if (tool === 'execute_code' && typeof input['code'] === 'string')
    return toHereDocumentCommand(input['language'] === 'javascript' ? 'node' : 'python3', input['code']);
  return SHELLS.has(tool) && typeof input['command'] === 'string' ? input['command'] : undefined;
};

function fileFromOutside(call: ToolCallInfo, roots: ProvenanceRoots): string | undefined {
  for (const path of filesOf(call, roots)) {
    const place = findPlaceRule(path, OUTSIDE, roots);
    if (place !== undefined) return `${path} (${place.what})`;
  }
  return undefined;
}

const lastingFile = (call: ToolCallInfo, roots: ProvenanceRoots): string | undefined =>
  filesOf(call, roots).flatMap((path) => findPlaceRule(path, LASTING, roots)?.what ?? [])[0];

/** Files by what they are, as the call's effects tell, and by the name the model used: a link may carry the name that matters. */
const filesOf = ({ effects, input, cwd }: ToolCallInfo, { user }: ProvenanceRoots): string[] => [
  ...effects.resources.flatMap((resource) => (resource.startsWith('path:') ? [resource.slice('path:'.length)] : [])),
  ...(typeof input['path'] === 'string' ? [resolve(cwd, input['path'].replace(/^~(?=\/|$)/, user))] : []),
];
