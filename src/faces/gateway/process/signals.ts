import type { WriteLog } from '../contract.ts';

/** Why a gateway ends: for good, or to be started again. */
export type StopKind = 'stop' | 'restart';

export interface GatewaySignals {
  /** Settles with the first request to end. */
  readonly requested: Promise<StopKind>;
  /** Aborted with it. */
  readonly signal: AbortSignal;
  request(kind: StopKind): void;
  /** Called whenever the settings are to be read again, from now on. */
  onReload(reload: () => void): void;
}

/** The part of a process that is needed here. */
export interface SignalSource {
  on(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGUSR1', listener: () => void): unknown;
  exit(code: number): void;
}

/** Listens from now on. Whoever asks twice for the end does not wait for anything. */
export function watchSignals(source: SignalSource, log: WriteLog, isAtTerminal: boolean): GatewaySignals {
  const stop = new AbortController();
  const requested = Promise.withResolvers<StopKind>();
  const request = (kind: StopKind): void => {
    requested.resolve(kind);
    stop.abort();
  };
  const end = (code: number) => () => {
    if (stop.signal.aborted) source.exit(code);
    request('stop');
  };
  source.on('SIGINT', end(130));
  source.on('SIGTERM', end(143));
  source.on('SIGUSR1', () => request('restart'));
  let reload = (): void => log('The gateway is still starting. Once it runs, ask again for the settings to be read.');
  source.on('SIGHUP', () => {
    // The window it runs in was closed.
    if (isAtTerminal) return request('stop');
    if (!stop.signal.aborted) reload();
  });
  return { requested: requested.promise, signal: stop.signal, request, onReload: (next) => void (reload = next) };
}
