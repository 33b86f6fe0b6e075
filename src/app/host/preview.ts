import { createMarkKey } from '../../base/fence.ts';
import { createTextBlock } from '../../contracts/message.ts';
import { joinSlots, type RenderedPrompt, type PromptContext } from '../../contracts/prompt.ts';
import type { ModelRequest } from '../../contracts/provider.ts';
import { DEFAULT_ADJUSTMENTS, type Runtime } from '../../contracts/runtime.ts';
import type { CallableTools } from '../../contracts/tool.ts';
import { openEngine } from '../../parts/context/open.ts';
import { createWireFormats } from '../../parts/providers/wire-format.ts';
import { openHomeParts, type HomePartsOptions } from '../tools/home-parts.ts';
import { openTerminal } from '../tools/terminal.ts';
import { openTooling } from '../tools/toolkit.ts';
import { openMcpTools } from './mcp.ts';
import { previewMemory } from './memory.ts';
import { openPrompt } from './prompt.ts';

/** Most bytes the first request of a session may have; part of the command line contract. */
export const FIRST_REQUEST_BYTES = 16_384;

/** A session that is looked at before it begins. */
export interface PreviewOptions extends Omit<HomePartsOptions, 'store' | 'secrets'> {
  readonly cwd: string;
  readonly runtime?: Runtime;
  readonly platform?: string;
  readonly toolsets?: readonly string[];
  /** Whether SOUL.md and project files are looked at. */
  readonly contextFiles: boolean;
}
export interface Preview {
  readonly prompt: RenderedPrompt;
  readonly request: ModelRequest;
  /** Of the body on the wire. */
  readonly bytes: number;
  readonly toolsets: readonly string[];
  /** Every tool that could be called, deferred ones too. */
  readonly callable: CallableTools;
  /** Where commands would run. */
  readonly backend: string;
}

/**
 * The prompt and the first request of a session in front of the owner (or on another platform) that begins with `hi`, as they
 * would be made now. Nothing is sent and no session begins.
 */
export async function previewSession(options: PreviewOptions): Promise<Preview> {
  const {
    home,
    config,
    env,
    notice,
    registered: given,
    cwd,
    runtime = PLACEHOLDER_RUNTIME,
    platform = 'cli',
    toolsets,
    contextFiles,
  } = options;
  const parts = openHomeParts({ home, config, env, notice, ...(given !== undefined && { registered: given }) });
  const { registered } = parts;
  const engine = await openEngine({ home, config, notice, suspicious: refuseInPreview, entries: async () => [] }, registered.engines);
  // Nothing is started for a look: a server is known by what it said before.
  await using mcp = await openMcpTools({ ...parts, cwd, settings: config.settings, discoverySeconds: 0 });
  const plan = {
    platform,
    cwd,
    sessionId: 'preview',
    terminalTask: 'preview',
    epoch: undefined,
    contextFiles: true,
    ports: {},
    notice,
    ...(toolsets !== undefined && { toolsets }),
  };
  // Nothing runs there, so nothing is told about where commands would run.
  await using terminal = await openTerminal(parts, { ...plan, notice: () => {} });
  const ports = { ...SESSION_PORTS, ...(registered.platforms.get(platform)?.attended === true && PERSON_PORTS) };
  await using memory = await previewMemory(parts, platform);
  await using tooling = await openTooling(parts, plan, { terminal, ports, mcp, engine, ...(memory && { memory }) });
  const { definitions: tools, toolsets: chosen } = tooling.toolkit;
  const callable = tooling.toolkit.callable ?? { tools: tools.map(({ name }) => name), toolsets: chosen };
  const { model, provider } = runtime;
  const place = { sessionId: 'preview', markKey: createMarkKey(), model, provider, cwd, platform, startedAt: Date.now(), contextFiles };
  const context: PromptContext = { ...place, ...callable };
  const prompt = await openPrompt(parts, { place: terminal.place, external: memory }).render(context);
  const cacheTtl = config.settings['prompt_caching.cache_ttl'];
  const messages = [{ message: { role: 'user', content: [createTextBlock('hi', 'owner')] } as const }];
  const request: ModelRequest = {
    runtime,
    adjust: DEFAULT_ADJUSTMENTS,
    ...joinSlots(prompt.slots),
    tools,
    toolUse: 'auto',
    cacheTtl,
    messages,
  };
  return {
    prompt,
    request,
    bytes: Buffer.byteLength(createWireFormats((name) => registered.providers.get(name))(runtime).encode(request).body),
    toolsets: chosen,
    callable,
    backend: terminal.kind,
  };
}

/** A session that is only looked at asks nobody. */
export const refuseInPreview = (): Promise<never> => Promise.reject(new Error('nothing runs in a preview'));

const SESSION_PORTS = { complete: refuseInPreview, see: refuseInPreview, consult: refuseInPreview, spawn: refuseInPreview };
/** Where somebody sits in front of a session, it can ask. */
const PERSON_PORTS = { clarify: refuseInPreview, secret: refuseInPreview };

/** Stands in where no model is connected yet, so that the size can be told all the same. */
export const PLACEHOLDER_RUNTIME: Runtime = {
  provider: 'custom',
  model: 'model',
  baseUrl: 'http://127.0.0.1/v1',
  protocol: 'openai-chat',
  credential: 'none',
  limits: { window: 128_000 },
};
