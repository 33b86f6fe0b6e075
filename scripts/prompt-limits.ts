import type { PromptLayer, PromptSlot } from '../src/contracts/prompt.ts';
import { CONTEXT_LIMITS } from '../src/parts/prompt/files/kinds.ts';
import { HINT_LIMITS } from '../src/parts/prompt/hints/tables.ts';
import { ephemeralLayer } from '../src/parts/prompt/layers/ephemeral.ts';
import { hookContextLayer } from '../src/parts/prompt/layers/hook-context.ts';
import { overlayLayer } from '../src/parts/prompt/layers/overlay.ts';
import { personalityLayer } from '../src/parts/prompt/layers/personality.ts';
import { prefillLayer } from '../src/parts/prompt/layers/prefill.ts';
import { recallLayer } from '../src/parts/prompt/layers/recall.ts';
import { environmentSlot } from '../src/parts/prompt/slots/environment.ts';
import { externalMemorySlot } from '../src/parts/prompt/slots/external-memory.ts';
import { guidanceSlot } from '../src/parts/prompt/slots/guidance.ts';
import { identitySlot } from '../src/parts/prompt/slots/identity.ts';
import { memorySlot } from '../src/parts/prompt/slots/memory.ts';
import { modelRulesSlot } from '../src/parts/prompt/slots/model-rules.ts';
import { platformSlot } from '../src/parts/prompt/slots/platform.ts';
import { projectContextSlot } from '../src/parts/prompt/slots/project-context.ts';
import { roleSlot } from '../src/parts/prompt/slots/role.ts';
import { sceneSlot } from '../src/parts/prompt/slots/scene.ts';
import { skillsSlot } from '../src/parts/prompt/slots/skills.ts';
import { systemMessageSlot } from '../src/parts/prompt/slots/system-message.ts';
import { userSlot } from '../src/parts/prompt/slots/user.ts';

const nothing = async () => ({ notices: [] });
const judged = async <Result>(): Promise<Result> => Promise.reject(new Error('only the limit is read'));

/** Every slot and layer, for its limit: none of them is rendered. */
const PARTS: readonly (PromptSlot | PromptLayer)[] = [
  identitySlot({ soul: nothing }),
  roleSlot,
  guidanceSlot,
  modelRulesSlot({ enforce: 'auto' }),
  systemMessageSlot({ fromSettings: '' }),
  skillsSlot({ index: nothing }),
  projectContextSlot({ load: nothing }),
  platformSlot({ hints: {} }),
  memorySlot({ read: nothing }),
  userSlot({ read: nothing }),
  externalMemorySlot({ name: '', systemBlock: () => undefined, judged }),
  environmentSlot({ view: { env: {}, exists: () => false, read: () => '' }, hint: '' }),
  sceneSlot(),
  ephemeralLayer(''),
  overlayLayer,
  personalityLayer({ own: {}, usual: '', fact: async () => undefined }),
  prefillLayer(''),
  recallLayer({ name: '', recall: async () => [], judged, notice: () => undefined }),
  hookContextLayer({
    hooks: { of: () => [] },
    platform: '',
    model: () => '',
    judged,
    notice: () => undefined,
  }),
];

/** Figures of the page by the beginning of their row. */
const ROWS: readonly (readonly [start: string, limit: number])[] = [
  ...PARTS.filter(({ cap }) => Number.isFinite(cap)).map(({ name, cap }) => [`| \`${name}\` |`, cap] as const),
  ['| characters per hint |', HINT_LIMITS.file],
  ['| folders searched above the touched one |', HINT_LIMITS.parents],
  ['| hints per call |', HINT_LIMITS.perCall],
  ['| paths checked per call |', HINT_LIMITS.paths],
  ['| characters of one project file |', CONTEXT_LIMITS.file],
  ['| characters of all project files together |', CONTEXT_LIMITS.together],
  ['| files of a rules folder |', CONTEXT_LIMITS.rules],
];

/** The page with the first figure in the last cell of each of these rows as the code has it. A part without a row is refused. */
export function fillPromptLimits(page: string): string {
  const lines = page.split('\n');
  for (const [start, limit] of ROWS) {
    const at = lines.findIndex((line) => line.startsWith(start));
    const cells = lines[at]?.split(' | ');
    if (cells === undefined) throw new Error(`docs/prompt.md has no row that begins with ${start}`);
    const last = cells.pop() ?? '';
    lines[at] = [...cells, last.replace(/^[\d,]+/, limit.toLocaleString('en-US'))].join(' | ');
  }
  return lines.join('\n');
}
