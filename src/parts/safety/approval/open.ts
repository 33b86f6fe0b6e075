import { homedir } from 'node:os';
import { join } from 'node:path';
import { lazy } from '../../../base/lazy.ts';
import { resolveProfileRoot } from '../../../base/profile.ts';
import { realPath } from '../../../base/real-path.ts';
import { isWithin } from '../../../base/within.ts';
import type { Ports } from '../../../contracts/ports.ts';
import type { QuestionStore } from '../../../contracts/question-store.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { ApprovalRequest, Approver, ApprovalVerdict } from '../../../contracts/consent.ts';
import { createApproval } from './approval.ts';
import { openGrants } from './grants.ts';
import { openQuestions, type OpenQuestions } from './open-questions.ts';
import { createReviewer } from './reviewer.ts';
import type { approvalSettings } from './settings.ts';
import { REFUSALS } from './words.ts';

type ApprovalSettings = SliceValues<typeof approvalSettings>;

/** What the owner allowed for good. */
export interface GrantList {
  read(): Promise<readonly string[]>;
  add(entries: readonly string[]): Promise<void>;
}
export interface OpenApprovalOptions {
  /** The agent's own folder. */
  readonly profile: string;
  readonly settings: ApprovalSettings;
  readonly ports: Ports;
  readonly allowList: GrantList;
  /** The folder of the session, and whether a folder may be trusted as a whole. */
  readonly workspace?: string;
  canTrust?(folder: string): boolean;
  /** Keeps questions and answers; absent where no store is open. */
  readonly questions?: QuestionStore;
  /** Who allowed everything above the floor in advance; absent when nobody did. */
  readonly allowAll?: string;
  /** What may not stand in a question. */
  readonly redact?: (text: string) => string;
  /** Whether this process was started by a command of an agent: then nobody decides. */
  isBelowCommand(): Promise<boolean>;
}

/** Who decides in this run, and what was allowed before it. */
export function openApproval(options: OpenApprovalOptions): Approver {
  const ours = lazy(() => ownersApproval(options));
  const { redact = (text: string) => text } = options;
  // A question is shown, kept and put to a reviewing model.
  const redacted = (action: ApprovalRequest): ApprovalRequest => ({
    ...action,
    summary: redact(action.summary),
    reason: redact(action.reason),
  });
  const below = async (): Promise<ApprovalVerdict | undefined> =>
    (await options.isBelowCommand()) ? { allow: false, by: 'policy', reason: REFUSALS.below } : undefined;
  return {
    known: async (action) => (await below()) ?? (await ours().known?.(redacted(action))),
    ask: async (action, signal) => (await below()) ?? (await ours().ask(redacted(action), signal)),
  };
}

function ownersApproval(options: OpenApprovalOptions): Approver {
  const { profile, settings, ports, allowList, questions, workspace, canTrust, allowAll = modeOff(settings) } = options;
  return createApproval({
    ...(allowAll !== undefined && { allowAll }),
    grants: openGrants({
      lasting: () => allowList.read(),
      isOwn: ownPlaces(profile),
      ...(workspace !== undefined && { workspace }),
      ...(canTrust !== undefined && { canTrust }),
      ...(questions !== undefined && { store: questions }),
    }),
    open: questions === undefined ? NO_QUESTIONS : openHomeQuestions(questions, profile, settings),
    ...(ports.clarify !== undefined && { ask: ports.clarify }),
    ...(settings['approvals.mode'] === 'smart' &&
      ports.complete !== undefined && { reviewer: createReviewer(ports.complete, settings['approvals.smart_policy']) }),
    timeoutMs: settings['approvals.timeout'] * 1000,
    breaker: settings['approvals.denial_breaker_threshold'],
    allowAlways: (entries) => allowList.add(entries),
  });
}

const modeOff = (settings: ApprovalSettings): string | undefined =>
  settings['approvals.mode'] === 'off' ? 'approvals.mode: off' : undefined;

/** The agent's own folder, by the names it has, and the one it would have elsewhere. */
function ownPlaces(profile: string): (path: string) => boolean {
  const folders = [
    ...new Set([profile, resolveProfileRoot(profile), join(homedir(), '.hermes')].flatMap((path) => [path, realPath(path) ?? path])),
  ];
  return (path) => folders.some((folder) => isWithin(folder, path));
}

export const openHomeQuestions = (store: QuestionStore, profile: string, settings: ApprovalSettings): OpenQuestions =>
  openQuestions(store, { keepMs: settings['approvals.keep_hours'] * 3_600_000, formerFile: join(profile, 'approvals.json') });

const noStore = (): Promise<never> => Promise.reject(new Error('no store is open here'));
/** Where no store is open a question nobody answers is a no, and nothing is kept of it. */
const NO_QUESTIONS: OpenQuestions = {
  list: async () => [],
  begin: noStore,
  end: noStore,
  keep: noStore,
  decide: noStore,
  use: noStore,
};
