import { statSync } from 'node:fs';
import { toErrorMessage } from '../../base/errors.ts';
import type { Home } from '../../base/home.ts';
import { isStoreError, type StoreError } from '../../contracts/session-store.ts';
import type { CheckupFinding, CheckupFix } from '../../contracts/services/insight.ts';
import { describeFormerStore, findStore, openHomeStore } from './home-store.ts';

/** Opens the store, lets it check itself and weighs it. A store that is not there yet is no trouble. */
export async function checkSessionStore(home: Home): Promise<CheckupFinding> {
  const finding = await checkStore(home);
  const beside = await describeFormerStore(home);
  return beside === undefined ? finding : { ...finding, cure: finding.cure === undefined ? beside : `${finding.cure} ${beside}` };
}

async function checkStore(home: Home): Promise<CheckupFinding> {
  try {
    if ((await findStore(home)) === undefined) return { name: 'store', ok: true, words: 'not created yet; the first session creates it' };
    await using store = await openHomeStore(home);
    const path = (await findStore(home)) ?? home.store;
    const [problem, ...more] = await store.care.check();
    const words = `${path}, ${megabytes(statSync(path).size)}`;
    if (problem === undefined) return { name: 'store', ok: true, words: `${words}, checked` };
    return {
      name: 'store',
      ok: false,
      words: `${words}: ${problem}${more.length === 0 ? '' : ` (and ${more.length} more)`}`,
      cure: REPAIR,
      fix: repair(path),
    };
  } catch (error) {
    // The store's own words already say what to do.
    if (isStoreError(error)) return { name: 'store', ok: false, ...describeTrouble(error, home.store) };
    return {
      name: 'store',
      ok: false,
      words: `${home.store} cannot be opened: ${toErrorMessage(error)}`,
      cure: 'Make the file readable and writable, or move it away.',
    };
  }
}

const describeTrouble = ({ message, code }: StoreError, path: string): Pick<CheckupFinding, 'words' | 'fix'> => ({
  words: message,
  ...(code === 'corrupt' && { fix: repair(path) }),
});

const repair = (target: string): CheckupFix => ({
  id: 'repair_store',
  words: 'repair the session store, as hermes sessions repair does',
  isSafe: false,
  target,
});
const REPAIR = 'To repair it: hermes sessions repair';
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;
