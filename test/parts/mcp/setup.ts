import { mkdtempSync, rmSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { joinTextBlocks } from '../../../src/contracts/message.ts';
import type { AdmitText } from '../../../src/contracts/scan.ts';
import type { ToolContext, ToolOutput } from '../../../src/contracts/tool.ts';
import { openMcp, type Mcp, type McpOptions } from '../../../src/parts/mcp/open.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { openReach } from '../../../src/parts/safety/urls/reach.ts';
import { urlSettings } from '../../../src/parts/safety/urls/settings.ts';
import type { NetworkAccess } from '../../../src/contracts/reach.ts';
import { readServers, type ServerConfig } from '../../../src/parts/mcp/servers.ts';
import { ODD_SERVER, type Mode } from './odd-server.ts';

/** The SDK is optional: what needs it is left out where it is not installed, with the reason. */
const missing = (name: string): Promise<string | false> =>
  access(resolve('node_modules', name, 'package.json')).then(
    () => false,
    () => `${name} is not installed`,
  );
export const NEEDS_SDK = { skip: await missing('@modelcontextprotocol/sdk') };
export const NEEDS_REFERENCE = { skip: await missing('@modelcontextprotocol/server-everything') };

export const tempFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-mcp-'));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
};

/** A server of the settings, by its entry. */
export function serverOf(name: string, entry: JsonObject): ServerConfig {
  const { servers, problems } = readServers({ [name]: entry });
  const [server] = servers;
  if (server === undefined) throw new Error(problems.map(({ words }) => words).join('; '));
  return server;
}
export const odd = (mode: Mode, more: JsonObject = {}): ServerConfig =>
  serverOf('odd', { command: process.execPath, args: [ODD_SERVER, mode], connect_timeout: 20, timeout: 20, ...more });

/** A reference server from npm, by the folder of its package. */
export const reference = (name: string, args: readonly string[] = []): ServerConfig =>
  serverOf(name, {
    command: process.execPath,
    args: [resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
    connect_timeout: 60,
  });

export const ADMIT_ALL: AdmitText = () => ({ allow: true, notices: [] });

/** The guard as it is without any setting; `open` are addresses that count as public ones. */
export const reachIn = (folder: string, open: readonly string[] = []): NetworkAccess =>
  openReach({
    settings: collectDefaults(urlSettings),
    home: folder,
    open,
  });

export function optionsIn(folder: string, servers: readonly ServerConfig[], more: Partial<McpOptions> = {}): McpOptions {
  return {
    servers,
    place: { env: process.env, cwd: folder, tokens: join(folder, 'mcp-tokens'), version: '0.0.0', reach: reachIn(folder) },
    cache: join(folder, 'cache', 'mcp'),
    discoveryMs: 60_000,
    judge: async (work) => work(ADMIT_ALL),
    ...more,
  };
}
export const openIn = (folder: string, servers: readonly ServerConfig[], more: Partial<McpOptions> = {}): Promise<Mcp> =>
  openMcp(optionsIn(folder, servers, more));

/** What a tool may know of its call, as far as these tools look. */
export const context = (more: Partial<ToolContext> = {}): ToolContext => ({
  signal: new AbortController().signal,
  sessionId: 's1',
  turnId: 't1',
  callId: 'c1',
  taint: [],
  terminal: {
    kind: 'none',
    cwd: '/',
    get files(): never {
      throw new Error('no files here');
    },
    run: () => Promise.reject(new Error('no commands here')),
    start: () => Promise.reject(new Error('no commands here')),
    [Symbol.asyncDispose]: async () => {},
  },
  ports: {},
  report: () => {},
  approve: async () => ({ allow: false, by: 'test', reason: 'nobody is here' }),
  call: () => Promise.reject(new Error('no other tools here')),
  ...more,
});

export function call({ tools }: Mcp, name: string, input: JsonObject = {}, more: Partial<ToolContext> = {}): Promise<ToolOutput> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name} among ${tools.map((each) => each.name).join(', ')}`);
  return tool.run(input as never, context(more));
}
export const wordsOf = (output: ToolOutput): string =>
  joinTextBlocks({ role: 'tool', callId: '', name: '', content: output.content, failed: false });

/** Waits for something that comes about by itself; fails with what is still there. */
export async function until<Value>(look: () => Value, fits: (value: Value) => boolean, ms = 20_000): Promise<Value> {
  const end = performance.now() + ms;
  while (true) {
    const value = look();
    if (fits(value)) return value;
    if (performance.now() > end) throw new Error(`waited ${ms} ms in vain; there is ${JSON.stringify(value)}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}
