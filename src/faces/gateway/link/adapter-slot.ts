import { toErrorMessage } from '../../../base/errors.ts';
import type { PlatformAdapter } from '../../../contracts/platform-adapter.ts';
import type { AdapterHandle, LinkClock, LinkTimes } from './contract.ts';
import { waitWithin } from './timers.ts';

/** The adapter of a link: one at a time, started anew when it is gone. */
export interface AdapterSlot extends AsyncDisposable {
  /** The adapter, started when there is none; or why it does not start. */
  open(): Promise<OpenAdapter | string>;
  /** The adapter that is there or about to be; or why there is none. Never starts one. */
  current(): Promise<OpenAdapter | string>;
  /** Ends an adapter that does not do what it is told. */
  terminate(): Promise<void>;
  starts(): number;
}
export interface OpenAdapter {
  readonly adapter: PlatformAdapter;
  /** Aborts when it is gone, with the words why. */
  readonly gone: AbortSignal;
}
interface HeldAdapter extends OpenAdapter {
  readonly handle: AdapterHandle;
  depart(why: string): void;
}

export function createAdapterSlot(openAdapter: () => Promise<AdapterHandle>, clock: LinkClock, times: LinkTimes): AdapterSlot {
  let opening: Promise<HeldAdapter | string> | undefined;
  let [absent, starts, isOver] = ['The adapter has not been started yet.', 0, false];

  const leave = (why: string): string => {
    opening = undefined;
    return (absent = why);
  };
  const start = async (): Promise<HeldAdapter | string> => {
    starts++;
    const started = Promise.try(openAdapter);
    try {
      const handle = await waitWithin(clock, started, times.connect);
      if (handle !== undefined && !isOver) return hold(handle.value);
      // Should it start after all, nobody wants it any more.
      void started.then(
        (late) => late.terminate(),
        () => undefined,
      );
      return leave(`The adapter did not start in ${times.connect / 1000} s.`);
    } catch (error) {
      return leave(`The adapter did not start: ${toErrorMessage(error)}`);
    }
  };
  const hold = (handle: AdapterHandle): HeldAdapter => {
    const gone = new AbortController();
    const depart = (why: string) => {
      if (!gone.signal.aborted) gone.abort(leave(why));
    };
    void handle.failed.then((why) => depart(`The adapter stopped: ${why}`));
    return { adapter: handle.adapter, gone: gone.signal, handle, depart };
  };
  const terminate = async ({ handle, depart }: HeldAdapter): Promise<void> => {
    await waitWithin(clock, Promise.allSettled([handle.terminate(), handle.failed]), times.close);
    depart('The adapter was stopped.');
  };
  const held = async (): Promise<HeldAdapter | undefined> => {
    const open = await (opening && waitWithin(clock, opening, times.close));
    return typeof open?.value === 'object' ? open.value : undefined;
  };
  return {
    open: () => (opening ??= start()),
    current: () => opening ?? Promise.resolve(absent),
    starts: () => starts,
    terminate: async () => {
      const open = await held();
      if (open !== undefined) await terminate(open);
    },
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      const open = await held();
      if (open === undefined) return;
      await waitWithin(clock, Promise.allSettled([open.adapter[Symbol.asyncDispose]()]), times.close);
      await terminate(open);
    },
  };
}
