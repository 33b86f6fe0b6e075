import type { Db } from './database/db.ts';
import { isSchemaPartMissing } from './database/errors.ts';
import { findMissingSchema } from './shape.ts';
import { clearIndex } from './search/catch-up.ts';

/** Work on the index. Where a part of the index is gone, it is made anew, that is told, and the work is done again. */
export async function withIndexRepair<Result>(db: Db, notice: (words: string) => void, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isSchemaPartMissing(error)) throw error;
    const lacking = await db.write('make the search index anew', () => remake(db)).catch(() => undefined);
    if (lacking === undefined) throw error;
    if (lacking.length > 0) notice(`The search index was incomplete and was rebuilt. ${lacking.join(' ')}`);
    return work();
  }
}

/** What was missing, maybe nothing any more; `undefined` where the log itself is not whole, which only `repair` may touch. */
function remake(db: Db): readonly string[] | undefined {
  const { log, index } = findMissingSchema(db);
  if (log.length > 0) return undefined;
  if (index.length > 0) clearIndex(db);
  return index;
}
