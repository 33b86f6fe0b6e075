import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing, toErrorMessage } from '../../base/errors.ts';
import { withFileLock } from '../../base/file-lock.ts';
import { isObject, parseJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { readEntry, type WebhookEntries, type WebhookRoute, type WebhookTarget } from './entries.ts';

/** Routes and targets that were added by command, by name. It holds their secrets: nobody but the owner may read it. */
const SUBSCRIPTIONS_FILE = 'webhook_subscriptions.json';
const resolveFile = (folder: string): string => join(folder, SUBSCRIPTIONS_FILE);

export interface Subscriptions extends WebhookEntries {
  readonly problems: readonly string[];
}

/** What the file says now. An entry that cannot be used is told and left out; the others are there. */
export function readSubscriptions(folder: string, usualSecret: string): Subscriptions {
  const routes = new Map<string, WebhookRoute>();
  const targets = new Map<string, WebhookTarget>();
  const { entries, problems } = readTable(folder);
  const found = [...problems];
  for (const [name, entry] of Object.entries(entries)) {
    const read = readEntry(name, isObject(entry) ? entry : {}, usualSecret);
    if (read.type === 'route') routes.set(name, read.route);
    else if (read.type === 'target') targets.set(name, read.target);
    else found.push(`${SUBSCRIPTIONS_FILE}: ${read.why}`);
  }
  return { routes, targets, problems: found };
}

function readTable(folder: string): { readonly entries: JsonObject; readonly problems: readonly string[] } {
  const file = resolveFile(folder);
  try {
    const entries = parseJson(readFileSync(file, 'utf8'));
    return isObject(entries)
      ? { entries, problems: [] }
      : { entries: {}, problems: [`${file} is not a JSON object, so nothing in it counts.`] };
  } catch (error) {
    return isMissing(error)
      ? { entries: {}, problems: [] }
      : { entries: {}, problems: [`${file} could not be read: ${toErrorMessage(error)}`] };
  }
}

/** Changes the file, as one among several who may. A file that cannot be read is left as it is. */
export const changeSubscriptions = (folder: string, change: (entries: JsonObject) => JsonObject): Promise<void> =>
  withFileLock(resolveFile(folder), () => {
    const { entries, problems } = readTable(folder);
    if (problems.length > 0) throw new Error(problems.join(' '));
    replaceFile(resolveFile(folder), `${JSON.stringify(change(entries), undefined, 2)}\n`, 0o600);
  });

/** Settings and file together, read again when the file has changed. What the settings name wins. */
export function followEntries(
  own: WebhookEntries & { readonly secret: string },
  folder: string | undefined,
  tell: (problem: string) => void,
): () => WebhookEntries {
  if (folder === undefined) return () => own;
  let [stamp, kept]: [string?, WebhookEntries?] = [];
  return () => {
    const now = stampOf(folder);
    if (kept !== undefined && now === stamp) return kept;
    const { routes, targets, problems } = readSubscriptions(folder, own.secret);
    problems.forEach(tell);
    stamp = now;
    kept = { routes: new Map([...routes, ...own.routes]), targets: new Map([...targets, ...own.targets]) };
    return kept;
  };
}

/** Equal as long as nobody has written it. */
function stampOf(folder: string): string {
  const stats = statSync(resolveFile(folder), { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? '' : [stats.ino, stats.mtimeNs, stats.ctimeNs, stats.size].join(' ');
}
