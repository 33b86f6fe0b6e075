import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Home } from '../base/home.ts';
import { systemClock } from '../base/clock.ts';
import { lazy } from '../base/lazy.ts';
import { realPath } from '../base/real-path.ts';
import { isWithin } from '../base/within.ts';
import type { Ports } from '../contracts/ports.ts';
import type { Action, Approval, Verdict } from '../contracts/tool.ts';
import { createApproval } from '../parts/safety/approval/approval.ts';
import { grants } from '../parts/safety/approval/grants.ts';
import { openQuestions, type OpenQuestions } from '../parts/safety/approval/open-questions.ts';
import { reviewer } from '../parts/safety/approval/reviewer.ts';
import { REFUSALS } from '../parts/safety/approval/words.ts';
import { readConfig, type Env } from './config.ts';
import type { Settings } from './settings.ts';
import { isYolo } from './yolo.ts';

export interface ApprovalScene {
  readonly flags: { readonly yolo?: boolean };
  readonly env: Env;
  readonly home: Home;
  readonly settings: Settings;
  readonly ports: Ports;
  /** What may not stand in a question. */
  readonly redact?: (text: string) => string;
}

/**
 * Who decides in this run, and what was allowed before it. Below a command of an agent that is nobody: home and settings
 * may be of the agent's making there.
 */
export function approvalFor(scene: ApprovalScene): Approval {
  const ours = lazy(() => ownersApproval(scene));
  const { redact = (text: string) => text } = scene;
  // A question is shown, kept in a file and put to a reviewing model.
  const told = (action: Action): Action => ({ ...action, summary: redact(action.summary), reason: redact(action.reason) });
  const below = async (): Promise<Verdict | undefined> =>
    (await import('./below-command.ts')).isBelowCommand() ? { allow: false, by: 'policy', reason: REFUSALS.below } : undefined;
  return {
    known: async (action) => (await below()) ?? (await ours().known?.(told(action))),
    ask: async (action, signal) => (await below()) ?? (await ours().ask(told(action), signal)),
  };
}

function ownersApproval({ flags, env, home, settings, ports }: ApprovalScene): Approval {
  const allowAll = allowedInAdvance(flags, env, settings);
  return createApproval({
    ...(allowAll !== undefined && { allowAll }),
    grants: grants({ lasting: allowListIn(home), isOwn: ownPlaces(home) }),
    open: openQuestionsOf(home, settings),
    ...(ports.clarify !== undefined && { ask: ports.clarify }),
    ...(settings['approvals.mode'] === 'smart' &&
      ports.complete !== undefined && { reviewer: reviewer(ports.complete, settings['approvals.smart_policy']) }),
    timeoutMs: settings['approvals.timeout'] * 1000,
    breaker: settings['approvals.denial_breaker_threshold'],
    allowAlways: async (entries) => {
      const { addToList } = await import('./setting-lists.ts');
      await addToList(home.config, ALLOW_LIST, entries);
    },
  });
}
const ALLOW_LIST = 'command_allowlist';

/** The owner's list as the file has it now; the file is read again when it has changed. One that cannot be read allows nothing. */
function allowListIn(home: Home): () => Promise<readonly string[]> {
  let seen: { readonly stamp: string; readonly entries: readonly string[] } | undefined;
  return async () => {
    const stamp = stampOf(home.config);
    if (seen?.stamp !== stamp) seen = { stamp, entries: await entriesIn(home.config) };
    return seen.entries;
  };
}

async function entriesIn(path: string): Promise<readonly string[]> {
  const { values, problems } = await readConfig(path, {});
  const list = values[ALLOW_LIST];
  return problems.some(({ key }) => key === '' || key === ALLOW_LIST) || !Array.isArray(list) ? [] : list.map(String);
}

/** Tells one state of a file from another. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'not there';
  }
}

/** The agent's own folder, by the names it has, and the one it would have elsewhere. */
function ownPlaces(home: Home): (path: string) => boolean {
  const folders = [...new Set([home.root, realPath(home.root) ?? home.root, join(homedir(), '.hermes')])];
  return (path) => folders.some((folder) => isWithin(folder, path));
}

/** The owner's word for everything above the floor, if it was given. The variable is read once, at the start. */
function allowedInAdvance(flags: { readonly yolo?: boolean }, env: Env, settings: Settings): string | undefined {
  if (flags.yolo === true) return '--yolo';
  if (isYolo(env)) return 'HERMES_YOLO_MODE';
  return settings['approvals.mode'] === 'off' ? 'approvals.mode: off' : undefined;
}

export const openQuestionsOf = (home: Home, settings: Settings): OpenQuestions =>
  openQuestions(join(home.root, 'approvals.json'), {
    keepMs: settings['approvals.keep_hours'] * 3_600_000,
    now: () => systemClock.now(),
  });
