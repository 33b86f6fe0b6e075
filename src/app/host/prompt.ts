import { join } from 'node:path';
import type { MemoryProvider } from '../../contracts/memory.ts';
import type { PromptPipeline, PromptContext, Slot } from '../../contracts/prompt.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import { memorySnapshot } from '../../parts/memory/snapshot.ts';
import { loadContextFiles } from '../../parts/prompt/files/context.ts';
import { readSoul } from '../../parts/prompt/files/soul.ts';
import { ephemeralLayer } from '../../parts/prompt/layers/ephemeral.ts';
import { overlayLayer } from '../../parts/prompt/layers/overlay.ts';
import { prefillLayer } from '../../parts/prompt/layers/prefill.ts';
import { recallLayer } from '../../parts/prompt/layers/recall.ts';
import { promptPipeline } from '../../parts/prompt/pipeline.ts';
import { environmentSlot } from '../../parts/prompt/slots/environment.ts';
import { machineView } from '../../parts/prompt/slots/environment-probes.ts';
import { externalMemorySlot } from '../../parts/prompt/slots/external-memory.ts';
import { guidanceSlot } from '../../parts/prompt/slots/guidance.ts';
import { DEFAULT_SOUL, identitySlot } from '../../parts/prompt/slots/identity.ts';
import { memorySlot } from '../../parts/prompt/slots/memory.ts';
import { modelRulesSlot } from '../../parts/prompt/slots/model-rules.ts';
import { platformSlot } from '../../parts/prompt/slots/platform.ts';
import { projectContextSlot } from '../../parts/prompt/slots/project-context.ts';
import { sceneSlot } from '../../parts/prompt/slots/scene.ts';
import { skillsSlot } from '../../parts/prompt/slots/skills.ts';
import { systemMessageSlot } from '../../parts/prompt/slots/system-message.ts';
import { userSlot } from '../../parts/prompt/slots/user.ts';
import type { HomeParts, SessionPlan } from '../tools/home-parts.ts';

/** Every section of the system prompt and every layer beside a message. */
export function openPrompt(parts: HomeParts, { prompt }: Pick<SessionPlan, 'prompt'> = {}): PromptPipeline {
  if (prompt === false) return promptPipeline([systemMessageSlot({ fromSettings: '' })], [overlayLayer]);
  const { settings } = parts.config;
  const { memory: provider } = parts;
  const layers = [overlayLayer, ephemeralLayer(settings['agent.ephemeral_system_prompt']), prefillLayer(prefillPath(parts))];
  return promptPipeline(slotsFor(parts, provider), provider === undefined ? layers : [...layers, recallLayer(provider)]);
}

function slotsFor(parts: HomeParts, provider: MemoryProvider | undefined): readonly Slot[] {
  const { home, env, config, safety } = parts;
  const { settings } = config;
  const most = settings.context_file_max_chars;
  const snapshot = (target: 'memory' | 'user') => () =>
    safety.judged((admit) => memorySnapshot(target, { home: home.root, settings, admit }));
  return [
    identitySlot({ soul: () => safety.judged((admit) => readSoul(home.root, unlessOurs(admit), DEFAULT_SOUL, most)) }),
    guidanceSlot,
    modelRulesSlot({ enforce: settings['agent.tool_use_enforcement'] }),
    systemMessageSlot({ fromSettings: settings['agent.system_prompt'] }),
    memorySlot({ read: snapshot('memory') }),
    userSlot({ read: snapshot('user') }),
    externalMemorySlot({ block: () => provider?.systemBlock?.() }),
    skillsSlot({ index: (context) => skillIndex(context, parts) }),
    projectContextSlot({ load: (cwd) => safety.judged((admit) => loadContextFiles(cwd, admit, most)) }),
    sceneSlot(),
    environmentSlot({ view: machineView(env), hint: settings['agent.environment_hint'] }),
    platformSlot({ hints: settings.platform_hints, platforms: parts.registered.platforms }),
  ];
}

/** SOUL.md as it was made on the first run is ours: nobody has to look at it. */
const unlessOurs =
  (admit: AdmitText): AdmitText =>
  (text, origin) =>
    text === DEFAULT_SOUL ? { allow: true, notices: [] } : admit(text, origin);

async function skillIndex({ tools, toolsets, platform }: PromptContext, { skills, safety }: HomeParts) {
  const shown = await skills.shown({ tools, toolsets, platform });
  const { indexText, judgedListing } = await import('../../parts/skills/shelf.ts');
  const { listing, notices } = await safety.judged((admit) => judgedListing(shown, admit));
  return { text: indexText(listing), notices: [...listing.problems.map(({ path, words }) => `${path}: ${words}`), ...notices] };
}

const prefillPath = ({ home, config }: HomeParts): string => {
  const path = config.settings.prefill_messages_file;
  return path === '' || path.startsWith('/') ? path : join(home.root, path);
};
