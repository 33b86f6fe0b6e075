import { UsageError } from '../../base/errors.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { Home } from '../../base/home.ts';
import type { OmittedTools, McpRowView, McpService, McpTestView } from '../../contracts/services/tools.ts';
import { readCachedOffer, type CachedOffer } from '../../parts/mcp/cache.ts';
import { judgeTools } from '../../parts/mcp/judge.ts';
import { nameServerTools } from '../../parts/mcp/names.ts';
import { refreshCachedTools } from '../../parts/mcp/open.ts';
import { describeLeftOutTools, type RemoteTool } from '../../parts/mcp/remote-tools.ts';
import { isChosen } from '../../parts/mcp/select.ts';
import type { ServerConfig } from '../../parts/mcp/servers.ts';
import { bindTokenFile, resolveTokenPath } from '../../parts/mcp/token-file.ts';
import type { Env } from '../../base/env.ts';
import { resolveMcpFolders, createMcpConnectOptions } from '../host/mcp.ts';
import { openMcpSettings, listServerNames, createUnknownServerError, type McpSettings } from './mcp-settings.ts';
import { splitUrlSecrets, splitArgumentSecrets, type ValuePart } from '../../parts/mcp/entry-secrets.ts';
import { loadSharedSecrets } from '../host/redaction.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { withoutShapes } from '../../parts/safety/secrets/shapes.ts';
import { maskSecret, listSecretValues, maskValue } from '../../base/secret-names.ts';
import { addServer, removeServer } from './mcp-change.ts';

export const createMcpService = ({ processEnv, notice, registered }: ServiceOptions): McpService => ({
  list: async () => {
    const { home, env, servers, problems, warnings } = await openMcpSettings(processEnv, registered);
    const broken = problems.map(({ name, words }): McpRowView => ({
      name,
      transport: 'unknown',
      where: '',
      state: 'broken',
      problem: words,
    }));
    return { servers: [...servers.map((server) => rowOf(server, home, env)), ...broken], warnings: warnings.map(({ words }) => words) };
  },
  add: (server) => addServer(server, processEnv, registered),
  test: async (name, signal, showLogin) => {
    const configured = await openMcpSettings(processEnv, registered);
    const broken = configured.problems.find((each) => each.name === name);
    if (broken !== undefined) throw new UsageError(broken.words);
    const server = configured.servers.find((each) => each.name === name);
    if (server === undefined) throw createUnknownServerError(name, listServerNames(configured));
    return look(server, configured, {
      signal,
      processEnv,
      notice,
      ...(showLogin !== undefined && { showLogin: (url: URL) => showLogin(url.href) }),
    });
  },
  remove: (name) => removeServer(name, processEnv, registered),
});

function rowOf(server: ServerConfig, home: Home, env: Env): McpRowView {
  const { cache, tokens } = resolveMcpFolders(home);
  const seen = readCachedOffer(cache, server);
  const locked = server.kind === 'http' && server.oauth !== undefined && !loggedIn(tokens, server.name, server.url);
  return {
    name: server.name,
    transport: server.kind,
    where: String(maskValue(whereOf(server), listSecretValues(env))),
    state: !server.enabled ? 'disabled' : locked ? 'login' : seen === undefined ? 'new' : 'ready',
    ...(seen !== undefined && {
      tools: chosenOf(server, seen).length,
      protocol: seen.protocol,
      seenAt: seen.at,
      ...toOmittedTools(server, seen),
    }),
  };
}
const toOmittedTools = ({ name }: ServerConfig, seen: CachedOffer): OmittedTools => {
  const notice = describeLeftOutTools(name, seen);
  return { leftOut: seen.beyond, ...(notice !== undefined && { notice }) };
};
const loggedIn = (folder: string, name: string, url: string): boolean =>
  bindTokenFile(resolveTokenPath(folder, name), url).read('tokens') !== undefined;

/** Its command line or address; what is a secret in it is masked, wherever it came from. */
const whereOf = (server: ServerConfig): string =>
  server.kind === 'http'
    ? joinMasked(splitUrlSecrets(server.url, withoutShapes))
    : [server.command, ...splitArgumentSecrets(server.args, withoutShapes).map((pieces) => joinMasked(pieces))].join(' ');
const joinMasked = (pieces: readonly ValuePart[]): string =>
  pieces.map(({ text, field }) => (field === undefined ? text : maskSecret(text))).join('');

const chosenOf = (server: ServerConfig, seen: CachedOffer | undefined): readonly RemoteTool[] =>
  (seen?.tools ?? []).filter(({ name }) => isChosen(name, server));

interface McpProbeOptions {
  readonly signal: AbortSignal;
  readonly processEnv: Env;
  readonly notice: (words: string) => void;
  readonly showLogin?: (url: URL) => void;
}

async function look(
  server: ServerConfig,
  configured: McpSettings,
  { signal, processEnv, notice, ...login }: McpProbeOptions,
): Promise<McpTestView> {
  const { home } = configured;
  const place = { ...createMcpConnectOptions({ ...configured, notice, cwd: process.cwd() }), ...login };
  const { connect } = await import('../../parts/mcp/connect.ts');
  const started = performance.now();
  const connection = await connect(server, place, { signal, toolsChanged: () => {} });
  try {
    const connectMs = performance.now() - started;
    const asked = performance.now();
    await connection.ping();
    const latencyMs = performance.now() - asked;
    const seen = await refreshCachedTools(server, connection, {
      cache: resolveMcpFolders(home).cache,
      redact: loadSharedSecrets(processEnv).redactAll,
    });
    return {
      name: server.name,
      server: connection.server,
      protocol: connection.protocol,
      connectMs: Math.round(connectMs),
      latencyMs: Math.round(latencyMs),
      tools: await toolsOf(server, seen, configured, notice),
      ...toOmittedTools(server, seen),
    };
  } finally {
    await connection.close();
  }
}

/** With the names a session would give them: these hang on what the other servers offer, and on what is left out. */
async function toolsOf(
  server: ServerConfig,
  seen: CachedOffer,
  { home, servers }: McpSettings,
  notice: (words: string) => void,
): Promise<McpTestView['tools']> {
  const { cache } = resolveMcpFolders(home);
  const mine = { config: server, tools: chosenOf(server, seen) };
  const others = servers
    .filter(({ name, enabled }) => enabled && name !== server.name)
    .map((config) => ({ config, tools: chosenOf(config, readCachedOffer(cache, config)) }));
  const names = new Map(nameServerTools([...others, mine]).flatMap(({ from, tool, name }) => (from === mine ? [[tool, name]] : [])));
  const judged = await openSafety(home, notice).judged((admit) => judgeTools(server.name, seen.tools, admit));
  return judged.tools.map(({ name: tool, description, readOnly, blocked }, index) => {
    const told = seen.tools[index];
    const name = told === undefined ? undefined : names.get(told);
    return {
      ...(name !== undefined && { name }),
      tool,
      description,
      readOnly,
      excluded: name === undefined,
      ...(blocked !== undefined && { blocked }),
    };
  });
}
