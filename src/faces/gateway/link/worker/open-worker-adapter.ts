import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../../../base/clock.ts';
import { toErrorMessage } from '../../../../base/errors.ts';
import { waitAtMost } from '../../../../base/waits.ts';
import type { AdapterOptions, InboundRoute } from '../../../../contracts/platform-adapter.ts';
import type { PluginStart } from '../../../../contracts/plugin-manifest.ts';
import type { AdapterHandle, SendingCalls } from '../contract.ts';
import type { HostCalls, HostOffer, WorkerCalls, WorkerStart } from './calls.ts';
import { openPortCalls, type CallHandlers, type PortCalls } from './port-calls.ts';
import { createRemoteAdapter, type RemoteAdapter } from './remote-adapter.ts';

export interface WorkerAdapterOptions extends AdapterOptions {
  /** The worker's own entry, which calls `serveAdapter`. */
  readonly file: string;
  readonly platform: string;
  /** The plugin that brings it, where one does. */
  readonly plugin?: PluginStart;
  readonly times?: WorkerTimes;
}
export interface WorkerTimes {
  /** Until the adapter is there. */
  readonly startMs: number;
  /** Between two questions whether it is still there. */
  readonly beatMs: number;
  /** One that has not answered for so long is stuck. */
  readonly answerMs: number;
}
const WORKER_TIMES: WorkerTimes = { startMs: 25_000, beatMs: 5_000, answerMs: 10_000 };
const NEW_BEAT_MS = 250;
/** An adapter holds no more than the batch in hand; files go through it in pieces. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 };
/** How the network is reached. Keys and tokens of others are none of an adapter's business. */
const VARIABLES = /^(?:(?:https?|all|no)_proxy|NODE_(?:USE_ENV_PROXY|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|SSL_CERT_(?:FILE|DIR)|TZ)$/i;

/** Starts an adapter in a thread of its own. Rejects when it does not start. */
export async function openWorkerAdapter(options: WorkerAdapterOptions): Promise<AdapterHandle> {
  const { log, times = WORKER_TIMES } = options;
  const worker = startWorker(options);
  const [over, failed] = [new AbortController(), Promise.withResolvers<string>()];
  const ready = Promise.withResolvers<readonly (keyof SendingCalls)[]>();
  const remote = createRemoteAdapter(() => calls);
  const routes = createRoutes(() => calls, options.listen);
  const calls = openPortCalls<WorkerCalls, HostCalls>(worker, {
    ready: async (offered) => ready.resolve(offered),
    log: async (words) => log(words),
    ended: async ({ id, end }) => remote.end(id, end),
    listen: routes.listen,
    unlisten: routes.unlisten,
    isKnown: async (key) => options.records?.isKnown(key) ?? missing('records'),
    count: async ({ what, windowMs }) => options.records?.count(what, windowMs) ?? missing('records'),
    post: async (request, signal) => options.post?.(request, signal) ?? missing('post'),
  });
  const fail = (why: string): void => {
    if (over.signal.aborted) return;
    over.abort();
    failed.resolve(why);
    calls.close(why);
    remote.endAll(`The adapter stopped: ${why}`);
    void Promise.allSettled([worker.terminate(), routes.close()]);
  };
  worker.on('error', (error) => fail(toErrorMessage(error)));
  worker.on('messageerror', (error) => fail(toErrorMessage(error)));
  worker.on('exit', (code) => fail(`It exited with code ${code}.`));
  if (!(await waitAtMost(Promise.race([ready.promise, failed.promise]), times.startMs))) fail('It took too long.');
  if (over.signal.aborted) throw new Error(await failed.promise);
  void keepAsking(remote, times, over.signal, () => fail(`It did not answer for ${times.answerMs / 1000} s.`));
  const terminate = async () => {
    fail('It was ended.');
    await worker.terminate();
  };
  return { adapter: remote.adapter(await ready.promise), failed: failed.promise, terminate };
}

/** Called only when it was offered. */
const missing = (offer: HostOffer): Promise<never> => Promise.reject(new Error(`The gateway does not offer ${offer} here.`));
const OFFERS: readonly HostOffer[] = ['listen', 'records', 'post'];

function startWorker(options: WorkerAdapterOptions): Worker {
  const { file, platform, plugin, settings, folder, log } = options;
  const offers = OFFERS.filter((name) => options[name] !== undefined);
  const workerData: WorkerStart = {
    platform,
    settings,
    offers,
    ...(plugin !== undefined && { plugin }),
    ...(folder !== undefined && { folder }),
  };
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => VARIABLES.test(name)));
  const worker = new Worker(file, { workerData, env, resourceLimits: MEMORY, execArgv: [], stdout: true, stderr: true, name: platform });
  for (const stream of [worker.stdout, worker.stderr]) createInterface(stream).on('line', log);
  return worker;
}

/** Asks again and again. A thread that does not answer is blocked for good, or as good as. */
async function keepAsking(
  remote: Pick<RemoteAdapter, 'ping' | 'hasHeard'>,
  times: WorkerTimes,
  signal: AbortSignal,
  onSilence: () => void,
): Promise<void> {
  while (!signal.aborted) {
    // Whether a new connection works is worth knowing soon.
    await systemClock.sleep(remote.hasHeard() ? times.beatMs : Math.min(times.beatMs, NEW_BEAT_MS), signal);
    const answered = remote.ping().catch(() => undefined);
    // When this thread was the one that was blocked, the answer has been waiting to be read.
    if (!(await waitAtMost(answered, times.answerMs)) && !(await waitAtMost(answered, times.beatMs)) && !signal.aborted) onSilence();
  }
}

/** Where the worker listens to requests from outside. */
function createRoutes(worker: () => PortCalls<WorkerCalls>, listen: AdapterOptions['listen']) {
  const open = new Map<number, AsyncDisposable>();
  const unlisten = async (route: number): Promise<void> => {
    const found = open.get(route);
    open.delete(route);
    await found?.[Symbol.asyncDispose]();
  };
  const handlers: Pick<CallHandlers<HostCalls>, 'listen' | 'unlisten'> = {
    listen: async ({ route, ...about }) => {
      const answer: InboundRoute['answer'] = (request) => worker().call('answer', { route, request });
      const opened = await (listen?.({ ...about, answer }) ?? missing('listen'));
      open.set(route, opened);
      return { port: opened.port };
    },
    unlisten,
  };
  return { ...handlers, close: () => Promise.allSettled([...open.keys()].map(unlisten)) };
}
