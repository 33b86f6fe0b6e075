/** Makes a value when it is first asked for, and only once. */
export function lazy<Value, Args extends readonly unknown[] = []>(make: (...args: Args) => Value): (...args: Args) => Value {
  let made: { readonly value: Value } | undefined;
  return (...args) => (made ??= { value: make(...args) }).value;
}
