import type { Home } from '../../base/home.ts';
import { text } from '../../contracts/message.ts';
import { systemText } from '../../contracts/prompt.ts';
import type { ModelRequest } from '../../contracts/provider.ts';
import { PLAIN, type Runtime } from '../../contracts/runtime.ts';
import type { Finding } from '../../faces/cli/doctor.ts';
import { windowEngine } from '../../parts/context/window.ts';
import { promptPipeline } from '../../parts/prompt/pipeline.ts';
import { profileOf } from '../../parts/providers/catalog/all.ts';
import { wireFormats } from '../../parts/providers/wire-format.ts';
import type { Config, Env } from '../config.ts';
import { openToolkit } from '../toolkit.ts';
import { PROMPT_SLOTS } from '../assemble.ts';

/** Most bytes the first request of a session may have; part of the command line contract. */
export const FIRST_REQUEST_BYTES = 16_384;

export interface Scene {
  readonly home: Home;
  readonly config: Config;
  readonly env: Env;
  readonly cwd: string;
}

/** Builds the request that `chat -q hi` would send first and weighs it. */
export async function lookAtFirstRequest(scene: Scene, runtime: Runtime = STAND_IN): Promise<Finding> {
  const request = await firstRequest(scene, runtime);
  const bytes = Buffer.byteLength(wireFormats(profileOf)(runtime).encode(request).body);
  const tokens = windowEngine.estimate({ system: request.system, tools: request.tools, view: request.messages });
  const words = `${bytes} bytes (about ${tokens} tokens) with ${request.tools.length} tools; the bound is ${FIRST_REQUEST_BYTES}`;
  if (bytes <= FIRST_REQUEST_BYTES) return { name: 'first request', ok: true, words };
  return {
    name: 'first request',
    ok: false,
    words,
    cure: 'Take fewer toolsets: hermes config set toolsets …   (hermes tools list shows them)',
  };
}

async function firstRequest({ home, config, env, cwd }: Scene, runtime: Runtime): Promise<ModelRequest> {
  const { toolkit, terminal } = await openToolkit({ flags: {}, home, config, env, cwd, kept: undefined });
  await using _ = terminal;
  const tools = toolkit.definitions;
  const { model, provider } = runtime;
  const names = tools.map(({ name }) => name);
  const { toolsets } = toolkit;
  const place = { sessionId: 'doctor', model, provider, cwd, platform: 'cli', startedAt: Date.now(), contextFiles: false };
  const { slots } = await promptPipeline(PROMPT_SLOTS).render({ ...place, tools: names, toolsets });
  const system = systemText(slots);
  const messages = [{ message: { role: 'user', content: [text('hi', 'owner')] } as const }];
  return { runtime, adjust: PLAIN, system, tools, toolUse: 'auto', cacheTtl: config.settings['prompt_caching.cache_ttl'], messages };
}

/** Stands in where no model is connected yet, so that the size can be told all the same. */
const STAND_IN: Runtime = {
  provider: 'custom',
  model: 'model',
  baseUrl: 'http://127.0.0.1/v1',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 128_000 },
};
