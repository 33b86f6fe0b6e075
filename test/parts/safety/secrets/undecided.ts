/** Methods the real thing has and its redaction knows nothing of, and the other way round. Both lists are read at run time. */
export function undecided(real: object, guarded: object): string[] {
  const [has, knows] = [Reflect.ownKeys(real), new Set(Reflect.ownKeys(guarded))];
  const open = has.filter((key) => !knows.has(key)).map((key) => `nobody decided what ${String(key)} redacts`);
  const stale = [...knows].filter((key) => !has.includes(key)).map((key) => `${String(key)} is redacted and not there any more`);
  return [...open, ...stale];
}
