export interface SignalHandlers {
  /** Settles when the terminal has nothing more to answer that a shell would take for typed text. */
  untilAnswered(): Promise<void>;
  /** Takes the modes back: the process is about to stop, to crash or to end. */
  hand(): void;
  takeBack(): void;
  leave(signal: 'SIGHUP' | 'SIGTERM'): void;
}

/** Nobody says whether a stop was refused (a process that no shell looks after cannot be stopped): then it goes on after this. */
const REFUSED_MS = 50;

let endEarlier = (): void => undefined;

/**
 * Stops and goes on as a shell expects it, and leaves the terminal as it was whatever ends the process. Gives back what ends the
 * watch. Stopping is watched until the process ends: the launcher would wait for ever for a program that is stopped alone.
 */
export function watchSignals(process: NodeJS.Process, { untilAnswered, hand, takeBack, leave }: SignalHandlers): () => void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void untilAnswered().then(stopNow);
  };
  function stopNow(): void {
    stopping = false;
    hand();
    process.off('SIGTSTP', stop);
    // The launcher and everything else of this job stops with it: the shell waits for all of them.
    process.kill(0, 'SIGTSTP');
    setTimeout(goOn, REFUSED_MS);
  }
  function goOn(): void {
    if (!process.listeners('SIGTSTP').includes(stop)) process.on('SIGTSTP', stop);
    takeBack();
  }
  let told = false;
  /** A signal for the whole job comes twice: from the sender and through the launcher. */
  const tellOnce = (signal: 'SIGHUP' | 'SIGTERM'): void => {
    if (!told) leave(signal);
    told = true;
  };
  const hangUp = (): void => tellOnce('SIGHUP');
  const terminate = (): void => tellOnce('SIGTERM');
  endEarlier();
  endEarlier = () => void process.off('SIGTSTP', stop).off('SIGCONT', goOn);
  process.on('SIGTSTP', stop).on('SIGCONT', goOn).on('SIGHUP', hangUp).on('SIGTERM', terminate);
  process.on('exit', hand).on('uncaughtExceptionMonitor', hand);
  return () => {
    process.off('SIGHUP', hangUp).off('SIGTERM', terminate);
    process.off('exit', hand).off('uncaughtExceptionMonitor', hand);
  };
}
