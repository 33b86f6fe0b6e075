import { StoreError } from '../../../../contracts/session-store.ts';

/** What the store itself wrote. Text that no longer parses was damaged on the disk where SQLite cannot see it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the border where stored JSON gets its type
export function fromJson<Value>(json: string, what: string): Value {
  try {
    const value: Value = JSON.parse(json);
    return value;
  } catch (error) {
    throw createDamagedError(what, error);
  }
}

export const createDamagedError = (what: string, cause?: unknown): StoreError =>
  new StoreError('corrupt', `Could not read ${what}: its stored text is damaged. To repair the store: hermes sessions repair`, cause);
