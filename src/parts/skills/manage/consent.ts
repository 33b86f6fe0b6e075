import { formatFingerprint } from '../../../base/brief.ts';
import { takeStart } from '../../../base/text.ts';
import type { ApprovalRequest } from '../../../contracts/consent.ts';
import { isUntouched, type AgentSkillRecord } from './provenance.ts';
import { ORIGINS, type ManageInput, type ManagePlan } from './plan.ts';

/** What the owner has to be asked; `undefined` when the agent may do it alone. */
export function findNeededConsent(
  action: ManageInput['action'],
  { skill, target, change }: ManagePlan,
  made: AgentSkillRecord | undefined,
  state: string | undefined,
): ApprovalRequest | undefined {
  if (skill === undefined || (skill.origin === 'user' && isUntouched(made, state))) return undefined;
  const verb = change === undefined ? 'Delete' : 'Change';
  const lines = [
    `${verb} the skill ${skill.name} (${action}${change === undefined ? '' : ` ${change.path}`})`,
    ...(skill.origin === 'user' ? [] : [`The change goes into a copy: ${target}`]),
    ...(change === undefined ? [`${skill.folder} is moved to .trash`] : shortDiff(change.before ?? '', change.after)),
  ];
  // What is agreed to is this change of the skill as it is now.
  const read = state === undefined ? {} : { read: [{ path: skill.folder, hash: state }] };
  return { tool: 'skill_manage', summary: lines.join('\n'), reason: reasonFor(skill.origin, made), ...read };
}

const reasonFor = (origin: keyof typeof ORIGINS, made: AgentSkillRecord | undefined): string =>
  origin !== 'user'
    ? `it is ${ORIGINS[origin]}`
    : made === undefined
      ? 'the agent did not make this skill'
      : 'the agent made this skill, and somebody changed it since';

const MAX_LINES = 12;
const MAX_LINE = 160;

/** The lines that differ between what is the same at both ends. What is too long to be shown counts by its hash. */
function shortDiff(before: string, after: string | undefined): string[] {
  if (after === undefined) return [`- the whole file, ${before.length} characters`];
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const [gone, come] = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
  const cut = [gone, come].some((lines) => lines.length > MAX_LINES || lines.some((line) => line.length > MAX_LINE));
  return [...marked('-', gone), ...marked('+', come), ...(cut ? [`… ${formatFingerprint([...gone, ...come].join('\n'))}`] : [])];
}

function marked(sign: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_LINES).map((line) => `${sign} ${headOf(line)}`);
  return lines.length > MAX_LINES ? [...shown, `${sign} … ${lines.length - MAX_LINES} more lines`] : shown;
}

function headOf(line: string): string {
  const head = takeStart(line, MAX_LINE);
  return head === line ? line : `${head}… ${line.length - head.length} more characters`;
}
