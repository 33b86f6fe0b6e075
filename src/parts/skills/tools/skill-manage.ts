import { createTextBlock } from '../../../contracts/message.ts';
import type { Tool } from '../../../contracts/tool.ts';
import type { ManageResult } from '../manage/manage.ts';
import type { ManageInput, SkillManageDeps } from '../manage/plan.ts';

/** What changes skills comes with the first call. */
const loadManage = () => import('../manage/manage.ts');

const PLAIN = { type: 'string' };

export interface SkillManageToolOptions extends SkillManageDeps {
  /** Told after each change that is on disk. */
  changed?(skill: string, action: 'created' | 'changed' | 'deleted'): void;
}

export const skillManageTool = (keeping: SkillManageToolOptions): Tool<ManageInput> => ({
  name: 'skill_manage',
  description: 'Create, change or delete skills: procedures to reuse in later sessions.',
  input: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['create', 'patch', 'edit', 'delete', 'write_file', 'remove_file'] },
      name: { type: 'string', description: 'a-z 0-9 - _' },
      content: { type: 'string', description: 'create, edit: whole SKILL.md, name and description in its frontmatter' },
      category: PLAIN,
      old_string: { type: 'string', description: 'patch: must match once' },
      new_string: PLAIN,
      replace_all: { type: 'boolean' },
      file_path: { type: 'string', description: 'In references, templates, scripts, assets or examples' },
      file_content: PLAIN,
    },
    required: ['action', 'name'],
    additionalProperties: false,
  },
  effects: () => ({ kind: 'write', resources: ['skills', `path:${keeping.userDir}`] }),
  replay: 'never',
  idempotent: false,
  offTerminal: true,
  housekeeping: true,
  trust: 'tool',
  // A person may have to be asked.
  timeoutMs: 600_000,
  maxResult: 20_000,
  sink: () => 'skills',
  asks: async (input) => {
    const { previewConsent, describeDeniedChange } = await loadManage();
    const action = await previewConsent(keeping, input);
    return action && { action, refusal: (why) => describeDeniedChange(input, why) };
  },
  run: async (input, { sessionId, turnId, taint, signal, approve }) => {
    const { manageSkill } = await loadManage();
    const done = await manageSkill(keeping, input, { sessionId, turnId, foreign: taint, signal, approve });
    keeping.changed?.(input.name, input.action === 'create' ? 'created' : input.action === 'delete' ? 'deleted' : 'changed');
    return {
      content: [createTextBlock(doneWords(input, done), 'tool')],
      details: { kind: 'data', data: { action: input.action, name: input.name, folder: done.plan.target, copied: done.copied } },
    };
  },
});

function doneWords({ action, name }: ManageInput, { plan, copied, trash, alike }: ManageResult): string {
  const lines = [
    action === 'create'
      ? `Created the skill ${name} in ${plan.target}.`
      : plan.change === undefined
        ? `Deleted the skill ${name}.`
        : `${plan.change.after === undefined ? 'Removed' : 'Wrote'} ${plan.change.path} of the skill ${name}.`,
    ...(copied ? [`It is now the owner's own copy in ${plan.target}; the original stays as it was.`] : []),
    ...(trash === undefined ? [] : [`It can be found in ${trash}.`]),
    ...(alike.length === 0 ? [] : [`It says nearly the same as ${alike.join(', ')}: better patch that one and delete this.`]),
    ...(action === 'create' ? ['The list in the prompt shows it from the next session on; skill_view finds it now.'] : []),
  ];
  return lines.join('\n');
}
