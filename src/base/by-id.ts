import { UsageError } from './errors.ts';
import { toVisibleLine } from './visible.ts';

export interface IdWords {
  /** What is looked for: `question that waits for an answer`. */
  readonly what: string;
  /** The command that shows what there is. */
  readonly shownBy: string;
}

/** Fewer digits of an id are sooner a slip, or a variable that was empty, than a choice. */
const LEAST = 4;
const NAMED = 5;

/**
 * The one that is meant by an id or by the beginning of one; a row may go by other names beside its id, which comes first.
 * Whatever leaves a doubt is a usage error that says so.
 */
export function resolveById<Row>(ref: string, rows: readonly Row[], namesOf: (row: Row) => IdNames, { what, shownBy }: IdWords): Row {
  if (ref === '') throw new UsageError(`the id is empty. To list the ids: ${shownBy}`);
  // Another's second name must not stand in the way of an id.
  const itself = rows.filter((row) => namesOf(row)[0] === ref);
  const exact = itself.length > 0 ? itself : rows.filter((row) => namesOf(row).includes(ref));
  if (exact.length === 0 && ref.replace(/^[a-z]_/, '').length < LEAST)
    throw new UsageError(`${toVisibleLine(ref)} is too short: type at least ${LEAST} characters of the id. To list them: ${shownBy}`);
  const found = exact.length > 0 ? exact : rows.filter((row) => namesOf(row).some((name) => name.startsWith(ref)));
  const [one, ...others] = found;
  if (one === undefined) throw new UsageError(`there is no ${what} with the id ${toVisibleLine(ref)}. To list them: ${shownBy}`);
  if (others.length > 0)
    throw new UsageError(`${toVisibleLine(ref)} could be ${listed(found.map((row) => namesOf(row)[0]))}: type more of the id.`);
  return one;
}
type IdNames = readonly [id: string, ...others: string[]];

const listed = (ids: readonly string[]): string =>
  ids.length <= NAMED ? ids.join(' or ') : `${ids.slice(0, NAMED).join(', ')} or ${ids.length - NAMED} others`;
