import type { Home } from '../../base/home.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { Finding } from '../../contracts/services/insight.ts';
import { windowEngine } from '../../parts/context/window.ts';
import { splitEnvironment } from '../../parts/terminals/environment.ts';
import type { Config } from '../config.ts';
import type { Env } from '../../base/env.ts';
import { FIRST_REQUEST_BYTES, previewSession, type PreviewOptions } from '../host/preview.ts';
import { openSecrets, passedOver } from '../host/secrets.ts';

/** How many names a line takes before it says how many more there are. */
const SHOWN = 8;
const listed = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;

/** How many values are redacted, and which of those named as secrets or kept in `.env` are not: to hide a common word would spoil every text. */
export function lookAtSecrets(home: Home, processEnv: Env): Finding {
  const known = openSecrets(home, processEnv).names().length;
  const skipped = passedOver(home, processEnv);
  const words = `${known} ${known === 1 ? 'value is' : 'values are'} redacted wherever they would leave`;
  if (skipped.length === 0) return { name: 'secrets', ok: true, words };
  return {
    name: 'secrets',
    ok: true,
    words: `${words}; not treated as secrets: ${listed(skipped)}`,
    cure: 'If one of these is a real secret, use a longer, random one.',
  };
}

/** Variables of the owner's shell that commands do not see. */
export function lookAtCommandEnvironment({ settings }: Config, env: Env): Finding {
  const { env: passed, withheld } = splitEnvironment(env, settings['terminal.env_passthrough']);
  const words = `commands get ${Object.keys(passed).length} variables`;
  if (withheld.length === 0) return { name: 'command environment', ok: true, words };
  return {
    name: 'command environment',
    ok: true,
    words: `${words}; held back, besides secrets: ${listed(withheld)}`,
    cure: 'To hand one on: hermes config set terminal.env_passthrough "[NAME, MY_*]"',
  };
}

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
