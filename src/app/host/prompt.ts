import { join } from 'node:path';
import type { PromptPipeline, PromptContext, PromptSlot } from '../../contracts/prompt.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import { findVisibleProject, type TerminalInfo } from '../../contracts/terminal.ts';
import type { SessionMemory } from '../../parts/memory/session-memory.ts';
import { readMemorySnapshot } from '../../parts/memory/snapshot.ts';
import { describeUnseenFiles, loadContextFiles } from '../../parts/prompt/files/context.ts';
import { readSoul } from '../../parts/prompt/files/soul.ts';
import { ephemeralLayer } from '../../parts/prompt/layers/ephemeral.ts';
import { hookContextLayer } from '../../parts/prompt/layers/hook-context.ts';
import { overlayLayer } from '../../parts/prompt/layers/overlay.ts';
import { personalityLayer } from '../../parts/prompt/layers/personality.ts';
import { prefillLayer } from '../../parts/prompt/layers/prefill.ts';
import { recallLayer } from '../../parts/prompt/layers/recall.ts';
import { createPromptPipeline } from '../../parts/prompt/pipeline.ts';
import { environmentSlot } from '../../parts/prompt/slots/environment.ts';
import { createMachineView } from '../../parts/prompt/slots/environment-probes.ts';
import { externalMemorySlot } from '../../parts/prompt/slots/external-memory.ts';
import { guidanceSlot } from '../../parts/prompt/slots/guidance.ts';
import { DEFAULT_SOUL, identitySlot, isDefaultSoul } from '../../parts/prompt/slots/identity.ts';
import { memorySlot } from '../../parts/prompt/slots/memory.ts';
import { modelRulesSlot } from '../../parts/prompt/slots/model-rules.ts';
import { platformSlot } from '../../parts/prompt/slots/platform.ts';
import { projectContextSlot } from '../../parts/prompt/slots/project-context.ts';
import { roleSlot } from '../../parts/prompt/slots/role.ts';
import { sceneSlot } from '../../parts/prompt/slots/scene.ts';
import { skillsSlot } from '../../parts/prompt/slots/skills.ts';
import { systemMessageSlot } from '../../parts/prompt/slots/system-message.ts';
import { userSlot } from '../../parts/prompt/slots/user.ts';
import type { HomeParts, SessionPlan } from '../tools/home-parts.ts';

interface PromptOptions {
  readonly prompt?: SessionPlan['prompt'];
  readonly memory?: SessionPlan['memory'];
  /** What a memory provider says. */
  readonly external?: SessionMemory | undefined;
  /** Where commands run. */
  readonly place?: TerminalInfo | undefined;
  readonly platform?: string;
  readonly model?: () => string;
}

/** Every section of the system prompt and every layer beside a message. */
export function openPrompt(
  parts: HomeParts,
  { prompt, memory, external, place, platform = '', model = () => '' }: PromptOptions = {},
): PromptPipeline {
  if (prompt === false) return createPromptPipeline([systemMessageSlot({ fromSettings: '' })], [overlayLayer]);
  const { settings } = parts.config;
  const layers = [
    overlayLayer,
    ephemeralLayer(settings['agent.ephemeral_system_prompt']),
    personalityLayer({ own: settings.personalities, usual: settings['display.personality'], fact: (key) => parts.log.fact(key) }),
    prefillLayer(prefillPath(parts)),
    ...(parts.hooks === undefined
      ? []
      : [hookContextLayer({ hooks: parts.hooks, platform, model, judged: parts.safety.judged, notice: parts.notice })]),
  ];
  return createPromptPipeline(
    slotsFor(parts, external, place).filter((slot) => memory !== false || !REMEMBERS.has(slot.name)),
    external?.recall === undefined
      ? layers
      : [...layers, recallLayer({ ...external, recall: external.recall, judged: parts.safety.judged, notice: parts.notice })],
  );
}

/** Sections that hold what is remembered of the owner. A provider says itself what belongs here. */
const REMEMBERS: ReadonlySet<string> = new Set(['memory', 'user']);

function slotsFor(parts: HomeParts, external: SessionMemory | undefined, place: TerminalInfo | undefined): readonly PromptSlot[] {
  const { home, env, config, safety } = parts;
  const { settings } = config;
  const most = settings.context_file_max_chars;
  const snapshot = (target: 'memory' | 'user') => () =>
    safety.judged((admit) => readMemorySnapshot(target, { home: home.root, settings, admit }));
  const at = place === undefined ? {} : { place };
  return [
    identitySlot({ soul: () => safety.judged((admit) => readSoul(home.root, unlessOurs(admit), DEFAULT_SOUL, most)) }),
    roleSlot,
    guidanceSlot,
    modelRulesSlot({ enforce: settings['agent.tool_use_enforcement'] }),
    systemMessageSlot({ fromSettings: settings['agent.system_prompt'] }),
    skillsSlot({ index: (context) => skillIndex(context, parts) }),
    projectContextSlot({
      load: async ({ cwd, tools }, access) => {
        const project = findVisibleProject(cwd, place);
        if (project === undefined) return describeUnseenFiles(cwd, tools);
        return safety.judged((admit) => loadContextFiles(project.folder, admit, most, access));
      },
    }),
    platformSlot({ hints: settings.platform_hints, platforms: parts.registered.platforms, ...at }),
    memorySlot({ read: snapshot('memory') }),
    userSlot({ read: snapshot('user') }),
    ...(external === undefined ? [] : [externalMemorySlot({ ...external, judged: safety.judged })]),
    environmentSlot({ view: createMachineView(env), hint: settings['agent.environment_hint'], ...at }),
    sceneSlot(),
    ...parts.registered.slots.values(),
  ];
}

/** SOUL.md as it was made on the first run is ours: nobody has to look at it. */
const unlessOurs =
  (admit: AdmitText): AdmitText =>
  (text, origin) =>
    isDefaultSoul(text) ? { allow: true, notices: [] } : admit(text, origin);

async function skillIndex({ tools, toolsets, platform }: PromptContext, { skills, safety }: HomeParts) {
  const shown = await skills.shown({ tools, toolsets, platform });
  const { renderSkillIndex, judgeListing, joinTextToJudge } = await import('../../parts/skills/shelf.ts');
  const { listing, notices } = await safety.judged((admit) => judgeListing(shown, admit), joinTextToJudge(shown));
  return { text: renderSkillIndex(listing), notices: [...listing.problems.map(({ path, words }) => `${path}: ${words}`), ...notices] };
}

const prefillPath = ({ home, config }: HomeParts): string => {
  const path = config.settings.prefill_messages_file;
  return path === '' || path.startsWith('/') ? path : join(home.root, path);
};
