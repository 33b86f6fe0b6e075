import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, UsageError } from '../../base/errors.ts';
import { homeAt, type Home } from '../../base/home.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { printable } from '../../base/printable.ts';
import { nearest } from '../../base/text.ts';
import { mcpListJson, renderMcpList, renderMcpTest, type McpRowView, type McpTestView } from '../../faces/cli/mcp.ts';
import type { JsonFlag, McpAddFlags } from '../../faces/cli/verbs.ts';
import { readSeen } from '../../parts/mcp/cache.ts';
import { judgeTools } from '../../parts/mcp/judge.ts';
import { fileNameFor, namesFor } from '../../parts/mcp/names.ts';
import { noteTools } from '../../parts/mcp/open.ts';
import { isChosen } from '../../parts/mcp/select.ts';
import { readServers, type ReadServers, type ServerConfig } from '../../parts/mcp/servers.ts';
import { tokenFile, tokenPath } from '../../parts/mcp/token-file.ts';
import { configOf, readConfig, readIfThere, tell, type Env } from '../config.ts';
import { withVariable } from '../env-file.ts';
import { mcpFolders, mcpPlace } from '../mcp.ts';
import { secretsOf } from '../redaction.ts';
import { entryFor } from '../mcp-entry.ts';
import { openSafety } from '../safety.ts';
import { processScreen } from '../screen.ts';
import { environment } from '../secrets.ts';
import { shown, secretsIn } from '../secret-names.ts';
import type { Settings } from '../settings.ts';
import { makeHome } from '../store.ts';
import { personPorts, stopSignal } from '../streams.ts';
import { withSetting } from '../yaml-edit.ts';
import { writeWhole } from '../write-whole.ts';

interface Desk extends ReadServers {
  readonly home: Home;
  readonly env: Env;
  readonly settings: Settings;
}

async function desk(): Promise<Desk> {
  const home = homeAt(process.env);
  makeHome(home);
  const env = environment(home.env, process.env);
  const reading = await readConfig(home.config, env);
  const [problem] = reading.problems;
  if (problem !== undefined) throw new UsageError(tell(home.config, problem));
  const { settings } = configOf(reading);
  return { home, env, settings, ...readServers(settings.mcp_servers) };
}

export async function list(flags: JsonFlag): Promise<number> {
  const { home, env, servers, problems, warnings } = await desk();
  const rows: readonly McpRowView[] = [
    ...servers.map((server) => rowOf(server, home, env)),
    ...problems.map(({ name, words }) => ({ name, transport: 'unknown', where: '', state: 'broken', problem: words }) as const),
  ];
  const screen = processScreen();
  if (flags.json === true) screen.json(mcpListJson(rows));
  else screen.out(renderMcpList(rows, screen));
  for (const { words } of warnings) process.stderr.write(`hermes: ${printable(words)}\n`);
  return problems.length > 0 ? 1 : 0;
}

function rowOf(server: ServerConfig, home: Home, env: Env): McpRowView {
  const { cache, tokens } = mcpFolders(home);
  const seen = readSeen(cache, server);
  const locked = server.kind === 'http' && server.oauth !== undefined && !loggedIn(tokens, server.name, server.url);
  const where = server.kind === 'stdio' ? [server.command, ...server.args].join(' ') : server.url;
  return {
    name: server.name,
    transport: server.kind,
    where: String(shown(where, secretsIn(env))),
    state: !server.enabled ? 'disabled' : locked ? 'login' : seen === undefined ? 'new' : 'ready',
    ...(seen !== undefined && {
      tools: seen.tools.filter(({ name }) => isChosen(name, server)).length,
      protocol: seen.protocol,
      seenAt: seen.at,
    }),
  };
}
const loggedIn = (folder: string, name: string, url: string): boolean =>
  tokenFile(tokenPath(folder, name), url).read('tokens') !== undefined;

export async function add(name: string, args: readonly string[], flags: McpAddFlags): Promise<number> {
  const { home, servers, problems } = await desk();
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(name))
    throw new UsageError(`${JSON.stringify(name)} is no name for a server: letters, digits, - and _, at most 40 of them.`);
  if ([...servers, ...problems].some((each) => each.name === name))
    throw new UsageError(`there is a server ${name} already; hermes mcp remove ${name} takes it away.`);
  const { entry, variables } = entryFor(name, args, flags);
  const wrong = readServers({ [name]: entry }).problems[0];
  if (wrong !== undefined) throw new UsageError(`${wrong.words}. Nothing was changed.`);
  if (variables.length > 0) {
    const env = variables.reduce((text, [variable, value]) => withVariable(text, variable, value), readIfThere(home.env) ?? '');
    writeWhole(home.env, env, 0o600);
  }
  writeWhole(home.config, withSetting(readIfThere(home.config) ?? '', `mcp_servers.${name}`, entry));
  const kept = variables.map(([variable]) => variable);
  return answer(flags, { name, file: home.config, variables: kept }, [
    `Added ${name} to ${home.config}.`,
    ...(kept.length === 0 ? [] : [`Its secrets are in ${home.env}, which only you can read: ${kept.join(', ')}.`]),
    `Try it: hermes mcp test ${name}`,
  ]);
}

export async function remove(name: string, flags: JsonFlag): Promise<number> {
  const { home, servers, problems } = await desk();
  const known = [...servers, ...problems].map((each) => each.name);
  if (!known.includes(name)) throw unknown(name, known);
  writeWhole(home.config, await withoutServer(readIfThere(home.config) ?? '', name));
  const { cache, tokens } = mcpFolders(home);
  rmSync(join(cache, fileNameFor(name)), { force: true });
  const login = tokenPath(tokens, name);
  const hadLogin = existsSync(login);
  rmSync(login, { force: true });
  return answer(flags, { name, file: home.config, login: hadLogin }, [
    `Removed ${name} from ${home.config}${hadLogin ? ', and its login' : ''}. Running sessions keep it until they end.`,
  ]);
}

/** The settings without one server; the section goes with its last. Comments and everything else stay. */
async function withoutServer(text: string, name: string): Promise<string> {
  const { isMap, parseDocument } = await import('yaml');
  const document = parseDocument(text, { keepSourceTokens: false });
  document.deleteIn(['mcp_servers', name]);
  const rest = document.get('mcp_servers');
  if (isMap(rest) && rest.items.length === 0) document.delete('mcp_servers');
  return isMap(document.contents) && document.contents.items.length === 0 && document.commentBefore == null
    ? ''
    : document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Exit code 1 when the server cannot be reached. */
export async function test(name: string, flags: JsonFlag): Promise<number> {
  const { home, env, settings, servers, problems } = await desk();
  const broken = problems.find((each) => each.name === name);
  if (broken !== undefined) throw new UsageError(broken.words);
  const server = servers.find((each) => each.name === name);
  if (server === undefined)
    throw unknown(
      name,
      [...servers, ...problems].map((each) => each.name),
    );
  const screen = processScreen();
  try {
    const view = await look(server, { home, env, settings });
    if (flags.json === true) screen.json({ ok: true, ...view });
    else screen.out(renderMcpTest(view, screen));
    return 0;
  } catch (error) {
    const words = printable(messageOf(error));
    if (flags.json === true) screen.json({ name, ok: false, error: words });
    else process.stderr.write(`hermes: the MCP server ${name} could not be reached: ${words}\n`);
    return 1;
  }
}

async function look(server: ServerConfig, { home, env, settings }: Pick<Desk, 'home' | 'env' | 'settings'>): Promise<McpTestView> {
  // Somebody in front of a terminal can be shown the way to a login; nobody else is sent anywhere.
  const place = { ...mcpPlace({ home, env, settings, cwd: process.cwd() }), ...(personPorts().clarify !== undefined && { showLogin }) };
  const { connect } = await import('../../parts/mcp/connect.ts');
  const started = performance.now();
  const connection = await connect(server, place, { signal: stopSignal(), toolsChanged: () => {} });
  try {
    const connectMs = performance.now() - started;
    const asked = performance.now();
    await connection.ping();
    const latencyMs = performance.now() - asked;
    const seen = await noteTools(server, connection, { cache: mcpFolders(home).cache, redact: secretsOf(process.env).redactAll });
    const judged = await openSafety(home).judged((admit) => judgeTools(server.name, seen.tools, admit));
    const names = namesFor(seen.tools.map((tool) => ({ server: server.name, tool: tool.name })));
    return {
      name: server.name,
      server: connection.server,
      protocol: connection.protocol,
      connectMs: Math.round(connectMs),
      latencyMs: Math.round(latencyMs),
      tools: judged.tools.map(({ name, description, readOnly, blocked }, index) => ({
        name: names[index] ?? name,
        tool: name,
        description,
        readOnly,
        excluded: !isChosen(name, server),
        ...(blocked !== undefined && { blocked }),
      })),
    };
  } finally {
    await connection.close();
  }
}

const showLogin = (url: URL): void => void process.stderr.write(`Open this address in your browser and log in:\n\n  ${url.href}\n\n`);

function unknown(name: string, known: readonly string[]): UsageError {
  const guess = nearest(name, known);
  return new UsageError(
    `there is no MCP server ${name}${guess === undefined ? '' : `; did you mean ${guess}?`}. hermes mcp list shows them.`,
  );
}

function answer(flags: JsonFlag, value: JsonObject, lines: readonly string[]): number {
  const screen = processScreen();
  if (flags.json === true) screen.json(value);
  else screen.out(`${lines.join('\n')}\n`);
  return 0;
}
