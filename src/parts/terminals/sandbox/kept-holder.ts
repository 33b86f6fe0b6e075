/** What commands are started by, made anew when it is gone or must be another. */
export interface KeptHolder<Holder> {
  get(): Promise<Holder>;
  /** The one that is there and lives. */
  current(): Promise<Holder | undefined>;
}
export interface KeptHolderOptions<Holder> {
  /** Whether another is needed, with the one that lives. */
  isStale(alive: Holder | undefined): Promise<boolean>;
  start(): Promise<Holder>;
  end(holder: Holder): Promise<void> | void;
}

export function keepHolder<Holder extends { alive(): boolean }>({ isStale, start, end }: KeptHolderOptions<Holder>): KeptHolder<Holder> {
  let holder: Promise<Holder> | undefined;
  const current = async (): Promise<Holder | undefined> => {
    const found = await holder?.catch(() => undefined);
    return found?.alive() === true ? found : undefined;
  };
  return {
    current,
    get: async () => {
      const asked = holder;
      const alive = await current();
      const stale = await isStale(alive);
      // Of several that find it gone, one makes the new one. Nothing is awaited from here on until it is known to the others.
      if (holder !== asked && holder !== undefined) return holder;
      if (alive !== undefined && !stale) return alive;
      holder = (async () => {
        if (alive !== undefined) await end(alive);
        return start();
      })();
      return holder;
    },
  };
}
