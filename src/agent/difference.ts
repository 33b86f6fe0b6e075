interface NamedItem {
  readonly name: string;
}

/** What two lists of named things have not in common, in words. */
export function describeDifference(before: readonly NamedItem[], after: readonly NamedItem[]): string | undefined {
  const [old, fresh] = [byName(before), byName(after)];
  const added = [...fresh.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !fresh.has(name));
  const changed = [...fresh].flatMap(([name, bytes]) => (old.has(name) && old.get(name) !== bytes ? [name] : []));
  const told = [['added', added] as const, ['removed', removed] as const, ['changed', changed] as const].filter(
    ([, names]) => names.length > 0,
  );
  if (told.length > 0) return told.map(([what, names]) => `${what} ${names.join(', ')}`).join('; ');
  return [...old.keys()].join() === [...fresh.keys()].join() ? undefined : 'their order';
}
const byName = (list: readonly NamedItem[]): Map<string, string> => new Map(list.map((item) => [item.name, JSON.stringify(item)]));
