import { existsSync, readFileSync, rmSync } from 'node:fs';
import { withFileLock } from '../../../base/file-lock.ts';
import { randomHex } from '../../../base/ids.ts';
import { isObject, parseJson } from '../../../base/json.ts';
import { lazy } from '../../../base/lazy.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import type { NewQuestion, QuestionStore, StoredQuestion } from '../../../contracts/question-store.ts';
import { joinReadFiles } from './grant-scopes.ts';

/** Questions that outlive the process that asked: each waits for its answer, or nobody answered it in time. One that is allowed by its id is allowed once. */
export interface OpenQuestions {
  list(): Promise<readonly StoredQuestion[]>;
  /** A question that outlives its process is there by its id from the moment it is asked. */
  begin(action: ApprovalRequest): Promise<void>;
  /** It was answered where it was asked, or nobody wants to know any more: it is no longer there. */
  end(action: ApprovalRequest): Promise<void>;
  /** The same act asked again is the same question, and what was denied stays denied. */
  keep(action: ApprovalRequest): Promise<StoredQuestion>;
  /** `undefined` when there is no open question of that id. */
  decide(id: string, state: 'allowed' | 'denied'): Promise<StoredQuestion | undefined>;
  /** Takes the consent for exactly this act, if there is one. Afterwards there is none. */
  use(action: ApprovalRequest): Promise<StoredQuestion | undefined>;
}

export interface OpenQuestionsOptions {
  readonly keepMs: number;
  /** Where earlier versions kept them; taken over once. */
  readonly formerFile?: string;
}

export function openQuestions(store: QuestionStore, { keepMs, formerFile }: OpenQuestionsOptions): OpenQuestions {
  const ready = lazy(async (): Promise<QuestionStore> => {
    if (formerFile !== undefined && existsSync(formerFile)) await takeOver(formerFile, store);
    return store;
  });
  return {
    list: async () => (await ready()).list(keepMs),
    begin: async (action) => {
      if (action.questionId !== undefined) await (await ready()).begin(toNew(action));
    },
    end: async ({ questionId: id }) => {
      if (id !== undefined) await (await ready()).end(id);
    },
    keep: async (action) => (await ready()).keep(toNew(action), keepMs),
    decide: async (id, state) => (await ready()).decide(id, state, keepMs),
    use: async (action) => (await ready()).use(nameAct(action), keepMs),
  };
}

const toNew = (action: ApprovalRequest): NewQuestion => ({ id: action.questionId ?? randomHex(8), act: nameAct(action), action });

/** The same words by the same tool in the same place of the same session, and all that they would set going: the same dangers, the same files. */
const nameAct = ({ tool, summary, cwd = '', sessionId = '', key = '', read }: ApprovalRequest): string =>
  JSON.stringify([tool, summary, cwd, sessionId, key, joinReadFiles(read)]);

/** The file goes once its rows are kept: whoever dies between does it again, and what is known stays as it is. */
const takeOver = (path: string, store: QuestionStore): Promise<void> =>
  withFileLock(path, async () => {
    await store.adopt(rowsOf(path).map((row) => ({ ...row, act: nameAct(row.action) })));
    rmSync(path, { force: true });
  });

/** A file that cannot be read holds no consent. */
function rowsOf(path: string): StoredQuestion[] {
  let value: unknown;
  try {
    value = parseJson(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
  return Array.isArray(value) ? value.filter(isRow) : [];
}

const isRow = (value: unknown): value is StoredQuestion =>
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
