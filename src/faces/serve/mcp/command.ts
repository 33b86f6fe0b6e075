import type { Env } from '../../../base/env.ts';
import type { Home } from '../../../base/home.ts';
import { forwardLines } from '../../../base/notice-board.ts';
import type { McpServeValues } from '../../../commands/mcp-serve.ts';
import type { Host } from '../../../contracts/host.ts';
import { becomeService } from '../service-process.ts';
import type { ClientRules, ServeDeps } from './contract.ts';
import { serveHttp } from './http.ts';
import { createSending } from './sending.ts';
import { createConnector, type ConnectClient } from './server.ts';
import { readServeToken, TOKEN_VARIABLE } from './token.ts';
import { createConversationTools } from './tools.ts';

export interface McpServeDeps {
  openHost(): Promise<Host>;
  openServices(host: Host): Promise<Pick<ServeDeps, 'approvals' | 'chats'>>;
  readonly env: Env;
  readonly home: Home;
}

/** `hermes mcp serve`: serves until the client hangs up or a signal comes. Gives the exit code. */
export async function runMcpServe(values: McpServeValues, json: boolean, deps: McpServeDeps): Promise<number> {
  const { stop, notice, exitCode } = becomeService();
  await using host = await deps.openHost();
  await using _notices = forwardLines(host.notices, ({ text }) => notice(text));
  const conversations = { host, ...(await deps.openServices(host)), rules: toRules(values) };
  await using sending = createSending(conversations);
  const connect = await createConnector(createConversationTools(conversations, sending));
  await sending.recover();
  await (values.http === true
    ? overHttp(values.port ?? DEFAULT_PORT, json, { connect, notice, stop, deps })
    : overStdio(connect, notice, stop));
  return exitCode();
}

/** Beside those of the API server and the webhooks. */
const DEFAULT_PORT = 8645;

const toRules = ({ tools, source, attended, allowApprovals }: McpServeValues): ClientRules => ({
  ...(tools !== undefined && { tools: tools.split(',').map((name) => name.trim()) }),
  ...(source !== undefined && { sources: source.split(',').map((name) => name.trim()) }),
  attended: attended === true,
  mayAllow: allowApprovals === true,
});

async function overStdio(connect: ConnectClient, notice: (words: string) => void, stop: AbortSignal): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  if (process.stdin.isTTY)
    notice(
      'this command is started by an MCP client and waits for its messages. Stop it with Ctrl-C; to serve over HTTP: hermes mcp serve --http',
    );
  const hungUp = new Promise<void>((done) => process.stdin.once('end', done).once('close', done));
  await connect(new StdioServerTransport(process.stdin, process.stdout));
  await Promise.race([hungUp, aborted(stop)]);
}

interface HttpRun {
  readonly connect: ConnectClient;
  readonly notice: (words: string) => void;
  readonly stop: AbortSignal;
  readonly deps: McpServeDeps;
}
async function overHttp(port: number, json: boolean, { connect, notice, stop, deps }: HttpRun): Promise<void> {
  const { token, file } = readServeToken(deps.env, deps.home);
  await using service = await serveHttp({ port, token, connect });
  if (json) process.stdout.write(`${JSON.stringify({ url: service.url, token_file: file ?? null })}\n`);
  notice(`serving conversations at ${service.url}. The token is in ${file ?? TOKEN_VARIABLE}. Stop with Ctrl-C.`);
  await aborted(stop);
}

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
};
