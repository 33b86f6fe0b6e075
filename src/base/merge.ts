/** Interleaves several event streams into one, in order of arrival, and returns each stream's result in source order. */
export async function* merge<Event, Result>(sources: readonly AsyncGenerator<Event, Result>[]): AsyncGenerator<Event, Result[]> {
  const results: Result[] = [];
  const next = async (index: number, source: AsyncGenerator<Event, Result>) => ({ index, source, step: await source.next() });
  const pull = (index: number, source: AsyncGenerator<Event, Result>) => {
    const pulled = next(index, source);
    // While the consumer holds an event nobody waits for this one: its failure is told by the race below, not by the process dying of it.
    pulled.catch(() => undefined);
    return pulled;
  };
  const pending = new Map(sources.map((source, index) => [index, pull(index, source)]));
  try {
    while (pending.size > 0) {
      const { index, source, step } = await Promise.race(pending.values());
      if (step.done === true) {
        results[index] = step.value;
        pending.delete(index);
        continue;
      }
      pending.set(index, pull(index, source));
      yield step.value;
    }
    return results;
  } finally {
    // A consumer that leaves early must not leave sources running behind it.
    await Promise.allSettled([...pending.keys()].map(async (index) => sources[index]?.return(UNUSED)));
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody reads what a generator that is told to leave returns
const UNUSED = undefined as never;
