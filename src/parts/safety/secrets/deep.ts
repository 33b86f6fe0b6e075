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

function inArray(value: readonly unknown[], redact: RedactText): readonly unknown[] {
  const clean = value.map((each) => deep(each, redact));
  return clean.some((each, index) => each !== value[index]) ? clean : value;
}

function inObject(value: object, redact: RedactText): object {
  let changed = false;
  const clean = Object.entries(value).map(([key, member]) => {
    const pair = [redact(key), deep(member, redact)] as const;
    changed ||= pair[0] !== key || pair[1] !== member;
    return pair;
  });
  return changed ? Object.fromEntries(clean) : value;
}
