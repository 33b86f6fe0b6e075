import type { Home } from '../base/home.ts';
import { text } from '../contracts/message.ts';
import { systemText, type RenderedPrompt, type Scene } from '../contracts/prompt.ts';
import type { ModelRequest } from '../contracts/provider.ts';
import { PLAIN, type Runtime } from '../contracts/runtime.ts';
import { profileOf } from '../parts/providers/catalog/all.ts';
import { wireFormats } from '../parts/providers/wire-format.ts';
import type { Config, Env } from './config.ts';
import { openEngine } from './context.ts';
import { openMcpTools } from './mcp.ts';
import { openPrompt } from './prompt.ts';
import { openSafety } from './safety.ts';
import { openSkills } from './skills.ts';
import { openToolkit } from './toolkit.ts';

/** Most bytes the first request of a session may have; part of the command line contract. */
export const FIRST_REQUEST_BYTES = 16_384;

/** A session that is looked at before it begins. */
export interface Imagined {
  readonly home: Home;
  readonly config: Config;
  readonly env: Env;
  readonly cwd: string;
  readonly runtime?: Runtime;
  readonly platform?: string;
  readonly toolsets?: string;
  /** Whether SOUL.md and project files are looked at. */
  readonly contextFiles: boolean;
}
export interface Preview {
  readonly prompt: RenderedPrompt;
  readonly request: ModelRequest;
  /** Of the body on the wire. */
  readonly bytes: number;
}

/** The prompt and the first request of `chat -q hi`, as they would be made now. Nothing is sent and no session begins. */
export async function previewSession(imagined: Imagined): Promise<Preview> {
  const { home, config, env, cwd, runtime = STAND_IN, platform = 'cli', toolsets, contextFiles } = imagined;
  const shared = { home, config, env, safety: openSafety(home), skills: openSkills(home, config, env) };
  const flags = toolsets === undefined ? {} : { toolsets };
  const engine = await openEngine({ home, config, entries: async () => [] });
  // Nothing is started for a look: a server is known by what it said before.
  await using mcp = await openMcpTools({ home, env, cwd, settings: config.settings, discoverySeconds: 0, safety: shared.safety });
  const question = {
    ...shared,
    engine,
    flags,
    cwd,
    platform,
    mcp,
    ports: { complete: unasked, see: unasked, consult: unasked },
    spawn: () => unasked,
  };
  const { toolkit, terminal } = await openToolkit({ ...question, kept: undefined });
  await using _ = terminal;
  const { definitions: tools } = toolkit;
  const { model, provider } = runtime;
  const place = { sessionId: 'preview', model, provider, cwd, platform, startedAt: Date.now(), contextFiles };
  const scene: Scene = { ...place, tools: tools.map(({ name }) => name), toolsets: toolkit.toolsets };
  const prompt = await openPrompt(shared).render(scene);
  const cacheTtl = config.settings['prompt_caching.cache_ttl'];
  const messages = [{ message: { role: 'user', content: [text('hi', 'owner')] } as const }];
  const request: ModelRequest = { runtime, adjust: PLAIN, system: systemText(prompt.slots), tools, toolUse: 'auto', cacheTtl, messages };
  return { prompt, request, bytes: Buffer.byteLength(wireFormats(profileOf)(runtime).encode(request).body) };
}

/** A session that is only looked at asks nobody. */
export const unasked = (): Promise<never> => Promise.reject(new Error('nothing runs in a preview'));

/** Stands in where no model is connected yet, so that the size can be told all the same. */
export const STAND_IN: Runtime = {
  provider: 'custom',
  model: 'model',
  baseUrl: 'http://127.0.0.1/v1',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 128_000 },
};
