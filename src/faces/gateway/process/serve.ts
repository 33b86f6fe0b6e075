import { systemClock } from '../../../base/clock.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import type { AccountRef } from '../../../contracts/gateway-store.ts';
import type { ListeningReport, ProviderReport } from '../../../contracts/services/gateway.ts';
import { isStoreError, type SessionStore } from '../../../contracts/session-store.ts';
import { describeAccount, type WriteLog } from '../contract.ts';
import type { Gateway, GatewayOptions } from '../runner/contract.ts';
import type { LinkState } from '../link/contract.ts';
import { keepReports, type Reports } from './reports.ts';
import type { GatewaySignals, StopKind } from './signals.ts';

/** A gateway ended as it should; wants to be started again; must not be started again before the settings are changed. */
export const GATEWAY_EXIT = { stopped: 0, restart: 75, configuration: 78 } as const;

export interface ServeOptions {
  readonly root: string;
  readonly open: (onLinkChange: NonNullable<GatewayOptions['onLinkChange']>) => Promise<Gateway>;
  readonly store: Pick<SessionStore, 'care'>;
  readonly signals: GatewaySignals;
  readonly drainMs: () => number;
  /** Beyond the drain; after that something hangs. */
  readonly watchdogMs?: number;
  readonly log: WriteLog;
  /** Ends the process although something hangs. */
  readonly exit: (code: number) => void;
  /** Where it takes requests from outside. */
  readonly listening?: () => readonly ListeningReport[];
  /** How the model's provider was found last. */
  readonly provider?: () => ProviderReport | undefined;
  readonly onRunning?: (gateway: Gateway) => Promise<void>;
  /** Reads the settings again and has them hold. */
  readonly reload?: () => Promise<void>;
  /** It is of use without any platform. */
  readonly servesMore?: boolean;
}

/** How long the platforms have to connect before the gateway says that it runs. They go on trying afterwards. */
const FIRST_MS = 30_000;
const LOOK_MS = 50;
const WATCHDOG_MS = 60_000;

/** Runs a gateway until it is told to end. Gives the exit code. */
export async function serveGateway(options: ServeOptions): Promise<number> {
  const { log, signals } = options;
  let gateway: Gateway | undefined;
  using reports = keepReports(options.root, { gateway: () => gateway, listening: options.listening, provider: options.provider, log });
  const told = createLinkLog(log);
  gateway = await options.open((ref, state) => {
    told(ref, state);
    reports.update();
  });
  using _care = startCare(gateway, options);
  await waitForFirst(gateway, signals.signal);
  for (const { ref, state } of gateway.accounts) told(ref, state, true);
  const states = gateway.accounts.map(({ state }) => state);
  const isRefused = options.servesMore !== true && states.length > 0 && states.every(({ type }) => type === 'refused');
  if (isRefused) log('No platform accepted its settings, so the gateway stops. Correct what the lines above name, then start it again.');
  else if (!signals.signal.aborted) {
    reports.enter('running');
    log(describeRunning(states));
    signals.onReload(createReloading(options, reports));
    await options.onRunning?.(gateway);
  }
  const kind = isRefused ? 'stop' : await signals.requested;
  const code = isRefused ? GATEWAY_EXIT.configuration : kind === 'restart' ? GATEWAY_EXIT.restart : GATEWAY_EXIT.stopped;
  reports.enter('draining');
  await endGateway(gateway, kind, code, options);
  return code;
}

/** One reading of the settings at a time; what is asked for meanwhile is one more. */
function createReloading({ reload, log }: ServeOptions, reports: Reports): () => void {
  let [isReading, again] = [false, false];
  const read = async (): Promise<void> => {
    do {
      again = false;
      await reload?.().catch((error: unknown) =>
        log(`The settings could not be read again, so those from before stay: ${toErrorMessage(error)}`),
      );
      reports.update();
    } while (again);
    isReading = false;
  };
  return () => {
    again = true;
    if (!isReading) void read();
    isReading = true;
  };
}

/** Tells of each account whether it is connected, at first and whenever that changes. Why it is not, its link tells itself. */
function createLinkLog(log: WriteLog): (ref: AccountRef, state: LinkState, isFirst?: boolean) => void {
  const connected = new Map<string, boolean>();
  return (ref, state, isFirst = false) => {
    const name = describeAccount(ref);
    const isNew = connected.get(name) !== true;
    const isConnected = state.type === 'connected';
    connected.set(name, isConnected);
    if (isConnected && isNew) log(`${name}: connected${state.identity === undefined ? '' : ` as ${state.identity.name}`}.`);
    if (!isConnected && isFirst) log(`${name}: not connected yet${describeFirst(state)}`);
  };
}
/** Why an account was refused stands above already: its link told it. */
const describeFirst = (state: LinkState): string =>
  state.type === 'refused' ? ': it was refused, as told above.' : 'why' in state && state.why !== undefined ? `: ${state.why}` : '.';

function describeRunning(states: readonly LinkState[]): string {
  const connected = states.filter(({ type }) => type === 'connected').length;
  const words = `Gateway running with ${connected} ${connected === 1 ? 'platform' : 'platforms'}`;
  return connected === states.length ? words : `${words}; ${states.length - connected} not connected, see hermes gateway status`;
}

async function endGateway(
  gateway: Gateway,
  kind: StopKind,
  code: number,
  { drainMs: readDrainMs, watchdogMs = WATCHDOG_MS, log, exit }: ServeOptions,
): Promise<void> {
  const drainMs = readDrainMs();
  const turns = gateway.running;
  const wait = turns === 0 ? '' : `; ${turns} running ${turns === 1 ? 'turn has' : 'turns have'} up to ${drainMs / 1_000} s to finish`;
  log(`${kind === 'restart' ? 'Restarting' : 'Stopping'} the gateway${wait}.`);
  // Until the process is gone: whatever is closed after this may hang as well.
  setTimeout(() => {
    log('The gateway did not stop in time and is ended. What was running goes on after the next start.');
    exit(code);
  }, drainMs + watchdogMs).unref();
  await gateway.drain(drainMs);
  if (gateway.running > 0) log(`${gateway.running} unfinished; what is left goes on after the next start.`);
  await gateway[Symbol.asyncDispose]();
  log('Gateway stopped.');
}

/** Waits until every account has come to something, good or bad. */
async function waitForFirst(gateway: Gateway, signal: AbortSignal): Promise<void> {
  const isOpen = (): boolean => gateway.accounts.some(({ state }) => state.type === 'connecting');
  for (let waited = 0; isOpen() && waited < FIRST_MS && !signal.aborted; waited += LOOK_MS) await systemClock.sleep(LOOK_MS, signal);
}

const CARE_MS = 60_000;
/** Once in so many rounds the store's derived tables are looked after. */
const TEND_EVERY = 10;

/** Every minute, looks for messages that were forgotten and keeps files and store tidy, and ends idle sessions. */
function startCare(gateway: Gateway, { store, signals, log }: ServeOptions): Disposable {
  let rounds = 0;
  const tend = async (): Promise<void> => {
    await gateway.tend();
    if (rounds++ % TEND_EVERY === 0) while (!signals.signal.aborted && (await store.care?.tend()) === true);
  };
  const care = new DisposableStack();
  care.use(startRounds(tend, 'The care of messages and files', signals, log));
  care.use(startRounds(() => gateway.sweep(signals.signal), 'The care of idle sessions', signals, log));
  return care;
}

/** One round at a time, each minute. */
function startRounds(round: () => Promise<void>, what: string, { signal, request }: GatewaySignals, log: WriteLog): Disposable {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy || signal.aborted) return;
    isBusy = true;
    void round()
      .catch((error: unknown) => {
        // Another version upgraded the store: only a process of that version can go on with what is unfinished.
        const isOutdated = isStoreError(error, 'newer');
        log(isOutdated ? toErrorMessage(error) : `${what} failed and is tried again: ${toErrorMessage(error)}`);
        if (isOutdated) request('restart');
      })
      .finally(() => (isBusy = false));
  }, CARE_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
