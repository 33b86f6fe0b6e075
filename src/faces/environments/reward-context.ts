import { posix } from 'node:path';
import { quoteShellWord } from '../../base/shell.ts';
import type { RewardContext } from '../../contracts/environment.ts';
import type { Files } from '../../contracts/files.ts';
import type { SessionHandle, SessionWorkplace } from '../../contracts/host.ts';
import type { RunResult, Terminal } from '../../contracts/terminal.ts';
import { createTransfers, readAll } from './transfers.ts';

const DEFAULT_SECONDS = 120;
const MAX_OUTPUT = 1_000_000;
/** Larger texts are no answer to anything a judge asks. */
const MAX_TEXT_BYTES = 50_000_000;
const MAX_LINES = 1_000;

type JudgedSession = Pick<SessionHandle, 'session' | 'use' | keyof AsyncDisposable>;

export interface OpenedPlace {
  readonly session: JudgedSession;
  readonly start: string;
}
export interface RewardContextDeps {
  readonly session: JudgedSession;
  readonly signal: AbortSignal;
  /** Where its first command stands, as the place itself said it; what it is asked for when nobody has opened it. */
  readonly start?: string;
  /** Most seconds of a command that names none. */
  readonly seconds?: number;
  /** Opens another place like this one; absent where there is nobody to judge yet. */
  readonly openFresh?: () => Promise<OpenedPlace>;
}

/** The place the model worked in, for whoever judges it. */
export function createRewardContext({ session, signal, start, seconds = DEFAULT_SECONDS, openFresh }: RewardContextDeps): RewardContext {
  const use = <Result>(work: (place: SessionWorkplace) => Promise<Result>): Promise<Result> => session.use(work, signal);
  // `terminal.cwd` is where the shell went, not where it began.
  const fromStart = <Result>(work: (terminal: Terminal, from: string) => Promise<Result>): Promise<Result> =>
    use(async ({ terminal }) => {
      await terminal.ready?.();
      return work(terminal, start ?? terminal.place?.cwd ?? session.session.cwd);
    });
  const withFiles = <Result>(path: string, work: (files: Files, absolute: string) => Promise<Result>): Promise<Result> =>
    fromStart(({ files }, from) => work(files, posix.resolve(from, path)));
  const limits = (timeoutSeconds = seconds) => ({ signal, timeoutMs: timeoutSeconds * 1_000, maxOutput: MAX_OUTPUT });
  const run = (command: string) => fromStart((terminal, cwd) => terminal.run(command, { ...limits(), cwd }));
  const callTool: RewardContext['callTool'] = async (name, args) => {
    const { ok, output } = await use(({ call }) => call(name, args, signal));
    if (!ok) throw new Error(`${name}: ${output}`);
    return output;
  };
  const context: RewardContext = {
    signal,
    workingDirectory: () => withFiles('.', async (_files, at) => at),
    terminal: async (command, timeoutSeconds) => {
      const { output, exitCode } = await use(({ terminal }) => terminal.run(command, limits(timeoutSeconds)));
      return { output, exitCode };
    },
    readFile: async (path) => (await withFiles(path, (files, at) => readAll(files.read(at, signal), MAX_TEXT_BYTES))).toString('utf8'),
    writeFile: (path, content) => withFiles(path, (files, at) => files.write(at, content)),
    search: async (query, path = '.') => readHits(path, await run(createSearch(query, path))),
    ...createTransfers({ signal, withFiles, run }),
    webSearch: (query) => callTool('web_search', { query }),
    webExtract: (urls) => callTool('web_extract', { urls: [...urls] }),
    browserNavigate: (url) => callTool('browser_navigate', { url }),
    browserSnapshot: () => callTool('browser_snapshot', {}),
    callTool,
    freshPlace: async () => {
      if (openFresh === undefined) throw new Error('a fresh place is for judges: the model has not worked in this one yet.');
      return createRewardContext({ ...(await openFresh()), signal, seconds, openFresh });
    },
    cleanup: async () => session[Symbol.asyncDispose](),
  };
  return context;
}

/** Not there, as no program says it. */
const NOTHING_THERE = 99;
/** What cannot be read of a folder is passed over in silence. */
const createSearch = (query: string, path: string): string =>
  `if [ -e ${quoteShellWord(path)} ]; then grep -rnIFs -m ${MAX_LINES} -- ${quoteShellWord(query)} ${quoteShellWord(path)}; else (exit ${NOTHING_THERE}); fi`;

/** A search that found something and passed something over ends with 2. */
function readHits(path: string, { output, exitCode, omitted }: RunResult): readonly string[] {
  if (exitCode === NOTHING_THERE) throw new Error(`the search in ${path} failed: it is not there.`);
  if (exitCode === null || exitCode > 2) throw new Error(`the search in ${path} failed: ${output.slice(-2_000)}`);
  // Of a longer output the middle is gone, and its beginning ends within a line.
  const lines =
    omitted === 0
      ? output.split('\n')
      : output
          .slice(0, MAX_OUTPUT / 2)
          .split('\n')
          .slice(0, -1);
  return lines.filter((line) => line !== '').slice(0, MAX_LINES);
}
