import { toErrorMessage } from '../../base/errors.ts';
import { findUrls } from '../../base/find-urls.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { toOneLine } from '../../base/printable.ts';
import { takeStart } from '../../base/text.ts';
import { createTextBlock, isProjectSource } from '../../contracts/message.ts';
import type { SinkConsent, Tool, ToolContext, ToolOutput } from '../../contracts/tool.ts';
import type { Progress } from './connection.ts';
import { describeCallFailure } from './failures.ts';
import type { ServerLink } from './link.ts';
import type { RemoteTool } from './remote-tools.ts';
import { toToolOutput } from './results.ts';
import { removeInvisible } from './schema.ts';
import type { ServerConfig } from './servers.ts';
import { sanitizeToolName } from './judge.ts';
import { matchesGlob } from './select.ts';

/** Characters of a result kept inline; the reference allows MCP tools half of what others have. */
const MAX_RESULT = 50_000;
const PROGRESS_EVERY_MS = 250;
const LONGEST_NOTE = 200;

/** A tool of a server as one of ours. Nothing it answers is trusted, and what it says of itself only makes it run later or less. */
export function createMcpTool(
  name: string,
  remote: RemoteTool,
  config: ServerConfig,
  link: ServerLink,
  introductions: Introductions,
): Tool<JsonObject> {
  const foreign = `mcp server ${config.name}`;
  const sink = findMcpSink(remote, config);
  return {
    name,
    description: remote.description,
    input: remote.input,
    // Without the owner's word that its calls get along, a call is alone with whatever it may touch.
    effects: () => ({ kind: remote.readOnly ? 'read' : 'write', resources: config.parallel ? [] : ['*'] }),
    // A server may go to addresses in the arguments, or show them to somebody.
    reaches: findUrls,
    replay: remote.readOnly && remote.idempotent ? 'safe' : 'never',
    idempotent: remote.readOnly,
    offTerminal: true,
    trust: 'foreign',
    ...(sink !== undefined && { sink: () => sink, sinkConsent: consentTo(name, remote, config, foreign) }),
    forget: introductions.forget,
    // Reaching the server and the call itself have their own limits; waiting for another call must not count.
    timeoutMs: 0,
    maxResult: MAX_RESULT,
    run: async (input, context) => {
      try {
        const result = await link.call(remote.name, input, {
          signal: context.signal,
          onProgress: progressTo(context),
          ...(remote.method !== undefined && { method: remote.method }),
        });
        const output = read(result, foreign);
        const words = context.forScript === true ? '' : introductions.next(context.sessionId, link.instructions());
        return words === ''
          ? output
          : { ...output, content: [...output.content, createTextBlock(introduction(config.name, words), 'foreign')] };
      } catch (error) {
        const facts = { story: link.story(), timeoutMs: config.timeoutMs, stopped: context.signal.aborted };
        return {
          content: [createTextBlock(describeCallFailure(config.name, remote.name, error, facts), 'foreign')],
          foreign,
          failed: true,
        };
      }
    },
  };
}

/** What a server says of how to use it, told to each session once, with the first result it gives. */
export interface Introductions {
  /** The words to tell now; empty when there are none, or they were told. */
  next(sessionId: string, words: string): string;
  /** The session's view lost what was told. */
  forget(sessionId: string): void;
}
const MAX_INTRODUCED = 1_000;

export function createIntroductions(): Introductions {
  const told = new Set<string>();
  return {
    next: (sessionId, words) => {
      if (told.has(sessionId) || words.trim() === '') return '';
      told.add(sessionId);
      if (told.size > MAX_INTRODUCED) told.delete(told.values().next().value ?? '');
      return words;
    },
    forget: (sessionId) => void told.delete(sessionId),
  };
}
/** Characters of a server's instructions. */
const MAX_INSTRUCTIONS = 2_000;
const introduction = (server: string, words: string): string =>
  `\n[How the MCP server ${server} says its tools are used; its words, not the user's:]\n${takeStart(removeInvisible(words).trim(), MAX_INSTRUCTIONS)}`;

/**
 * Consent may hold for this tool as long as the session; the owner's settings make it lasting. To what only claims to look,
 * it holds for all such tools of the server; there, the server's own words and those of the project are no reason to ask.
 */
function consentTo(name: string, remote: RemoteTool, config: ServerConfig, foreign: string): SinkConsent {
  const server = config.name;
  const advice = `tools.trusted in mcp_servers.${server} (${sanitizeToolName(remote)}) allows it for good`;
  if (!isSinkByDoubt(remote, config)) return { key: 'mcp_write', at: [`program:${name}`], advice };
  return {
    key: 'mcp_write',
    at: [`program:mcp-${server} (read-only)`],
    advice: `the server only says that this tool does not change anything; trust_hints in mcp_servers.${server} believes it for good`,
    ignores: (source) => source === foreign || isProjectSource(source),
  };
}

/** A result may be nested deeper than anything can walk. */
function read(result: Json, foreign: string): ToolOutput {
  try {
    return toToolOutput(result, foreign);
  } catch (error) {
    return {
      content: [createTextBlock(`The call was done, but its result could not be read: ${toErrorMessage(error)}`, 'foreign')],
      foreign,
      failed: true,
    };
  }
}

/** A note now and then: a server may send thousands. */
function progressTo(context: ToolContext): (progress: Progress) => void {
  let last = -Infinity;
  return ({ progress, total, message }) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS && progress !== total) return;
    last = now;
    const share = total === undefined ? String(progress) : `${progress} of ${total}`;
    context.report(message === undefined ? share : `${share}: ${takeStart(toOneLine(message), LONGEST_NOTE)}`);
  };
}

/**
 * The lasting place a call of this tool writes to, in words; nothing for one that only looks. The owner's word is final both
 * ways, the stricter one first; without it every tool is one, whatever the server says of it: a hostile one says it only looks.
 */
export function findMcpSink(tool: SinkTool, config: JudgedServer): string | undefined {
  const { name, trusted, sinks } = config;
  const isSink = isNamed(tool, sinks) || ((tool.outward || isSinkByDoubt(tool, config)) && !isNamed(tool, trusted));
  return isSink ? `the MCP server ${name} (${sanitizeToolName(tool)})` : undefined;
}
type SinkTool = Pick<RemoteTool, 'name' | 'outward' | 'method'>;
type JudgedServer = Pick<ServerConfig, 'name' | 'trusted' | 'sinks' | 'trustHints'>;

const isNamed = ({ name }: SinkTool, patterns: readonly string[]): boolean => patterns.some((pattern) => matchesGlob(pattern, name));

/** It says that it only looks, and nobody vouches for that. Methods of the protocol itself are known to. */
const isSinkByDoubt = (tool: SinkTool, { sinks, trustHints }: JudgedServer): boolean =>
  !tool.outward && !trustHints && tool.method === undefined && !isNamed(tool, sinks);
