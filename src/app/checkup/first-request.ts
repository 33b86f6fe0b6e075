import type { Runtime } from '../../contracts/runtime.ts';
import type { Finding } from '../../contracts/services/insight.ts';
import { windowEngine } from '../../parts/context/window.ts';
import { FIRST_REQUEST_BYTES, previewSession, type PreviewOptions } from '../host/preview.ts';

export type Scene = Pick<PreviewOptions, 'home' | 'config' | 'env' | 'cwd' | 'notice'>;

/** What the owner should know of the files a session here would begin with: blocked, broken, cut. */
export async function lookAtPrompt(scene: Scene): Promise<Finding> {
  const { prompt } = await previewSession({ ...scene, contextFiles: true });
  const [first, ...more] = prompt.notices;
  if (first === undefined) return { name: 'prompt files', ok: true, words: 'SOUL.md, project files, memory and skills can all be used' };
  const words = `${first.split('\n')[0] ?? ''}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
  return { name: 'prompt files', ok: false, words, cure: 'hermes prompt tells about each of them.' };
}

/** Builds the request that `chat -q hi` would send first, without project files, and weighs it. */
export async function lookAtFirstRequest(scene: Scene, runtime?: Runtime): Promise<Finding> {
  const { request, bytes, prompt } = await previewSession({ ...scene, ...(runtime !== undefined && { runtime }), contextFiles: false });
  const tokens = windowEngine.estimate({ system: request.system, tools: request.tools, view: request.messages });
  const words = `${bytes} bytes (about ${tokens} tokens) with ${request.tools.length} tools; the bound is ${FIRST_REQUEST_BYTES}`;
  if (bytes <= FIRST_REQUEST_BYTES) return { name: 'first request', ok: true, words };
  const [heaviest] = prompt.slots.toSorted((a, b) => b.text.length - a.text.length);
  return {
    name: 'first request',
    ok: false,
    words: `${words}; the largest section is ${heaviest?.name ?? 'the tool table'}`,
    cure: 'hermes prompt shows what each section takes: shorten it, hide skills (skills.disabled), or take fewer toolsets.',
  };
}
