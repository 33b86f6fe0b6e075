/** Runs work that has the same key one after the other, in the order it came. What one of them throws keeps none of the others. */
export type KeyedQueue = <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>();
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work);
    const over = result.then(
      () => {},
      () => {},
    );
    last.set(key, over);
    void over.then(() => last.get(key) === over && last.delete(key));
    return result;
  };
}
