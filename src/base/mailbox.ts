/** Values pushed from callbacks, read as an async sequence until it is closed. */
export interface Mailbox<Value> extends AsyncIterable<Value> {
  push(value: Value): void;
  /** Takes out what nobody has read. */
  rest(): Value[];
  close(): void;
}

export function createMailbox<Value>(): Mailbox<Value> {
  const waiting: Value[] = [];
  let wake = Promise.withResolvers<void>();
  const state = { open: true };
  return {
    push: (value) => {
      waiting.push(value);
      wake.resolve();
    },
    rest: () => waiting.splice(0),
    close: () => {
      state.open = false;
      wake.resolve();
    },
    async *[Symbol.asyncIterator]() {
      while (state.open || waiting.length > 0) {
        await wake.promise;
        wake = Promise.withResolvers<void>();
        if (!state.open) wake.resolve();
        // One by one: what a reader who leaves has not seen stays.
        for (let next = waiting.splice(0, 1); next.length > 0; next = waiting.splice(0, 1)) yield* next;
      }
    },
  };
}
