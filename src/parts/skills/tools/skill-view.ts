import { createTextBlock } from '../../../contracts/message.ts';
import type { TextAdmission } from '../../../contracts/scan.ts';
import type { Skill, SkillCatalog, SkillContext } from '../../../contracts/skills.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from '../../../contracts/tool.ts';
import { describeUnknownSkill } from '../view/near-names.ts';
import { isOwned, openFile, openSkill, type SkillReading } from '../view/open.ts';
import { boundText, fillSkillVariables, renderSkillView } from '../view/view-text.ts';
import { createViewHistory, type ViewHistory } from './view-history.ts';

export interface SkillViewInput {
  readonly name: string;
  readonly file_path?: string;
}
export interface SkillViewOptions extends SkillReading {
  readonly catalog: SkillCatalog;
  readonly skillContext: () => SkillContext;
}

export const skillViewTool = (options: SkillViewOptions): Tool<SkillViewInput> => {
  const shown = createViewHistory();
  return {
    name: 'skill_view',
    description: 'Load a skill: its instructions, folder and linked files. file_path: read one of those files.',
    input: {
      type: 'object',
      properties: { name: { type: 'string' }, file_path: { type: 'string', description: 'e.g. references/x.md' } },
      required: ['name'],
      additionalProperties: false,
    },
    effects: () => ({ kind: 'read', resources: ['skills'] }),
    replay: 'safe',
    idempotent: true,
    offTerminal: true,
    trust: 'tool',
    timeoutMs: 30_000,
    // It has a bound of its own: half a skill is no skill.
    maxResult: Infinity,
    forget: (sessionId) => shown.forget(sessionId),
    run: (input, context) => view(input, context, options, shown),
  };
};

async function view(input: SkillViewInput, context: ToolContext, options: SkillViewOptions, shown: ViewHistory): Promise<ToolOutput> {
  const skill = await shownSkill(input.name, options);
  const file = input.file_path?.trim() ?? '';
  const { words, admission, what } = await viewed(skill, file, context, options);
  if (!admission.allow) {
    context.report(admission.notice);
    return {
      content: [createTextBlock(admission.marker, 'tool')],
      failed: true,
      details: { kind: 'data', data: { name: skill.name, blocked: true } },
    };
  }
  for (const notice of admission.notices) context.report(notice);
  const unchanged = shown.repeats(context.sessionId, `${skill.name}\0${what}`, words);
  const answer = unchanged ? `Unchanged: ${what} of the skill ${skill.name} is as shown earlier in this session; use that result.` : words;
  return {
    content: [createTextBlock(answer, 'tool')],
    ...(!unchanged && !isOwned(skill) && { foreign: `skill ${skill.name} in ${skill.folder}` }),
    details: { kind: 'data', data: { name: skill.name, path: what, folder: skill.folder, unchanged } },
  };
}

interface ViewedSkill {
  readonly what: string;
  readonly words: string;
  readonly admission: TextAdmission;
}

async function viewed(skill: Skill, file: string, { sessionId, terminal }: ToolContext, options: SkillViewOptions): Promise<ViewedSkill> {
  if (file === '' || file === 'SKILL.md') {
    const read = await openSkill(skill, options);
    if (!read.ok) throw new ToolFailure(read.words);
    return {
      what: 'SKILL.md',
      words: renderSkillView(read.opened, { sessionId, place: terminal.place }),
      admission: read.opened.admission,
    };
  }
  const read = openFile(skill, file, options.admit);
  if (!read.ok) throw new ToolFailure(read.words);
  const { path, text: body, admission } = read.opened;
  return {
    what: path,
    words: body === '' ? `[${path} is empty]` : boundText(fillSkillVariables(body, skill.folder, sessionId)),
    admission,
  };
}

/** What the owner has switched off, or what does not fit here, is not opened by its name either. */
async function shownSkill(given: string, { catalog, skillContext }: SkillViewOptions): Promise<Skill> {
  const { skills } = await catalog.shown(skillContext());
  const asked = given.trim();
  const name = asked.split('/').at(-1) ?? asked;
  const found = skills.find((skill) => skill.name === asked) ?? skills.find((skill) => skill.name === name);
  if (found !== undefined) return found;
  if ((await catalog.find(name)) !== undefined)
    throw new ToolFailure(`The skill ${name} is not for this session: it is switched off, or made for another system or other tools.`);
  throw new ToolFailure(
    describeUnknownSkill(
      asked,
      skills.map((skill) => skill.name),
    ),
  );
}
