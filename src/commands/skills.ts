import { UsageError } from '../base/errors.ts';
import { toPrintable } from '../base/printable.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { SkillResult, SkillInstallView } from '../contracts/services/skills.ts';

const FACTS = { category: 'prompt', where: ['shell'], whileBusy: 'run', needs: ['skills'] } as const;
const NAME = { kind: 'text', required: true, completes: 'skill', description: 'the name of a skill' } as const;

export const skillsList = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  slash: ['skills', 'skills list'],
  name: 'skills list',
  summary: 'List skills by category, and why hidden ones are hidden',
  json: 'one JSON array',
  examples: ['hermes skills list', "hermes skills list --json | jq -r '.[].name'"],
  run: (_values, { skills }) => skills.survey(),
  describe: ({ rows }) =>
    rows
      .filter(({ hidden }) => hidden === undefined)
      .map(({ skill }) => toVisibleLine(`/${skill.name}: ${skill.description}`))
      .join('\n') || 'No skills.',
});

export const skillsView = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'skills view',
  summary: 'Show a skill as the model sees it, or one of its files',
  arguments: { name: NAME, file: { kind: 'text', description: 'one of its files' } },
  json: 'as JSON',
  examples: ['hermes skills view code-review', 'hermes skills view code-review scripts/review-pack.sh'],
  run: async ({ name, file }, { skills }) =>
    file === undefined ? { skill: unwrapResult(await skills.view(name)) } : { text: unwrapResult(await skills.file(name, file)) },
  describe: (shown) => toPrintable(shown.skill === undefined ? shown.text : shown.skill.page.body.trim()),
});

/** What would be installed is reported before anybody says yes; without somebody to ask, only `--yes` is one. */
export const skillsInstall = defineCommand({
  ...FACTS,
  name: 'skills install',
  summary: 'Install a skill from a folder, a SKILL.md, its URL, or owner/repo[/path] on GitHub',
  arguments: { source: { kind: 'text', required: true, completes: 'file', description: 'a folder, file, URL or owner/repo[/path]' } },
  options: {
    category: { kind: 'text', placeholder: 'name', description: 'put it under this category' },
    name: { kind: 'text', description: 'install it under this name' },
    force: { kind: 'flag', description: 'install despite minor warnings of the scanner' },
    yes: { kind: 'flag', letter: 'y', description: 'do not ask for confirmation' },
  },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes skills install ./my-skill', 'hermes skills install owner/repo/skills/some-skill'],
  run: async ({ source, category, name, force, yes }, { skills }, context: CommandContext<SkillInstallView>) => {
    const { confirm, report, cwd } = context;
    if (yes !== true && confirm === undefined)
      throw new UsageError('cannot ask for confirmation without a terminal. Review the skill, then add --yes.');
    const agreed = async (plan: SkillInstallView): Promise<boolean> => {
      report(plan);
      return yes === true || (confirm !== undefined && (await confirm(`Install the skill ${plan.name}?`)));
    };
    const rows = await skills.install(source, { confirm: agreed, cwd, force: force === true, category, name });
    return { rows, ok: rows.every(({ did }) => did === 'installed') };
  },
});

export const skillsRemove = defineCommand({
  ...FACTS,
  name: 'skills remove',
  summary: 'Move a skill to the trash',
  arguments: { name: NAME },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes skills remove some-skill'],
  run: async ({ name }, { skills }) => ({ name, trash: unwrapResult(await skills.remove(name)) }),
});

export const skillsCheck = defineCommand({
  ...FACTS,
  name: 'skills check',
  summary: 'Find broken, suspicious, edited and outdated skills',
  json: 'one JSON array',
  examples: ['hermes skills check'],
  run: async (_values, { skills }) => {
    const checks = await skills.check();
    return { checks, ok: !checks.some(({ issues }) => issues.some(({ severe }) => severe)) };
  },
});

function unwrapResult<Value>(result: SkillResult<Value>): Value {
  if (!result.ok) throw new UsageError(result.words);
  return result.value;
}
