import { posix } from 'node:path';
import { quoteShellWord } from '../../base/shell.ts';
import type { RewardContext } from '../../contracts/environment.ts';
import type { Files } from '../../contracts/files.ts';
import type { SessionHandle, SessionWorkplace } from '../../contracts/host.ts';
import { createTransfers, readAll } from './transfers.ts';

const DEFAULT_SECONDS = 120;
const MAX_OUTPUT = 1_000_000;
/** Larger texts are no answer to anything a judge asks. */
const MAX_TEXT_BYTES = 50_000_000;
const MAX_LINES = 1_000;

type JudgedSession = Pick<SessionHandle, 'session' | 'use' | keyof AsyncDisposable>;

export interface RewardContextDeps {
  readonly session: JudgedSession;
  readonly signal: AbortSignal;
  /** Most seconds of a command that names none. */
  readonly seconds?: number;
  /** Opens another place like this one; absent where there is nobody to judge yet. */
  readonly openFresh?: () => Promise<JudgedSession>;
}

/** The place the model worked in, for whoever judges it. */
export function createRewardContext({ session, signal, seconds = DEFAULT_SECONDS, openFresh }: RewardContextDeps): RewardContext {
  const use = <Result>(work: (place: SessionWorkplace) => Promise<Result>): Promise<Result> => session.use(work, signal);
  const withFiles = <Result>(path: string, work: (files: Files, absolute: string) => Promise<Result>): Promise<Result> =>
    use(async ({ terminal }) => {
      await terminal.ready?.();
      // `terminal.cwd` is where the shell went, not where it began.
      return work(terminal.files, posix.resolve(terminal.place?.cwd ?? session.session.cwd, path));
    });
  const run = (command: string, timeoutSeconds = seconds) =>
    use(({ terminal }) => terminal.run(command, { signal, timeoutMs: timeoutSeconds * 1_000, maxOutput: MAX_OUTPUT }));
  const callTool: RewardContext['callTool'] = async (name, args) => {
    const { ok, output } = await use(({ call }) => call(name, args, signal));
    if (!ok) throw new Error(`${name}: ${output}`);
    return output;
  };
  const context: RewardContext = {
    signal,
    workingDirectory: () => withFiles('.', async (_files, at) => at),
    terminal: async (command, timeoutSeconds) => {
      const { output, exitCode } = await run(command, timeoutSeconds);
      return { output, exitCode };
    },
    readFile: async (path) => (await withFiles(path, (files, at) => readAll(files.read(at, signal), MAX_TEXT_BYTES))).toString('utf8'),
    writeFile: (path, content) => withFiles(path, (files, at) => files.write(at, content)),
    search: async (query, path = '.') => {
      const { output, exitCode } = await run(
        `grep -rnIF -m ${MAX_LINES} -- ${quoteShellWord(query)} ${quoteShellWord(path)} | head -n ${MAX_LINES}`,
      );
      if (exitCode !== 0 && exitCode !== 1) throw new Error(`the search in ${path} failed: ${output}`);
      return output.split('\n').filter((line) => line !== '');
    },
    ...createTransfers({ signal, withFiles, run }),
    webSearch: (query) => callTool('web_search', { query }),
    webExtract: (urls) => callTool('web_extract', { urls: [...urls] }),
    browserNavigate: (url) => callTool('browser_navigate', { url }),
    browserSnapshot: () => callTool('browser_snapshot', {}),
    callTool,
    freshPlace: async () => {
      if (openFresh === undefined) throw new Error('a fresh place is for judges: the model has not worked in this one yet.');
      return createRewardContext({ session: await openFresh(), signal, seconds, openFresh });
    },
    cleanup: async () => session[Symbol.asyncDispose](),
  };
  return context;
}
