/** A copy nobody can change, down to its last field. Plain data only. */
export function frozenCopy<Value>(value: Value): Value {
  const copy = structuredClone(value);
  const left: unknown[] = [copy];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'object' && next !== null) left.push(...Object.values(Object.freeze(next)));
  }
  return copy;
}
