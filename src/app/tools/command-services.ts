import { delimiter, isAbsolute } from 'node:path';
import type { CommandVerdict, JudgeCommand } from '../../contracts/safety.ts';
import { hasLocalFiles, isWalled, type Terminal } from '../../contracts/terminal.ts';
import { createConsentJudge } from '../../parts/safety/judge/consent-judge.ts';
import { createOutsideJudge } from '../../parts/safety/judge/outside-judge.ts';
import { createProgramSettings } from '../../parts/safety/judge/program-settings.ts';
import { withoutNeedlessQuestions } from '../../parts/safety/judge/harmless.ts';
import { createCommandJudge, judgeWrites } from '../../parts/safety/judge/judge.ts';
import { createProcessTable, type Processes } from '../../parts/tools/builtin/terminal/processes.ts';
import type { HomeParts } from './home-parts.ts';
import { createNotify, createSurvivors } from './processes.ts';
import { createEnvFileMask } from './workspace-secrets.ts';

/** What running a command needs besides a terminal. Loaded with the first call that runs one: many sessions never do. */
export interface CommandServices {
  readonly judge: JudgeCommand;
  /** The same for a command that is to run outside the wall. */
  readonly judgeOutside: JudgeCommand;
  /** Where a file tool would write is judged as a command's output would be. */
  readonly judgeWrite: (path: string, cwd: string) => CommandVerdict;
  readonly processes: Processes;
}

/** The folder the session began in is its own, wherever the shell has gone. */
export function openCommandServices(parts: HomeParts, cwd: string, terminal: Pick<Terminal, 'kind' | 'files' | 'wall'>): CommandServices {
  const { config, env, home, post, processes, secrets } = parts;
  const { kind, files } = terminal;
  const judging = {
    kind,
    workspace: cwd,
    profile: home.root,
    walled: isWalled(terminal),
    programFolders: hasLocalFiles(kind) ? listProgramFolders() : [],
  };
  const settings = createProgramSettings(env);
  const outside = { ...judging, walled: false, settings };
  return {
    judge: createConsentJudge(withoutNeedlessQuestions(createCommandJudge(config.settings, judging), kind), {
      ...judging,
      settings,
      ...(secrets !== undefined && { masks: createEnvFileMask(secrets) }),
      ...(config.settings['checkpoints.enabled'] && { maxKeptBytes: config.settings['checkpoints.max_file_size_mb'] * 1024 * 1024 }),
    }),
    judgeOutside: createOutsideJudge(
      createConsentJudge(createCommandJudge(config.settings, outside), outside),
      (env['PATH'] ?? '').split(delimiter),
      settings,
    ),
    judgeWrite: judgeWrites(config.settings, judging, files),
    processes: createProcessTable(
      post === undefined || processes === undefined
        ? {}
        : { notify: createNotify(post), survivors: createSurvivors({ ...parts, processes }) },
    ),
  };
}

const listProgramFolders = (): readonly string[] => (process.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
