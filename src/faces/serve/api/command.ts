import { forwardLines } from '../../../base/notice-board.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import type { Host } from '../../../contracts/host.ts';
import { becomeService } from '../service-process.ts';
import { describeUrl } from './open-home.ts';
import type { ApiServer } from './server.ts';

export interface ServeApiDeps<Opened extends Host> {
  openHost(): Promise<Opened>;
  openApi(host: Opened, log: (words: string) => void): Promise<ApiServer>;
  /** How long turns have to finish when it is told to end. */
  drainMs(host: Opened): number;
}

/** How often the store is looked after. */
const CARE_MS = 600_000;

/** `hermes serve`: serves the API until a signal comes, then lets running turns finish. Gives the exit code. */
export async function serveApi<Opened extends Host>(json: boolean, deps: ServeApiDeps<Opened>): Promise<number> {
  const { stop, notice } = becomeService();
  await using host = await deps.openHost();
  await using _notices = forwardLines(host.notices, ({ text }) => notice(text));
  await using api = await deps.openApi(host, notice);
  using _care = startCare(host, notice);
  const url = describeUrl(api);
  if (json) process.stdout.write(`${JSON.stringify({ url, pid: process.pid })}\n`);
  notice(`serving the API at ${url}/v1. Stop with Ctrl-C.`);
  if (!stop.aborted) await new Promise<void>((done) => stop.addEventListener('abort', () => done(), { once: true }));
  const [turns, ms] = [api.running, deps.drainMs(host)];
  if (turns > 0) notice(`stopping; ${turns} running ${turns === 1 ? 'turn has' : 'turns have'} up to ${ms / 1_000} s to finish.`);
  await api.drain(ms);
  return 0;
}

function startCare({ store }: Host, notice: (words: string) => void): Disposable {
  const tend = async (): Promise<void> => {
    while ((await store.care?.tend()) === true);
  };
  const timer = setInterval(
    () => void tend().catch((error: unknown) => notice(`the store could not be tended: ${toErrorMessage(error)}`)),
    CARE_MS,
  );
  return { [Symbol.dispose]: () => clearInterval(timer.unref()) };
}
