import { toErrorMessage } from '../../../../base/errors.ts';

/** Calls by name: what goes there and what comes back, all of it plain data. */
export type CallTable = Readonly<Record<string, { readonly args: unknown; readonly result: unknown }>>;
/** One side's answers. */
export type CallHandlers<Table extends CallTable> = {
  readonly [Name in keyof Table]: (args: Table[Name]['args'], signal: AbortSignal) => Promise<Table[Name]['result']>;
};

/** Calls to the other side of a port. */
export interface PortCalls<Table extends CallTable> {
  /** Rejects when the other side throws or is gone. An abort is told to the other side, which then answers soon. */
  call<Name extends keyof Table & string>(name: Name, args: Table[Name]['args'], signal?: AbortSignal): Promise<Table[Name]['result']>;
  /** The other side is gone: nothing will be answered. */
  close(why: string): void;
}

/** A worker, seen from either side. */
interface Port {
  postMessage(message: OutgoingMessage): void;
  on(event: 'message', listener: (message: IncomingMessage) => void): unknown;
}
type OutgoingMessage =
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly args: unknown }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'done'; readonly id: number; readonly value: unknown }
  | { readonly type: 'threw'; readonly id: number; readonly why: string };
/** The same on arrival. Both sides are one program: what it says is of the type that the name of the call stands for. */
type IncomingMessage =
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly args: never }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'done'; readonly id: number; readonly value: never }
  | { readonly type: 'threw'; readonly id: number; readonly why: string };

interface PendingCall {
  resolve(value: never): void;
  reject(error: Error): void;
}

export function openPortCalls<Theirs extends CallTable, Ours extends CallTable>(port: Port, ours: CallHandlers<Ours>): PortCalls<Theirs> {
  const handlers = new Map<string, (args: never, signal: AbortSignal) => Promise<unknown>>(Object.entries(ours));
  const pending = new Map<number, PendingCall>();
  const answering = new Map<number, AbortController>();
  let [count, gone]: [number, string?] = [0];

  const answer = async (id: number, name: string, args: never): Promise<void> => {
    const abort = new AbortController();
    answering.set(id, abort);
    try {
      const value = await handlers.get(name)?.(args, abort.signal);
      port.postMessage({ type: 'done', id, value });
    } catch (error) {
      port.postMessage({ type: 'threw', id, why: toErrorMessage(error) });
    } finally {
      answering.delete(id);
    }
  };
  port.on('message', (message) => {
    if (message.type === 'call') void answer(message.id, message.name, message.args);
    else if (message.type === 'abort') answering.get(message.id)?.abort();
    else if (message.type === 'done') pending.get(message.id)?.resolve(message.value);
    else pending.get(message.id)?.reject(new Error(message.why));
  });
  return {
    call: (name, args, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Theirs[typeof name]['result']>();
      const id = ++count;
      if (gone !== undefined) reject(new Error(gone));
      else {
        pending.set(id, { resolve, reject });
        try {
          port.postMessage({ type: 'call', id, name, args });
        } catch (error) {
          // No plain data.
          reject(error);
        }
      }
      const onAbort = () => port.postMessage({ type: 'abort', id });
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
      return promise.finally(() => {
        pending.delete(id);
        signal?.removeEventListener('abort', onAbort);
      });
    },
    close: (why) => {
      gone ??= why;
      for (const call of pending.values()) call.reject(new Error(gone));
    },
  };
}
