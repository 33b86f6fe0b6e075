import type { CommandVerdict, JudgeCommand } from '../../contracts/safety.ts';
import { isWalled, type Terminal } from '../../contracts/terminal.ts';
import { createConsentJudge } from '../../parts/safety/judge/consent-judge.ts';
import { withoutNeedlessQuestions } from '../../parts/safety/judge/harmless.ts';
import { createCommandJudge, judgeWrites } from '../../parts/safety/judge/judge.ts';
import { createProcessTable, type Processes } from '../../parts/tools/builtin/terminal/processes.ts';
import type { HomeParts } from './home-parts.ts';
import { createNotify, createSurvivors } from './processes.ts';

/** What running a command needs besides a terminal. Loaded with the first call that runs one: many sessions never do. */
export interface CommandServices {
  readonly judge: JudgeCommand;
  /** Where a file tool would write is judged as a command's output would be. */
  readonly judgeWrite: (path: string, cwd: string) => CommandVerdict;
  readonly processes: Processes;
}

/** The folder the session began in is its own, wherever the shell has gone. */
export function openCommandServices(parts: HomeParts, cwd: string, terminal: Pick<Terminal, 'kind' | 'files' | 'wall'>): CommandServices {
  const { config, home, post } = parts;
  const { kind, files } = terminal;
  const judging = { kind, workspace: cwd, profile: home.root, walled: isWalled(terminal) };
  return {
    judge: createConsentJudge(withoutNeedlessQuestions(createCommandJudge(config.settings, judging), kind), {
      ...judging,
      ...(config.settings['checkpoints.enabled'] && { maxKeptBytes: config.settings['checkpoints.max_file_size_mb'] * 1024 * 1024 }),
    }),
    judgeWrite: judgeWrites(config.settings, judging, files),
    processes: createProcessTable(post === undefined ? {} : { notify: createNotify(post), survivors: createSurvivors(parts) }),
  };
}
