import type { JudgeCommand } from '../contracts/safety.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import { processTable, type Processes } from '../parts/tools/builtin/processes.ts';
import type { Home } from '../base/home.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { Config } from './config.ts';
import { judgeFor } from './judge.ts';
import { notifyBy, survivorsOf } from './processes.ts';

/** What running a command needs besides a terminal. Loaded with the first call that runs one: many sessions never do. */
export interface Workbench {
  readonly judge: JudgeCommand;
  readonly processes: Processes;
}
export interface WorkbenchQuestion {
  readonly home: Home;
  readonly config: Config;
  readonly secrets?: Secrets;
  /** Leaves a text for a session; absent where no store is open. */
  readonly post?: SessionStore['post'];
}

export const openWorkbench = (question: WorkbenchQuestion, kind: string): Workbench => ({
  judge: judgeFor(question.config.settings, kind),
  processes: processTable(question.post === undefined ? {} : { notify: notifyBy(question.post), survivors: survivorsOf(question) }),
});
