/** Something that takes up work by itself until it is closed. */
export interface Running extends AsyncDisposable {
  /** How much is at work. */
  readonly running: number;
  /** Begins nothing new and waits for what runs, at most so long. */
  drain(ms: number): Promise<void>;
}

/** The first, with another that is counted, drained and closed with it. The other one closes first. */
export function runBeside<Main extends Running>(main: Main, beside: Running): Main {
  const joined: Running = {
    get running() {
      return main.running + beside.running;
    },
    drain: async (ms) => void (await Promise.all([main.drain(ms), beside.drain(ms)])),
    [Symbol.asyncDispose]: async () => {
      await using _main = main;
      await beside[Symbol.asyncDispose]();
    },
  };
  // By their descriptors: what a getter tells changes later on.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every member of the first, three of them replaced
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(main), ...Object.getOwnPropertyDescriptors(joined) }) as Main;
}
