import { joinSlots, type RenderedSlot, type PromptContext, type PromptSlot } from '../../../../src/contracts/prompt.ts';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import { promptSettings } from '../../../../src/parts/prompt/settings.ts';
import { environmentSlot } from '../../../../src/parts/prompt/slots/environment.ts';
import { externalMemorySlot } from '../../../../src/parts/prompt/slots/external-memory.ts';
import { guidanceSlot } from '../../../../src/parts/prompt/slots/guidance.ts';
import { identitySlot } from '../../../../src/parts/prompt/slots/identity.ts';
import { memorySlot } from '../../../../src/parts/prompt/slots/memory.ts';
import { FAMILIES } from '../../../../src/parts/prompt/slots/model-families.ts';
import { MISREPORTED } from '../../../../src/parts/prompt/slots/model-identity.ts';
import { modelRulesSlot } from '../../../../src/parts/prompt/slots/model-rules.ts';
import { platformSlot } from '../../../../src/parts/prompt/slots/platform.ts';
import { PLATFORMS } from '../../../../src/parts/prompt/slots/platforms/all.ts';
import { projectContextSlot } from '../../../../src/parts/prompt/slots/project-context.ts';
import { roleSlot } from '../../../../src/parts/prompt/slots/role.ts';
import { sceneSlot } from '../../../../src/parts/prompt/slots/scene.ts';
import { skillsSlot } from '../../../../src/parts/prompt/slots/skills.ts';
import { systemMessageSlot } from '../../../../src/parts/prompt/slots/system-message.ts';
import { userSlot } from '../../../../src/parts/prompt/slots/user.ts';
import { sceneWith, told } from '../slots/setup.ts';

const settings = collectDefaults(promptSettings);
const says = (text: string) => () => Promise.resolve({ text, notices: [] });

/** Every slot with the settings' defaults; one line stands for what other parts hand in. */
export const SLOTS: readonly PromptSlot[] = [
  platformSlot({ hints: settings.platform_hints }),
  environmentSlot({ view: { env: {}, exists: () => false, read: () => '' }, hint: settings['agent.environment_hint'], system: 'linux' }),
  sceneSlot({ zone: () => ({ name: 'Europe/Berlin', offset: 120 }) }),
  projectContextSlot({ load: says('(project context)') }),
  skillsSlot({ index: says('(index of skills)') }),
  externalMemorySlot({
    name: 'notes',
    systemBlock: () => '(external memory)',
    judged: async (work) => work(() => ({ allow: true, notices: [] })),
  }),
  userSlot({ read: says('(user profile)') }),
  memorySlot({ read: says('(memory)') }),
  systemMessageSlot({ fromSettings: settings['agent.system_prompt'] }),
  modelRulesSlot({ enforce: settings['agent.tool_use_enforcement'] }),
  guidanceSlot,
  roleSlot,
  identitySlot({ soul: () => Promise.resolve({ notices: [] }) }),
];

export async function promptOf(scene: PromptContext): Promise<string> {
  const rendered: RenderedSlot[] = [];
  for (const slot of SLOTS.toSorted((a, b) => a.order - b.order)) {
    const { text = '' } = await told(slot, scene);
    if (text !== '') rendered.push({ name: slot.name, lifetime: slot.lifetime, text });
  }
  return `${joinSlots(rendered).system}\n`;
}

/** A model for each row that tells models apart, and one that no row knows. */
const MODELS: Readonly<Record<string, Pick<PromptContext, 'model' | 'provider'>>> = {
  openai: { model: 'openai/gpt-5.2', provider: 'openrouter' },
  google: { model: 'gemini-3-pro', provider: 'gemini' },
  xai: { model: 'grok-4', provider: 'xai' },
  alibaba: { model: 'qwen3-max', provider: 'alibaba' },
  other: { model: 'claude-opus-4.8', provider: 'anthropic' },
};
const MODEL_ROWS = [...FAMILIES.map(({ name }) => name), ...MISREPORTED.map(({ name }) => name), 'other'];

/** One golden file for each row of a table; a row of models without a model here is a mistake of this page. */
export const GOLDENS: ReadonlyMap<string, PromptContext> = new Map([
  ...Object.keys(PLATFORMS).map((platform) => [`platform-${platform}.txt`, sceneWith({ platform })] as const),
  ...MODEL_ROWS.map((row) => [`model-${row}.txt`, sceneWith(modelFor(row))] as const),
]);

function modelFor(row: string): Pick<PromptContext, 'model' | 'provider'> {
  const found = MODELS[row];
  if (found === undefined) throw new Error(`no model stands for the row ${row}; add one to MODELS`);
  return found;
}
