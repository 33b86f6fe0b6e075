import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { toErrorMessage } from '../../../base/errors.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { JsonObject, TextBlock, ToolMessage } from '../../../contracts/message.ts';
import type { AdmitText } from '../../../contracts/scan.ts';
import { admitFile } from '../files/admitted.ts';
import { findContextFiles } from '../files/find.ts';
import { toRelativePath, showPath } from '../files/names.ts';
import { findRulesFile, type RulesFile } from '../files/rules-file.ts';
import { collectCallPaths } from './call-paths.ts';
import { collectUnvisitedFolders } from './folders.ts';
import { HINT_LIMITS, HINT_NAMES } from './tables.ts';
import { createHintText, addIfNew, createLruMap, restoreSeenHints, type SeenHints } from './visits.ts';

export interface HintOptions {
  /** The working directory of the session: its own file is in the prompt, and nothing outside it is looked at. */
  readonly root: string;
  /** What tools call that folder, where they see it under another name. */
  readonly seenAs?: string;
  /** Asked for when the first rules are found: many sessions touch no folder that has any. */
  readonly admit: () => Promise<AdmitText>;
  /** The tool messages of a session as stored, for one that goes on after a restart. */
  readonly recall?: (sessionId: string) => Promise<readonly ToolMessage[]> | readonly ToolMessage[];
  /** What `~` stands for. */
  readonly userHome?: string;
}
export interface HintedToolCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly cwd: string;
  readonly sessionId: string;
  /** What the marks around a hint carry in this session. */
  readonly markKey: string;
}
export interface Hints {
  /** To stand after the tool's own content. */
  readonly texts: readonly TextBlock[];
  /** For the owner. */
  readonly notices: readonly string[];
}
export interface HintTracker {
  /** The rules of folders this call was the first to touch. Never rejects: trouble costs the hint only. */
  after(call: HintedToolCall): Promise<Hints>;
  /** What a session was told is read off its log again: some of it may have been taken back. */
  forget(sessionId: string): void;
}

export function createHintTracker({ root, seenAs, admit, recall, userHome }: HintOptions): HintTracker {
  const sessions = createLruMap(HINT_LIMITS.sessions, (id) => visitsOf(id, root, recall));
  return {
    forget: sessions.forget,
    after: async ({ input, cwd, sessionId, markKey }) => {
      try {
        const tree = realPath(root);
        if (tree === undefined) return { texts: [], notices: [] };
        const named = await collectCallPaths(input, { cwd, home: userHome ?? homedir() });
        const paths = seenAs === undefined ? named : toOwnPaths(named, seenAs, tree);
        const visits = await sessions.of(sessionId);
        const judge = hasRules(collectUnvisitedFolders(paths, tree, visits.folders)) ? await admit() : NO_RULES;
        // Nothing is waited for from here on: calls side by side do not tell the same twice.
        return lookInto(paths, { tree, admit: judge, visits, markKey });
      } catch (error) {
        return { texts: [], notices: [`Rules of subfolders could not be looked for: ${toErrorMessage(error)}.`] };
      }
    },
  };
}

/** Paths below the folder as tools call it, as they are called here. All others are not files of this machine. */
const toOwnPaths = (paths: readonly string[], seenAs: string, root: string): readonly string[] =>
  paths.filter((path) => isWithin(seenAs, path)).map((path) => join(root, relative(seenAs, path)));

const hasRules = (folders: readonly string[]): boolean =>
  folders.some((folder) => HINT_NAMES.some((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined));
/** A folder that got its rules this very moment tells them with the next call that comes by; until then nobody vouches for them. */
const NO_RULES: AdmitText = (_text, { name }) => ({
  allow: false,
  notice: `${name} was left out: it appeared while it was looked for.`,
  marker: `[${name} was not read]`,
  findings: [],
});

async function visitsOf(id: string, root: string, recall: HintOptions['recall']): Promise<SeenHints> {
  const visits: SeenHints = { folders: new Set(), rules: new Set() };
  for (const { text } of findContextFiles(root).files) addIfNew(visits, text);
  try {
    restoreSeenHints(visits, (await recall?.(id)) ?? []);
  } catch {
    // A hint told twice is better than none.
  }
  return visits;
}

interface HintSearch {
  readonly tree: string;
  readonly admit: AdmitText;
  readonly visits: SeenHints;
  readonly markKey: string;
}

function lookInto(paths: readonly string[], search: HintSearch): Hints {
  const texts: TextBlock[] = [];
  const notices: string[] = [];
  for (const folder of collectUnvisitedFolders(paths, search.tree, search.visits.folders)) {
    if (texts.length === HINT_LIMITS.perCall) break;
    search.visits.folders.add(folder);
    const hint = hintOf(folder, search);
    texts.push(...hint.texts);
    notices.push(...hint.notices);
  }
  return { texts, notices };
}

function hintOf(folder: string, search: HintSearch): Hints {
  try {
    const found = findRulesFile(folder, HINT_NAMES, search.tree);
    if (found.file === undefined) return { texts: [], notices: found.notices };
    const told = tell(found.file, folder, search);
    return { texts: told.texts, notices: [...found.notices, ...told.notices] };
  } catch (error) {
    return { texts: [], notices: [`The rules in ${showPath(folder)} were left out: ${toErrorMessage(error)}.`] };
  }
}

function tell(file: RulesFile, folder: string, { tree, admit, visits, markKey }: HintSearch): Hints {
  if (!addIfNew(visits, file.text)) return { texts: [], notices: [] };
  const name = showPath(toRelativePath(tree, file.path));
  const { text, notices } = admitFile(file, { kind: 'hint', name, owned: false }, HINT_LIMITS.file, admit);
  const opening = `Project rules for ${showPath(toRelativePath(tree, folder))}/ and everything below it. Follow them for work there.`;
  return { texts: [createHintText({ path: file.path, name, markKey, opening, rules: text })], notices };
}
