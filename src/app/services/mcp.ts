import { UsageError } from '../../base/errors.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { Home } from '../../base/home.ts';
import type { MissingTools, McpRowView, McpService, McpTestView } from '../../contracts/services/tools.ts';
import { readSeen, type CachedOffer } from '../../parts/mcp/cache.ts';
import { judgeTools } from '../../parts/mcp/judge.ts';
import { nameAll } from '../../parts/mcp/names.ts';
import { noteTools } from '../../parts/mcp/open.ts';
import { leftOutWords, type RemoteTool } from '../../parts/mcp/remote-tools.ts';
import { isChosen } from '../../parts/mcp/select.ts';
import type { ServerConfig } from '../../parts/mcp/servers.ts';
import { tokenFile, tokenPath } from '../../parts/mcp/token-file.ts';
import type { Env } from '../../base/env.ts';
import { mcpFolders, mcpConnectOptions } from '../host/mcp.ts';
import { openMcpSettings, serverNames, unknownServer, type McpSettings } from './mcp-settings.ts';
import { piecesOfUrl, piecesOfWords, type ValuePart } from '../../parts/mcp/entry-secrets.ts';
import { secretsOf } from '../host/redaction.ts';
import { openSafety } from '../../parts/safety/scan/open.ts';
import { withoutShapes } from '../../parts/safety/secrets/shapes.ts';
import { maskSecret, secretsIn, maskValue } from '../../base/secret-names.ts';
import { addServer, removeServer } from './mcp-change.ts';

export const mcpService = ({ processEnv, notice, registered }: ServiceOptions): McpService => ({
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
    if (server === undefined) throw unknownServer(name, serverNames(configured));
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
  const { cache, tokens } = mcpFolders(home);
  const seen = readSeen(cache, server);
  const locked = server.kind === 'http' && server.oauth !== undefined && !loggedIn(tokens, server.name, server.url);
  return {
    name: server.name,
    transport: server.kind,
    where: String(maskValue(whereOf(server), secretsIn(env))),
    state: !server.enabled ? 'disabled' : locked ? 'login' : seen === undefined ? 'new' : 'ready',
    ...(seen !== undefined && { tools: chosenOf(server, seen).length, protocol: seen.protocol, seenAt: seen.at, ...lackOf(server, seen) }),
  };
}
const lackOf = ({ name }: ServerConfig, seen: CachedOffer): MissingTools => {
  const notice = leftOutWords(name, seen);
  return { leftOut: seen.beyond, ...(notice !== undefined && { notice }) };
};
const loggedIn = (folder: string, name: string, url: string): boolean =>
  tokenFile(tokenPath(folder, name), url).read('tokens') !== undefined;

/** Its command line or address; what is a secret in it is masked, wherever it came from. */
const whereOf = (server: ServerConfig): string =>
  server.kind === 'http'
    ? seemly(piecesOfUrl(server.url, withoutShapes))
    : [server.command, ...piecesOfWords(server.args, withoutShapes).map((pieces) => seemly(pieces))].join(' ');
const seemly = (pieces: readonly ValuePart[]): string =>
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
  const place = { ...mcpConnectOptions({ ...configured, notice, cwd: process.cwd() }), ...login };
  const { connect } = await import('../../parts/mcp/connect.ts');
  const started = performance.now();
  const connection = await connect(server, place, { signal, toolsChanged: () => {} });
  try {
    const connectMs = performance.now() - started;
    const asked = performance.now();
    await connection.ping();
    const latencyMs = performance.now() - asked;
    const seen = await noteTools(server, connection, { cache: mcpFolders(home).cache, redact: secretsOf(processEnv).redactAll });
    return {
      name: server.name,
      server: connection.server,
      protocol: connection.protocol,
      connectMs: Math.round(connectMs),
      latencyMs: Math.round(latencyMs),
      tools: await toolsOf(server, seen, configured, notice),
      ...lackOf(server, seen),
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
  const { cache } = mcpFolders(home);
  const mine = { config: server, tools: chosenOf(server, seen) };
  const others = servers
    .filter(({ name, enabled }) => enabled && name !== server.name)
    .map((config) => ({ config, tools: chosenOf(config, readSeen(cache, config)) }));
  const names = new Map(nameAll([...others, mine]).flatMap(({ from, tool, name }) => (from === mine ? [[tool, name]] : [])));
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
