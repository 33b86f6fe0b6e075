/**
 * A list of named things that others add to and take from.
 *
 * Promises:
 * - of several under one name the latest holds; taking one back reveals the one before it, in whatever order they are
 *   taken back, and taking back twice is taking back once;
 * - names stand in the order in which they were first added. What takes the place of another stands where that one stood;
 *   a name with nothing left is gone, and stands last when it comes again.
 */
export interface Registry<Item> {
  /** Disposing what is given takes it back. */
  add(name: string, item: Item): Disposable;
  /** Hides whatever stands under the name; disposing what is given shows it again. What is added later shows. */
  remove(name: string): Disposable;
  /** Several at once, taken back at once. */
  addAll(items: Readonly<Record<string, Item>>): Disposable;
  get(name: string): Item | undefined;
  names(): readonly string[];
  /** What stands there now. Later changes do not reach it, and it is the same map until there is one. */
  entries(): ReadonlyMap<string, Item>;
}

export function createRegistry<Item>(items: Readonly<Record<string, Item>> = {}): Registry<Item> {
  const added = new Map<string, readonly Addition<Item>[]>();
  let standing: ReadonlyMap<string, Item> | undefined;
  const put = (name: string, additions: readonly Addition<Item>[]): void => {
    standing = undefined;
    if (additions.length === 0) added.delete(name);
    else added.set(name, additions);
  };
  const lay = (name: string, addition: Addition<Item>): Disposable => {
    put(name, [...(added.get(name) ?? []), addition]);
    return {
      [Symbol.dispose]: () => {
        const additions = added.get(name) ?? [];
        if (additions.includes(addition))
          put(
            name,
            additions.filter((each) => each !== addition),
          );
      },
    };
  };
  const add = (name: string, item: Item): Disposable => lay(name, { item });
  const addAll = (more: Readonly<Record<string, Item>>): Disposable => {
    const all = Object.entries(more).map(([name, item]) => add(name, item));
    return { [Symbol.dispose]: () => all.forEach((one) => one[Symbol.dispose]()) };
  };
  const entries = (): ReadonlyMap<string, Item> => (standing ??= latestOf(added));
  addAll(items);
  return { add, remove: (name) => lay(name, {}), addAll, get: (name) => entries().get(name), names: () => [...entries().keys()], entries };
}

/** Two that add the same thing each take back their own. One without an item hides what is below it. */
interface Addition<Item> {
  readonly item?: Item;
}

function latestOf<Item>(added: ReadonlyMap<string, readonly Addition<Item>[]>): ReadonlyMap<string, Item> {
  const latest = new Map<string, Item>();
  for (const [name, additions] of added) {
    const top = additions.at(-1);
    if (top !== undefined && 'item' in top) latest.set(name, top.item);
  }
  return latest;
}
