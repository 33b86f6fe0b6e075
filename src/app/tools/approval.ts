import { statSync } from 'node:fs';
import { hasLocalFiles } from '../../contracts/terminal.ts';
import type { Ports } from '../../contracts/ports.ts';
import type { Approver } from '../../contracts/consent.ts';
import { openApproval, type GrantList } from '../../parts/safety/approval/open.ts';
import { formatTrust } from '../../parts/safety/approval/grant-scopes.ts';
import { describeUnanswered } from '../../parts/safety/approval/words.ts';
import { canTrustFolder } from '../../parts/terminals/sandbox/workspace.ts';
import { FIELDS, readConfig } from '../config/config.ts';
import type { HomeParts } from './home-parts.ts';
import type { SessionPlan } from './home-parts.ts';

/** Who decides in a session. Below a command of an agent that is nobody: home and settings may be of the agent's making there. */
export function openSessionApprover(
  { home, config, secrets, questions }: HomeParts,
  plan: Pick<SessionPlan, 'allowAll' | 'cwd' | 'notice' | 'trusts'>,
  ports: Ports,
): Approver {
  const open = (allowAll: string | undefined): Approver =>
    openApproval({
      profile: home.root,
      settings: config.settings,
      ports,
      allowList: withTrusted(allowListIn(home.config), plan.trusts),
      // Paths of another machine are none of this one.
      ...(hasLocalFiles(config.settings['terminal.backend']) && {
        workspace: plan.cwd,
        canTrust: (folder) => canTrustFolder(folder, home.root),
      }),
      isBelowCommand: async () => (await import('../../parts/terminals/below-command.ts')).isBelowCommand(),
      ...(allowAll !== undefined && { allowAll }),
      ...(questions !== undefined && { questions }),
      ...(secrets !== undefined && { redact: secrets.redact }),
    });
  // Whoever allows everything for a while decides apart: what was granted before holds again afterwards.
  const approvers = new Map<string | undefined, Approver>();
  const approver = (): Approver => {
    const found = approvers.get(plan.allowAll) ?? open(plan.allowAll);
    approvers.set(plan.allowAll, found);
    return found;
  };
  return {
    known: async (action) => approver().known?.(action),
    ask: async (action, signal) => {
      const verdict = await approver().ask(action, signal);
      // The model is told as well, but only the owner can answer.
      if (!verdict.allow && verdict.openId !== undefined)
        plan.notice(describeUnanswered(secrets?.redact(action.summary) ?? action.summary, verdict.openId, verdict.trustable));
      return verdict;
    },
  };
}

/** The list with the folders that this session alone may trust. */
const withTrusted = (list: GrantList, folders: readonly string[] = []): GrantList =>
  folders.length === 0 ? list : { ...list, read: async () => [...(await list.read()), ...folders.map(formatTrust)] };

export const ALLOW_LIST = 'command_allowlist';

/** The owner's list as the file has it now; the file is read again when it has changed. One that cannot be read allows nothing. */
function allowListIn(file: string): GrantList {
  let seen: { readonly stamp: string; readonly entries: readonly string[] } | undefined;
  return {
    read: async () => {
      const stamp = stampOf(file);
      if (seen?.stamp !== stamp) seen = { stamp, entries: await readAllowList(file) };
      return seen.entries;
    },
    add: async (entries) => {
      const { addToList } = await import('../../parts/config/setting-lists.ts');
      await addToList(FIELDS, file, ALLOW_LIST, entries);
    },
  };
}

/** A list that cannot be read is empty. */
export async function readAllowList(file: string): Promise<readonly string[]> {
  const { values, problems } = await readConfig(file, {});
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
