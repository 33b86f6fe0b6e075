import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { lazy } from '../src/base/lazy.ts';
import type { QuestionStore } from '../src/contracts/question-store.ts';
import { createLazyQuestions } from '../src/parts/store/sqlite/lazy-questions.ts';
import { openSqliteStore } from '../src/parts/store/sqlite/store.ts';

/** Questions in a store of their own, which is made with the first one and goes with the test, or with the tests of the file. */
export function createFreshQuestions(now: () => number = Date.now): QuestionStore {
  const opened = new AsyncDisposableStack();
  after(() => opened.disposeAsync());
  return createLazyQuestions(
    lazy(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'hermes-questions-'));
      opened.defer(() => rmSync(folder, { recursive: true, force: true }));
      return opened.use(await openSqliteStore({ path: join(folder, 'sessions.db'), durability: 'process', now })).questions;
    }),
  );
}
