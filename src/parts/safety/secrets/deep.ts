export type RedactText = (text: string) => string;

/** Every text in a plain value redacted, keys included. What holds no secret comes back as the very same value. */
export const redactDeep = <Value>(value: Value, redact: RedactText): Value =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts stay texts and nothing else changes
  deep(value, redact) as Value;

function deep(value: unknown, redact: RedactText): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null || isPicture(value)) return value;
  if (Array.isArray(value)) return inArray(value, redact);
  return inObject(value, redact);
}

/** A picture or an attached file is bytes of its owner's choice: a placeholder inside would only break it. */
const isPicture = (value: object): boolean => 'type' in value && (value.type === 'image' || value.type === 'file') && 'data' in value;

/** Nothing is copied as long as nothing changes: this looks at every entry of a log, and at every event. */
function inArray(value: readonly unknown[], redact: RedactText): readonly unknown[] {
  let changed: unknown[] | undefined;
  value.forEach((each, index) => {
    const clean = deep(each, redact);
    if (clean !== each) (changed ??= [...value])[index] = clean;
  });
  return changed ?? value;
}

function inObject(value: object, redact: RedactText): object {
  const keys = Object.keys(value);
  const members: readonly unknown[] = Object.values(value);
  const clean = inArray(members, redact);
  if (clean === members && keys.every((key) => redact(key) === key)) return value;
  return Object.fromEntries(keys.map((key, index) => [redact(key), clean[index]]));
}
