import { setImmediate as turn } from 'node:timers/promises';
import type { LinkClock } from '../../../../src/faces/gateway/link/contract.ts';

interface Alarm {
  readonly at: number;
  ring(): void;
}
/** A clock that moves only when it is told to. Whatever rings in between rings in order. */
export interface VirtualClock extends LinkClock {
  /** Lets so much time pass; everything that became possible by it has happened afterwards. */
  pass(ms: number): Promise<void>;
  /** Passes time in steps until something is so. */
  until(isSo: () => boolean, mostMs?: number): Promise<void>;
  /** The clock on the wall jumps; the steady one stands, as while a computer sleeps. */
  jump(ms: number): void;
}

export function createVirtualClock(): VirtualClock {
  let [time, ahead] = [1_000_000, 1_800_000_000_000];
  const alarms = new Set<Alarm>();
  const sleep: LinkClock['sleep'] = (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted || ms <= 0) return resolve();
      const finish = () => {
        alarms.delete(alarm);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const alarm = { at: time + ms, ring: finish };
      alarms.add(alarm);
      signal.addEventListener('abort', finish, { once: true });
    });
  const nextAt = () => alarms.values().reduce((first, { at }) => Math.min(first, at), Infinity);
  /** To the next alarm, at most so far; says whether there is more. */
  const step = async (end: number): Promise<boolean> => {
    await turn();
    time = Math.min(end, nextAt());
    for (const alarm of [...alarms].filter(({ at }) => at <= time)) alarm.ring();
    await turn();
    return time < end;
  };
  return {
    now: () => time + ahead,
    steady: () => time,
    sleep,
    jump: (ms) => void (ahead += ms),
    pass: async (ms) => {
      const end = time + ms;
      while (await step(end));
    },
    until: async (isSo, mostMs = 3_600_000) => {
      const end = time + mostMs;
      while (!isSo()) if (!(await step(end)) && !isSo()) throw new Error(`It did not come about in ${mostMs} ms.`);
    },
  };
}
