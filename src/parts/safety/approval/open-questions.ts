import { readFileSync } from 'node:fs';
import { withFileLock } from '../../../base/file-lock.ts';
import { randomHex } from '../../../base/ids.ts';
import { isObject, parseJson } from '../../../base/json.ts';
import { replaceFile } from '../../../base/replace-file.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import { joinReadFiles } from './grant-scopes.ts';

/** A question that waits for its answer, or that nobody answered in time. It can be allowed by its id, and then once. */
export interface OpenQuestion {
  readonly id: string;
  readonly at: number;
  readonly action: ApprovalRequest;
  readonly state: 'open' | 'allowed' | 'denied' | 'used';
  readonly decidedAt?: number;
}

/** Questions that outlive the process that asked. Every change happens under one lock, so a consent is used by one call only. */
export interface OpenQuestions {
  list(): readonly OpenQuestion[];
  /** A question that outlives its process is there by its id from the moment it is asked. */
  begin(action: ApprovalRequest): Promise<void>;
  /** It was answered where it was asked, or nobody wants to know any more: it is no longer there. */
  end(action: ApprovalRequest): Promise<void>;
  /** The same act asked again is the same question, and what was denied stays denied. */
  keep(action: ApprovalRequest): Promise<OpenQuestion>;
  /** `undefined` when there is no open question of that id. */
  decide(id: string, state: 'allowed' | 'denied'): Promise<OpenQuestion | undefined>;
  /** Takes the consent for exactly this act, if there is one. Afterwards there is none. */
  use(action: ApprovalRequest): Promise<OpenQuestion | undefined>;
}

/** More than anybody will look through; the oldest go first. */
const MOST = 200;

export function openQuestions(path: string, { keepMs, now }: { readonly keepMs: number; readonly now: () => number }): OpenQuestions {
  const read = () => rowsOf(path).filter(({ at }) => now() - at < keepMs);
  const change = <Value>(work: (rows: OpenQuestion[]) => { readonly rows: readonly OpenQuestion[]; readonly value: Value }) =>
    withFileLock(path, () => {
      const { rows, value } = work(read());
      replaceFile(path, `${JSON.stringify(rows.slice(-MOST), undefined, 2)}\n`, 0o600);
      return value;
    });
  const opened = (id: string, action: ApprovalRequest): OpenQuestion => ({ id, at: now(), action, state: 'open' });
  return {
    list: read,
    begin: async (action) => {
      const { questionId: id } = action;
      if (id === undefined) return;
      await change((rows) => ({ rows: rows.some((row) => row.id === id) ? rows : [...rows, opened(id, action)], value: undefined }));
    },
    end: async ({ questionId: id }) => {
      if (id !== undefined) await change((rows) => ({ rows: rows.filter((row) => row.id !== id), value: undefined }));
    },
    keep: (action) =>
      change((rows) => {
        const undecided = rows.filter(({ state }) => state === 'open' || state === 'denied');
        const there = undecided.find(({ id }) => id === action.questionId) ?? undecided.find((row) => isSame(row.action, action));
        const kept = there ?? opened(action.questionId ?? randomHex(8), action);
        return { rows: there === undefined ? [...rows, kept] : rows, value: kept };
      }),
    decide: (id, state) =>
      change((rows) => {
        const found = rows.find((row) => row.state === 'open' && row.id === id);
        const decided = found === undefined ? undefined : { ...found, state, decidedAt: now() };
        return { rows: replaced(rows, decided), value: decided };
      }),
    // Most questions were never asked before: no lock is taken for them.
    use: async (action) =>
      read().some((row) => isUsable(row, action))
        ? change((rows) => {
            const found = rows.find((row) => isUsable(row, action));
            const used = found === undefined ? undefined : { ...found, state: 'used' as const };
            return { rows: replaced(rows, used), value: used };
          })
        : undefined,
  };
}

const isUsable = (row: OpenQuestion, action: ApprovalRequest): boolean => row.state === 'allowed' && isSame(row.action, action);

const replaced = (rows: readonly OpenQuestion[], changed: OpenQuestion | undefined): readonly OpenQuestion[] =>
  changed === undefined ? rows : rows.map((row) => (row.id === changed.id ? changed : row));

/** The same words by the same tool in the same place of the same session, and all that they would set going: the same dangers, the same files. */
const isSame = (one: ApprovalRequest, other: ApprovalRequest): boolean =>
  one.tool === other.tool &&
  one.summary === other.summary &&
  one.cwd === other.cwd &&
  one.sessionId === other.sessionId &&
  one.key === other.key &&
  joinReadFiles(one.read) === joinReadFiles(other.read);

/** A file that cannot be read holds no consent. */
function rowsOf(path: string): OpenQuestion[] {
  let value: unknown;
  try {
    value = parseJson(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
  return Array.isArray(value) ? value.filter(isRow) : [];
}

const isRow = (value: unknown): value is OpenQuestion =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  typeof value['at'] === 'number' &&
  typeof value['state'] === 'string' &&
  isAction(value['action']);
const isAction = (value: unknown): boolean =>
  isObject(value) && ['tool', 'summary', 'reason'].every((key) => typeof value[key] === 'string') && isFiles(value['read']);
const isFiles = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.every((each) => isObject(each) && typeof each['path'] === 'string' && typeof each['hash'] === 'string'));
