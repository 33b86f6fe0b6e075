import { createTextBlock, type JsonObject } from '../../../../contracts/message.ts';
import type { CommandVerdict } from '../../../../contracts/safety.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../../contracts/tool.ts';
import type { FileGuard } from '../files/guarded.ts';
import { locate, toPathResource, type Location, type PathResolution } from '../files/locate.ts';
import { createMissingFileFailure, toFileFailure } from '../files/failures.ts';
import { collect, render, type FileSearchPage } from './page.ts';
import { isMultilinePattern } from './patterns.ts';
import { BadPattern, type FileHit, type FileQuery, type SearchEngine, type SearchMode } from './query.ts';
import { findRipgrep, ripgrep } from './ripgrep.ts';
import { searchInTerminal } from './search-in-terminal.ts';
import { walkingEngine } from './walk.ts';

export interface SearchFilesInput {
  readonly pattern: string;
  /** `grep` and `find` are taken for `content` and `files`; earlier versions offered them. */
  readonly target?: string;
  readonly path?: string;
  readonly file_glob?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly output_mode?: 'content' | 'files_only' | 'count';
  readonly context?: number;
}
export interface SearchOptions extends PathResolution {
  readonly guard: FileGuard;
  /** Which engine to use, when it is not to be found out. */
  readonly engine?: SearchEngine;
  /** What is thought of a tool reading a place; absent means that every file may be read which the guard does not hide. */
  readonly judgeRead?: () => Promise<(path: string) => CommandVerdict>;
}

const LIMIT = 50;

export const searchFilesTool = (options: SearchOptions): Tool<SearchFilesInput> => ({
  name: 'search_files',
  description:
    'Search file contents by regex (target content) or file names by glob (target files, newest first). Includes hidden files, respects .gitignore.',
  input: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'Regex, or glob such as *.ts' },
      target: { type: 'string', description: 'content (default) or files' },
      path: { type: 'string', description: 'Folder or file, default .' },
      file_glob: { type: 'string', description: 'Only these files' },
      limit: { type: 'integer', minimum: 1, description: `Default ${LIMIT}` },
      offset: { type: 'integer', minimum: 0 },
      output_mode: { type: 'string', enum: ['content', 'files_only', 'count'], description: 'Default content' },
      context: { type: 'integer', minimum: 0, description: 'Lines around each match' },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  effects: ({ path }) => ({ kind: 'read', resources: [toPathResource(path ?? '.', options)] }),
  replay: 'safe',
  idempotent: true,
  trust: 'tool',
  timeoutMs: 120_000,
  maxResult: 100_000,
  run: (input, context) => search(input, context, options),
});

/** More lines around a match than this are a file to read. */
const MAX_CONTEXT = 20;
const MAX_LIMIT = 1_000;

async function search(input: SearchFilesInput, context: ToolContext, options: SearchOptions): Promise<ToolOutput> {
  const place = await locate(input.path ?? '.', context.terminal);
  options.guard.check(place, 'read');
  await mustExist(place, context);
  const engine = options.engine ?? (await bestEngine(context, place));
  const mode = modeOf(input);
  const query: FileQuery = {
    pattern: input.pattern,
    mode,
    root: place.path,
    context: Math.min(input.context ?? 0, MAX_CONTEXT),
    ...(input.file_glob !== undefined && { fileGlob: input.file_glob }),
  };
  const page = await collect(engine(query, context.signal), {
    offset: input.offset ?? 0,
    limit: Math.min(input.limit ?? LIMIT, MAX_LIMIT),
    hides: await hider(place, mode, options),
  }).catch((error: unknown) => {
    throw error instanceof BadPattern ? badPattern(input.pattern, error.message, mode) : error;
  });
  if (context.signal.aborted) throw new ToolFailure('The search was stopped before it finished.');
  const words = render(page, query, context.terminal.cwd);
  const details = detailsOf(page);
  return {
    content: [createTextBlock(words, 'tool')],
    data: { text: words, matches: page.hits.map(matchOf), ...details },
    details: { kind: 'data', data: details },
  };
}

/** Whether a hit is left out. What is not for every reader may be named, but not searched as part of something larger. */
async function hider(place: Location, mode: SearchMode, { guard, judgeRead }: SearchOptions): Promise<(path: string) => boolean> {
  const judge = mode === 'files' ? undefined : await judgeRead?.();
  // Below a linked folder every file has two names.
  const namesOf = (path: string): readonly string[] => [path, place.real + path.slice(place.path.length)];
  const isHidden = (path: string): boolean =>
    namesOf(path).some((name) => guard.hides(name, place) || (path !== place.path && judge !== undefined && judge(name).type !== 'fine'));
  const known = new Map<string, boolean>();
  return (path) => {
    const hidden = known.get(path) ?? isHidden(path);
    known.set(path, hidden);
    return hidden;
  };
}

/** A hit as a script gets it. */
const matchOf = (hit: FileHit): JsonObject =>
  hit.kind === 'line'
    ? { path: hit.path, line: hit.line, text: hit.text, ...(!hit.match && { context: true }) }
    : hit.kind === 'count'
      ? { path: hit.path, count: hit.count }
      : { path: hit.path };

const detailsOf = ({ total, more, hidden, next }: FileSearchPage) => ({
  total_count: total,
  counted_all: !more,
  truncated: next !== undefined,
  omitted: hidden,
});

function modeOf({ target = 'content', output_mode }: SearchFilesInput): SearchMode {
  if (target === 'files' || target === 'find') return 'files';
  if (target === 'content' || target === 'grep') return output_mode ?? 'content';
  throw new ToolFailure(`Not searched: target must be content or files, not ${JSON.stringify(target)}.`);
}

/** On this machine by a program of ours; elsewhere, and where a sandbox sees other files than we do, by one of that place. */
async function bestEngine({ terminal }: ToolContext, { path, real }: Location): Promise<SearchEngine> {
  const binary = await findRipgrep();
  const isHere = terminal.kind === 'local' || (path === real && terminal.wall?.files.isPlain(path) === true);
  if (!isHere) return searchInTerminal(terminal, binary);
  return binary === undefined ? walkingEngine : ripgrep(binary);
}

async function mustExist(place: Location, { terminal }: ToolContext): Promise<void> {
  const found = await terminal.files.stat(place.path).catch((error: unknown) => {
    throw toFileFailure('searched', place, error);
  });
  if (found === undefined) throw await createMissingFileFailure(place, terminal);
}

const badPattern = (pattern: string, reason: string, mode: SearchMode): ToolFailure =>
  new ToolFailure(
    mode === 'files' || isMultilinePattern(pattern)
      ? `Not searched: ${reason}.`
      : `Not searched: ${JSON.stringify(pattern)} is not a valid regular expression (${reason}). To find these characters themselves, put a backslash before each of . * + ? ( ) [ ] { } ^ $ | \\.`,
  );
