export interface SignalHandlers {
  /** Takes the modes back: the process is about to stop, to crash or to end. */
  hand(): void;
  takeBack(): void;
  leave(signal: 'SIGHUP' | 'SIGTERM'): void;
}

/** Nobody says whether a stop was refused (a process that no shell looks after cannot be stopped): then it goes on after this. */
const REFUSED_MS = 50;

/** Stops and goes on as a shell expects it, and leaves the terminal as it was whatever ends the process. Gives back what ends the watch. */
export function watchSignals(process: NodeJS.Process, { hand, takeBack, leave }: SignalHandlers): () => void {
  function stop(): void {
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
  process.on('SIGTSTP', stop).on('SIGCONT', goOn).on('SIGHUP', hangUp).on('SIGTERM', terminate);
  process.on('exit', hand).on('uncaughtExceptionMonitor', hand);
  return () => {
    process.off('SIGTSTP', stop).off('SIGCONT', goOn).off('SIGHUP', hangUp).off('SIGTERM', terminate);
    process.off('exit', hand).off('uncaughtExceptionMonitor', hand);
  };
}
