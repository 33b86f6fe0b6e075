import { toErrorMessage } from '../../../base/errors.ts';
import { FileLockError } from '../../../base/holder-file.ts';
import { makeFolder } from '../../../base/folders.ts';
import { readTextFile } from '../../../base/text-file.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import type { ApprovalVerdict } from '../../../contracts/consent.ts';
import { isToolFailure } from '../../../contracts/tool.ts';
import { removeAgentSkillRecord, findAgentSkillRecord, saveAgentSkillRecord } from './provenance.ts';
import { listSkillFiles, hashSkillFiles, hashSkillState } from '../view/files.ts';
import { commit, computeStateAfter } from './commit.ts';
import { findNeededConsent } from './consent.ts';
import { findSimilarSkills } from './duplicates.ts';
import { withSkillsLock } from './skill-folders.ts';
import { planChange, type ManageInput, type ManagePlan, type SkillManageDeps } from './plan.ts';
import { checkWords, refuse } from './rules.ts';

export interface SkillAuthor {
  readonly sessionId: string;
  readonly turnId: string;
  /** Foreign sources the model has in view. */
  readonly foreign: readonly string[];
  readonly signal: AbortSignal;
  approve(action: ApprovalRequest): Promise<ApprovalVerdict>;
}
/** What is on disk now. */
export interface ManageResult {
  readonly plan: ManagePlan;
  readonly copied: boolean;
  /** Where the removed thing can be found. */
  readonly trash?: string;
  readonly alike: readonly string[];
}
type ManageAttempt = { readonly done: ManageResult } | { readonly ask: ApprovalRequest; readonly state: string };

/**
 * Changes the user's skills for the agent, or throws a `ToolFailure`. The owner is asked while nothing is locked; what was
 * consented to is done only if the skill is still as it was shown.
 */
export async function manageSkill(keeping: SkillManageDeps, input: ManageInput, author: SkillAuthor): Promise<ManageResult> {
  const first = await attempt(keeping, input, author);
  if ('done' in first) return first.done;
  const verdict = await author.approve(first.ask);
  if (!verdict.allow) refuse(describeDeniedChange(input, verdict.reason));
  const second = await attempt(keeping, input, author, first.state);
  if ('done' in second) return second.done;
  return refuse(`Not done: the skill ${input.name} changed while the owner was asked. View it again and make the change anew.`);
}

/** Words for the agent when the owner did not agree. */
export const describeDeniedChange = ({ name }: ManageInput, why: string): string =>
  `Not done: the owner did not allow it (${why}). The skill ${name} is as it was; go on without the change.`;

/** What the owner would be asked about the skill as it is now; nothing is locked and nothing changed. */
export async function previewConsent(keeping: SkillManageDeps, input: ManageInput): Promise<ApprovalRequest | undefined> {
  const plan = await planChange(input, keeping);
  checkPlan(plan, keeping);
  const made = findAgentSkillRecord(keeping.userDir, plan.skill?.name ?? input.name.trim());
  return findNeededConsent(input.action, plan, made, currentState(plan));
}

async function attempt(keeping: SkillManageDeps, input: ManageInput, author: SkillAuthor, consented?: string): Promise<ManageAttempt> {
  try {
    makeFolder(keeping.userDir);
    return await withSkillsLock(keeping.userDir, () => attemptAlone(keeping, input, author, consented), { signal: author.signal });
  } catch (error) {
    if (isToolFailure(error)) throw error;
    if (error instanceof FileLockError) refuse(`The skill ${input.name} was not changed. ${error.message}`);
    return refuse(
      `The skill ${input.name} could not be written: ${toErrorMessage(error)}. The folder ${keeping.userDir} must be writable and not full.`,
    );
  }
}

async function attemptAlone(keeping: SkillManageDeps, input: ManageInput, author: SkillAuthor, consented?: string): Promise<ManageAttempt> {
  const plan = await planChange(input, keeping);
  checkPlan(plan, keeping);
  const { userDir } = keeping;
  const name = plan.skill?.name ?? input.name.trim();
  const made = findAgentSkillRecord(userDir, name);
  const state = currentState(plan);
  const ask = findNeededConsent(input.action, plan, made, state);
  // What is asked about is this change of this state; the change itself cannot differ between the two attempts.
  const asked = state ?? UNTOLD;
  if (ask !== undefined && consented !== asked) return { ask, state: asked };
  const alike = plan.skill === undefined ? await alikeTo(plan, keeping) : [];
  const isAgents = plan.skill === undefined || (plan.skill.origin === 'user' && made !== undefined);
  const after = isAgents ? computeStateAfter(plan) : undefined;
  const { sessionId, turnId, foreign } = author;
  if (after !== undefined)
    saveAgentSkillRecord(userDir, name, {
      sessionId,
      turnId,
      at: Date.now(),
      state: after,
      foreign,
      ...(state !== undefined && { before: state }),
    });
  const trash = commit(userDir, plan);
  if (plan.change === undefined) removeAgentSkillRecord(userDir, name);
  const copied = plan.skill !== undefined && plan.skill.folder !== plan.target;
  return { done: { plan, copied, alike, ...(trash !== undefined && { trash }) } };
}
/** Stands for the state of a folder too large to be hashed. */
const UNTOLD = 'untold';

/** With somebody else's skill its other files come along, so they are looked at too. */
function checkPlan({ skill, change }: ManagePlan, { scan }: SkillManageDeps): void {
  if (change?.after !== undefined) checkWords(change.path, change.after, scan);
  if (skill?.origin !== 'external' || change === undefined) return;
  for (const { path } of listSkillFiles(skill.folder).files) {
    const file = readTextFile(`${skill.folder}/${path}`, MAX_BYTES);
    if (file.ok && path !== change.path) checkWords(path, file.text, scan);
  }
}
const MAX_BYTES = 8 * 1024 * 1024;

function currentState({ skill }: ManagePlan): string | undefined {
  const hashes = skill && hashSkillFiles(skill.folder);
  return hashes && hashSkillState(hashes);
}

const alikeTo = async ({ change, description = '' }: ManagePlan, { catalog }: SkillManageDeps): Promise<readonly string[]> =>
  findSimilarSkills(change?.after ?? '', description, (await catalog.all()).skills);
