import { join } from 'node:path';
import type { Home } from '../base/home.ts';
import { systemClock } from '../base/clock.ts';
import type { Ports } from '../contracts/ports.ts';
import type { Approval } from '../contracts/tool.ts';
import { createApproval } from '../parts/safety/approval/approval.ts';
import { grants } from '../parts/safety/approval/grants.ts';
import { openQuestions, type OpenQuestions } from '../parts/safety/approval/open-questions.ts';
import { reviewer } from '../parts/safety/approval/reviewer.ts';
import type { Env } from './config.ts';
import type { Settings } from './settings.ts';

export interface ApprovalScene {
  readonly flags: { readonly yolo?: boolean };
  readonly env: Env;
  readonly home: Home;
  readonly settings: Settings;
  readonly ports: Ports;
}

/** Who decides in this run, and what was allowed before it. */
export function approvalFor({ flags, env, home, settings, ports }: ApprovalScene): Approval {
  const lasting = [...settings.command_allowlist];
  const allowAll = allowedInAdvance(flags, env, settings);
  return createApproval({
    ...(allowAll !== undefined && { allowAll }),
    grants: grants(() => lasting),
    open: openQuestionsOf(home, settings),
    ...(ports.clarify !== undefined && { ask: ports.clarify }),
    ...(settings['approvals.mode'] === 'smart' &&
      ports.complete !== undefined && { reviewer: reviewer(ports.complete, settings['approvals.smart_policy']) }),
    timeoutMs: settings['approvals.timeout'] * 1000,
    breaker: settings['approvals.denial_breaker_threshold'],
    allowAlways: async (classes) => {
      const { addToList } = await import('./setting-lists.ts');
      lasting.push(...classes);
      await addToList(home.config, 'command_allowlist', classes);
    },
  });
}

/** The owner's word for everything above the floor, if it was given. The variable is read once, at the start. */
function allowedInAdvance(flags: { readonly yolo?: boolean }, env: Env, settings: Settings): string | undefined {
  if (flags.yolo === true) return '--yolo';
  if (/^(?:1|true|yes|on)$/i.test(env['HERMES_YOLO_MODE'] ?? '')) return 'HERMES_YOLO_MODE';
  return settings['approvals.mode'] === 'off' ? 'approvals.mode: off' : undefined;
}

export const openQuestionsOf = (home: Home, settings: Settings): OpenQuestions =>
  openQuestions(join(home.root, 'approvals.json'), {
    keepMs: settings['approvals.keep_hours'] * 3_600_000,
    now: () => systemClock.now(),
  });
