import { toErrorMessage } from '../../base/errors.ts';
import type { PluginSlotManifest } from '../../contracts/plugin-manifest.ts';
import type { PromptSlot } from '../../contracts/prompt.ts';
import type { AdmitText } from '../../contracts/scan.ts';
import type { PluginProcess } from '../process/plugin-process.ts';

const SLOT_MS = 5_000;
/** Behind everything that is the same for all sessions, before the place and the day. */
const ORDER = 95;

/** What judges texts before they reach the prompt. */
export type JudgeTexts = <Result>(work: (admit: AdmitText) => Result) => Promise<Result>;

/** A section of a plugin as one of ours: scanned as a whole, then cut. */
export const wrapSlot = (plugin: string, { name, cap }: PluginSlotManifest, process: PluginProcess, judge: JudgeTexts): PromptSlot => ({
  name: `plugin-${plugin}-${name}`,
  order: ORDER,
  lifetime: 'session',
  volatile: true,
  cap,
  render: async ({ model, provider, platform, tools, toolsets }) => {
    try {
      const input = { model, provider, platform, tools: [...tools], toolsets: [...toolsets] };
      const text = await process.call({ method: 'slot', params: { name, input } }, { timeoutMs: SLOT_MS });
      if (typeof text !== 'string' || text.trim() === '') return undefined;
      const words = text.trim();
      return await judge((admit) => {
        const admitted = admit(words, { kind: 'context', name: `the section ${name} of the plugin ${plugin}`, owned: false });
        return admitted.allow ? { text: words, notices: admitted.notices } : { text: admitted.marker, notices: [admitted.notice] };
      });
    } catch (error) {
      return { notices: [`The section ${name} of the plugin ${plugin} was left out of the prompt: ${toErrorMessage(error)}`] };
    }
  },
});
