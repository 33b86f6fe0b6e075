import type { CommandVerdict, JudgeCommand } from '../contracts/safety.ts';
import type { Terminal } from '../contracts/terminal.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import { processTable, type Processes } from '../parts/tools/builtin/processes.ts';
import type { Home } from '../base/home.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { Config, Env } from './config.ts';
import { consentJudge } from './consent-judge.ts';
import { judgeFor, judgeWrites, type Ground } from './judge.ts';
import { notifyBy, survivorsOf } from './processes.ts';

/** What running a command needs besides a terminal. Loaded with the first call that runs one: many sessions never do. */
export interface Workbench {
  readonly judge: JudgeCommand;
  /** Where a file tool would write is judged as a command's output would be. */
  readonly judgeWrite: (path: string, cwd: string) => CommandVerdict;
  readonly processes: Processes;
}
export interface WorkbenchQuestion {
  readonly cwd: string;
  readonly home: Home;
  readonly config: Config;
  readonly secrets?: Secrets;
  readonly env?: Env;
  /** Leaves a text for a session; absent where no store is open. */
  readonly post?: SessionStore['post'];
}

export const openWorkbench = (question: WorkbenchQuestion, terminal: Pick<Terminal, 'kind' | 'files'>): Workbench => ({
  judge: consentJudge(judgeFor(question.config.settings, groundOf(question, terminal)), groundOf(question, terminal)),
  judgeWrite: judgeWrites(question.config.settings, groundOf(question, terminal), terminal.files),
  processes: processTable(question.post === undefined ? {} : { notify: notifyBy(question.post), survivors: survivorsOf(question) }),
});

/** The folder the session began in is its own, wherever the shell has gone. */
const groundOf = ({ cwd, home }: WorkbenchQuestion, { kind }: Pick<Terminal, 'kind'>): Ground => ({
  kind,
  workspace: cwd,
  profile: home.root,
});
