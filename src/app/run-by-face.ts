import type { ProviderWatchOptions } from '../faces/gateway/process/provider-watch.ts';
import { resolveHome } from '../base/home.ts';
import type { AcpValues } from '../commands/acp.ts';
import { refuseAgent } from '../commands/agent-forbidden.ts';
import type { DemoValues } from '../commands/demo.ts';
import { gatewayRun, type GatewayRunValues } from '../commands/gateway.ts';
import { mcpServe, type McpServeValues } from '../commands/mcp-serve.ts';
import { serve, type ServeValues } from '../commands/serve.ts';
import type { CommandValues } from '../contracts/command.ts';
import { tellNotice } from '../faces/cli/streams.ts';
import { allowedByEnv, openOwnHost, startedByAgent, type Invocation } from './invocation.ts';

interface FaceInvocation extends Invocation {
  /** Runs `hermes setup` and gives its exit code. */
  setUp(): Promise<number>;
}
type RunByFace = (values: CommandValues, json: boolean, invocation: FaceInvocation) => Promise<number>;

/** Commands whose work is a stream or a service, not a value: their face does it. */
export const RUN_BY_FACE: ReadonlyMap<string, RunByFace> = new Map<string, RunByFace>([
  ['demo', runDemo],
  ['acp', runAcp],
  ['mcp serve', runServe],
  ['gateway run', runGatewayCommand],
  ['serve', runServeCommand],
]);

async function runDemo(values: DemoValues, _json: boolean, invocation: FaceInvocation): Promise<number> {
  const [{ runDemoCommand }, { scriptedProvider }, { scriptedRoute }, { createDemoScript, isGreen }, { writeDemoProject }] =
    await Promise.all([
      import('../faces/cli/demo.ts'),
      import('../testing/scripted-provider.ts'),
      import('../testing/scripted-route.ts'),
      import('../testing/demo/script.ts'),
      import('../testing/demo/project.ts'),
    ]);
  const provider = (pace: Parameters<typeof createDemoScript>[0]) => scriptedRoute(scriptedProvider(createDemoScript(pace)));
  return runDemoCommand(values, {
    openHost: () => openOwnHost({ ...invocation, options: {} }),
    provider,
    layOutProject: writeDemoProject,
    isGreen,
    storePath: resolveHome(invocation.env).store,
  });
}

/** The service of one editor; `--setup` is what its log-in button runs. */
async function runAcp({ setup }: AcpValues, _json: boolean, invocation: FaceInvocation): Promise<number> {
  if (setup === true) return invocation.setUp();
  const [{ runAcpCommand }, { createOfferedModels }] = await Promise.all([
    import('../faces/serve/acp/command.ts'),
    import('../parts/providers/offered-models.ts'),
  ]);
  const listModels = createOfferedModels({
    first: 'table',
    withModels: async (use) => {
      const { openServices } = await import('./services/services.ts');
      await using services = openServices({ processEnv: invocation.env, notice: () => {}, ...invocation.options });
      return await use(await services.openers.models());
    },
  });
  return runAcpCommand({
    openHost: () => openOwnHost(invocation),
    listModels: async (provider) => (await listModels(provider)).map((model) => ({ model, provider })),
    allowAll: allowedByEnv(invocation),
  });
}

/** Conversations for an MCP client; what waits for an answer is answered through the same service as `hermes approvals`. */
async function runServe(values: McpServeValues, json: boolean, invocation: FaceInvocation): Promise<number> {
  await refuseAgent(mcpServe, values, startedByAgent);
  const [{ runMcpServe }, { openServices }] = await Promise.all([
    import('../faces/serve/mcp/command.ts'),
    import('./services/services.ts'),
  ]);
  const { env } = invocation;
  await using opened = new AsyncDisposableStack();
  return await runMcpServe(values, json, {
    openHost: () => openOwnHost(invocation),
    openServices: async ({ store }) => {
      const { openers } = opened.use(openServices({ processEnv: env, notice: tellNotice }, { store: async () => store }));
      return { approvals: await openers.approvals(), chats: await openers.sends() };
    },
    env,
    home: resolveHome(env),
  });
}

/** The API of a profile alone, until it is told to end. */
async function runServeCommand(values: ServeValues, json: boolean, invocation: FaceInvocation): Promise<number> {
  await refuseAgent(serve, values, startedByAgent);
  const [{ serveApi }, { openServedHome }, { openServices }] = await Promise.all([
    import('../faces/serve/api/command.ts'),
    import('./serve-home.ts'),
    import('./services/services.ts'),
  ]);
  const { env } = invocation;
  const at = { ...(values.host !== undefined && { host: values.host }), ...(values.port !== undefined && { port: values.port }) };
  await using opened = new AsyncDisposableStack();
  return await serveApi(json, {
    openHost: () => openOwnHost(invocation),
    openApi: async (host, log) => {
      const { openers } = opened.use(openServices({ processEnv: env, notice: tellNotice }, { store: async () => host.store }));
      const withModels: ProviderWatchOptions['withModels'] = async (look) => {
        await using services = openServices({ processEnv: env, notice: () => {} }, { store: async () => host.store });
        return await look(await services.openers.models());
      };
      return openServedHome({ host, approvals: await openers.approvals(), jobs: await openers.jobs(), log, at, withModels });
    },
    drainMs: ({ config: { settings } }) => settings['gateway.restart_drain_timeout'] * 1_000,
  });
}

/** The chats of a profile, until the gateway is told to end. */
async function runGatewayCommand(values: GatewayRunValues, json: boolean, invocation: FaceInvocation): Promise<number> {
  await refuseAgent(gatewayRun, values, startedByAgent);
  const [{ runGateway }, { openServices }] = await Promise.all([import('./gateway/run.ts'), import('./services/services.ts')]);
  const { env } = invocation;
  return runGateway(values, json, {
    env,
    openHost: () => openOwnHost(invocation),
    openServices: (store, notice) => openServices({ processEnv: env, notice }, { store: async () => store }),
  });
}
