import type { PromptContext, PromptSlot } from '../../../../src/contracts/prompt.ts';

export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Every tool that a slot speaks of. */
export const TOOLS = words(`
  terminal process read_file write_file patch search_files todo clarify execute_code web_search memory session_search
  skills_list skill_view skill_manage cronjob`);

export const sceneWith = (changes: Partial<PromptContext> = {}): PromptContext => ({
  sessionId: '20260330_143000_a1b2c3',
  markKey: '23729855',
  model: 'claude-opus-4.8',
  provider: 'anthropic',
  cwd: '/home/user/demo',
  platform: 'cli',
  tools: TOOLS,
  toolsets: ['hermes-cli'],
  startedAt: Date.UTC(2026, 2, 30, 23, 30),
  contextFiles: true,
  ...changes,
});

/** What a slot says to the model and to the owner. */
export async function told(
  slot: PromptSlot,
  scene: PromptContext,
): Promise<{ readonly text: string | undefined; readonly notices: readonly string[] }> {
  const rendered = await slot.render(scene);
  return typeof rendered === 'object' ? { text: rendered.text, notices: rendered.notices } : { text: rendered, notices: [] };
}
export const textOf = async (slot: PromptSlot, changes: Partial<PromptContext> = {}): Promise<string | undefined> =>
  (await told(slot, sceneWith(changes))).text;
