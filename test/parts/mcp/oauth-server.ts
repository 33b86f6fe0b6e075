import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readPath, parseJson, readStringAt } from '../../../src/base/json.ts';
import type { JsonObject } from '../../../src/base/json-types.ts';

/** A server behind a login, with its authorization server: registration, PKCE, refresh. Loopback only. */
export interface OAuthServer extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  readonly bank: Bank;
  /** Every path that was asked for, in order. */
  readonly asked: string[];
  /** What was granted, in order: `code`, `refresh`. */
  readonly granted: string[];
  readonly registered: JsonObject[];
  /** No token is good any more; with `refreshable` a refresh still is. */
  revoke(refreshable: boolean): void;
}

export interface OAuthOptions {
  /** Answers in place of the honest ones, by path. */
  readonly twist?: Routes;
  /** Shares its tokens with another server. */
  readonly bank?: Bank;
}

export async function startOAuthServer({ twist = {}, bank = openBank() }: OAuthOptions = {}): Promise<OAuthServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '', 'http://x');
      asked.push(pathname);
      const route = twist[pathname] ?? ROUTES[pathname];
      if (route === undefined) response.writeHead(404).end();
      else route({ body, request, response, bank, origin });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    bank,
    asked,
    granted: bank.granted,
    registered: bank.registered,
    revoke: (refreshable) => {
      bank.tokens.clear();
      if (!refreshable) bank.refreshes.clear();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** What the authorization server remembers. */
const openBank = () => ({
  tokens: new Set<string>(),
  refreshes: new Set<string>(),
  /** The challenge a code belongs to. */
  challenges: new Map<string, string>(),
  granted: [] as string[],
  registered: [] as JsonObject[],
});
export type Bank = ReturnType<typeof openBank>;

interface Visit {
  readonly body: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bank: Bank;
  readonly origin: string;
}

export type Routes = Readonly<Record<string, (visit: Visit) => void>>;

export const send = (response: ServerResponse, status: number, value: JsonObject, headers: Readonly<Record<string, string>> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

export const PROTECTED = '/.well-known/oauth-protected-resource/mcp';
export const METADATA = '/.well-known/oauth-authorization-server';

export const metadataAt = (origin: string): JsonObject => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
});

const ROUTES: Routes = {
  [PROTECTED]: ({ response, origin }) => send(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] }),
  [METADATA]: ({ response, origin }) => send(response, 200, metadataAt(origin)),
  '/register': ({ body, response, bank }) => {
    const client = { ...(parseJson(body) as JsonObject), client_id: randomBytes(16).toString('hex') };
    bank.registered.push(client);
    send(response, 201, client);
  },
  '/authorize': ({ request, response, bank, origin }) => {
    const query = new URL(request.url ?? '', origin).searchParams;
    const code = randomBytes(8).toString('hex');
    bank.challenges.set(code, query.get('code_challenge') ?? '');
    const back = new URLSearchParams({ code, state: query.get('state') ?? '' });
    response.writeHead(302, { location: `${query.get('redirect_uri')}?${back.toString()}` }).end();
  },
  '/token': ({ body, response, bank }) => {
    const given = grant(new URLSearchParams(body), bank);
    send(response, given === undefined ? 400 : 200, given ?? { error: 'invalid_grant' });
  },
  '/mcp': ({ body, request, response, bank, origin }) => {
    const way = { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` };
    if (!bank.tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))) return send(response, 401, {}, way);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = parseJson(body);
    if (readPath(message, 'id') === undefined) return void response.writeHead(202).end();
    send(response, 200, {
      jsonrpc: '2.0',
      id: readPath(message, 'id') ?? null,
      result: ANSWERS[readStringAt(message, 'method') ?? ''] ?? {},
    });
  },
};

function grant(form: URLSearchParams, bank: Bank): JsonObject | undefined {
  const [code, refresh] = [form.get('code') ?? '', form.get('refresh_token') ?? ''];
  if (form.get('grant_type') === 'refresh_token') return bank.refreshes.delete(refresh) ? issue('refresh', bank) : undefined;
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return bank.challenges.get(code) === proof ? issue('code', bank) : undefined;
}

function issue(how: string, { tokens, refreshes, granted }: Bank): JsonObject {
  const [access, refresh] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')];
  granted.push(how);
  tokens.add(access);
  refreshes.add(refresh);
  return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3_600 };
}

const ANSWERS: Readonly<Record<string, JsonObject>> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'locked', version: '1' } },
  'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'inside' }] },
};
