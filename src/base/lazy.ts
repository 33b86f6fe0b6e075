/** Makes a value when it is first asked for, and only once. */
export function lazy<Value, Args extends readonly unknown[] = []>(make: (...args: Args) => Value): (...args: Args) => Value {
  let made: { readonly value: Value } | undefined;
  return (...args) => (made ??= { value: make(...args) }).value;
}

/** The same for each key. */
export function lazyByKey<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
