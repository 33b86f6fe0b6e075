import { toWordSet } from '../../../base/word-tables.ts';
import { isWithin } from '../../../base/within.ts';
import type { Call, CommandRule } from '../command/call/call.ts';
import { resolveTargetPath } from '../command/places/paths.ts';
import type { ShellContext } from '../command/places/shell-context.ts';
import { listOperands } from '../command/rules/rows.ts';
import { hasMarks } from '../command/values/marks.ts';

/** Programs that print files they are given. */
const PRINTERS = toWordSet(
  'cat bat less more head tail nl tac strings grep egrep fgrep rg ag ack sed awk gawk cut sort uniq jq yq xmllint column fold diff cmp comm paste join xxd od base64 iconv pandoc sqlite3 duckdb',
);
/** Programs that look through the folder they stand in when they are given none. */
const SEARCHERS = toWordSet('rg ag ack');
/** Programs that run what the project says, and print what that prints. */
const RUNNERS = toWordSet(
  'npm pnpm yarn bun npx make gmake just task rake tox nox pytest jest vitest mocha phpunit composer cargo go mvn gradle gradlew dotnet mix sbt bazel python python3 node deno ruby perl php lua',
);
/** What others wrote into the repository, in the words of git. */
const GIT = toWordSet(
  'fetch pull ls-remote log show diff blame annotate grep cat-file shortlog whatchanged stash notes range-diff format-patch reflog',
);

export interface ProjectFiles {
  /** The working folder of the session. */
  readonly workspace: string;
  isThere(path: string): boolean;
  /** The session wrote all of it. */
  isOwn(path: string): boolean;
}

/** Rows as those of the command floor: `ask` means that the output shows text of the project. */
export const createProjectRules = (files: ProjectFiles): readonly CommandRule[] => [
  {
    type: 'ask',
    reason: 'it shows the history',
    matches: ({ name, args }, place) => name === 'git' && GIT.has(verbOf(args)) && standsInProject(place, files),
  },
  {
    type: 'ask',
    reason: 'it shows files of the project',
    matches: (call, place) =>
      (PRINTERS.has(call.name) || call.reads.length > 0) &&
      readsProject(PRINTERS.has(call.name) ? listOperands(call.args) : [], call, place, files),
  },
  {
    type: 'ask',
    reason: 'it looks through the project',
    matches: ({ name, args }, place) =>
      (SEARCHERS.has(name) ||
        (/^[ef]?grep$/.test(name) && args.some((word) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive/.test(word)))) &&
      listOperands(args).length < 2 &&
      standsInProject(place, files),
  },
  {
    type: 'ask',
    reason: 'it runs the project',
    matches: ({ name }, place) => RUNNERS.has(name) && standsInProject(place, files),
  },
];

/** `git -C x --no-pager log`: the first word that is one. */
const verbOf = (args: readonly string[]): string => listOperands(args).find((word) => GIT.has(word)) ?? '';

const standsInProject = ({ cwd }: ShellContext, { workspace }: ProjectFiles): boolean => cwd === undefined || isWithin(workspace, cwd);

const readsProject = (operands: readonly string[], { reads }: Call, place: ShellContext, files: ProjectFiles): boolean =>
  [...operands, ...reads].some((word) => {
    const path = resolveTargetPath(word, place);
    // What is only known when it runs may be any file.
    if (path === undefined) return word !== '' && standsInProject(place, files);
    return isWithin(files.workspace, path) && (hasMarks(path) || (files.isThere(path) && !files.isOwn(path)));
  });
