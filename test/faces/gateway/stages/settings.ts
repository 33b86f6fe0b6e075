import type { JsonObject } from '../../../../src/base/json-types.ts';

/** The settings of a platform: the first account stands for itself, the others below `accounts`. Everybody known is an owner. */
export function toSettings(given: {
  readonly accounts: Readonly<Record<string, JsonObject>>;
  readonly people: readonly string[];
  readonly extra: JsonObject;
}): JsonObject {
  const people = [...new Set(given.people)];
  const [main, ...others] = Object.entries(given.accounts);
  return { ...main?.[1], allowed_users: people, owners: people, extra: given.extra, accounts: Object.fromEntries(others) };
}
