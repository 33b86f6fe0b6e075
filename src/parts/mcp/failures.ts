import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { toErrorMessage } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { toOneLine } from '../../base/printable.ts';
import { takeStart } from '../../base/text.ts';
import { McpSetupError } from './sdk.ts';

/** Codes of the SDK for a connection that ended and a call that took too long. Servers answer with them as well, and mean something else. */
const CLOSED = -32_000;
const TIMED_OUT = -32_001;
/** Stands in the data of an error that came from the server itself. */
const ANSWERED = Symbol('answered by the server');

/** Marks what the server answers, so that its errors are told from those the SDK makes up. Before the SDK listens. */
export function markAnswers(transport: Transport): void {
  const onmessage = (message: object): void => {
    const error = 'error' in message ? message.error : undefined;
    if (isObject(error) && error['data'] !== LOST_MARK) Object.assign(error, { data: { [ANSWERED]: true } });
  };
  Object.assign(transport, { onmessage });
}
/** The data of an error that we put in place of an answer that is lost. */
export const LOST_MARK = { lost: true } as const;
const isMarked = (error: unknown): boolean =>
  error instanceof Error && 'data' in error && typeof error.data === 'object' && error.data !== null && ANSWERED in error.data;
/** The code of an error that the SDK made; nothing when the server answered. */
const findOwnCode = (error: unknown): unknown => (isMarked(error) ? undefined : findMcpErrorCode(error));
/** Exit codes by which a shell says that there was nothing to run. */
const NOT_RUNNABLE: Readonly<Record<string, string>> = {
  127: 'its command was not found; install it, or set its full path in mcp_servers',
  126: 'its command cannot be run; check the path and its permissions',
};
const SHOWN = 500;

/** The server could not be reached; the words say why. */
export class McpConnectError extends Error {
  readonly code = 'mcp_connect';
  /** Trying again at once would end the same way. */
  readonly final: boolean;
  constructor(message: string, final: boolean, cause: unknown) {
    super(message, { cause });
    this.final = final;
  }
}

export const findMcpErrorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Why a connection did not come about. `story` is what is known of how the server fared. */
export function toConnectError(error: unknown, story: string, timeoutMs: number): McpConnectError {
  if (error instanceof McpSetupError) return new McpConnectError(error.message, true, error);
  const missing = Object.entries(NOT_RUNNABLE).find(([exit]) => story.includes(`exit code ${exit}`))?.[1];
  if (missing !== undefined) return new McpConnectError(missing, true, error);
  const code = findMcpErrorCode(error);
  const refused = code === 401 || code === 403;
  const own = findOwnCode(error);
  const why =
    own === CLOSED || own === UNSENT
      ? 'it closed the connection before it was ready'
      : own === TIMED_OUT
        ? `it was not ready within ${timeoutMs / 1_000} s`
        : refused
          ? `it answered ${code}: give it a token in headers, or set auth: oauth and log in with hermes mcp test`
          : reasonOf(error);
  return new McpConnectError(addStory(why, story), refused, error);
}

/** What a call that got no result has to say: what happened, whether it may have taken effect, what comes next. */
export function describeCallFailure(
  server: string,
  tool: string,
  error: unknown,
  facts: { story: string; timeoutMs: number; stopped: boolean },
): string {
  const { story, timeoutMs, stopped } = facts;
  if (error instanceof McpConnectError || error instanceof McpSetupError)
    return `Not run: the MCP server ${server} could not be reached: ${error.message}.`;
  const code = findMcpErrorCode(error);
  if (stopped) return `${tool} was cancelled; the MCP server ${server} was told so. Parts of it may have taken effect.`;
  if (findOwnCode(error) === TIMED_OUT)
    return `The MCP server ${server} did not answer ${tool} within ${timeoutMs / 1_000} s and was told to stop. Parts of it may have taken effect.`;
  if (!isMarked(error) && isRefusal(code)) return `The MCP server ${server} refused ${tool} with HTTP status ${code}: ${reasonOf(error)}.`;
  if (!isMarked(error) && (code === CLOSED || typeof code !== 'number' || code > 0))
    return `The MCP server ${server} was lost before it answered ${tool}: ${addStory(reasonOf(error), story)}. Whether the call took effect is not known, so it was not repeated; the next call connects anew.`;
  return `The MCP server ${server} refused ${tool}: ${reasonOf(error)}.`;
}

/** A status by which a server says that it did not do what was asked. */
const isRefusal = (code: unknown): code is number => typeof code === 'number' && code >= 400 && code < 500;

/** Whether the server itself answered, if only with a no. */
export const isAnswer = (error: unknown): boolean => {
  const code = findMcpErrorCode(error);
  return isMarked(error) || (typeof code === 'number' && code < 0 && code !== CLOSED);
};
/** The mark of a message that never reached its server whole. */
export const UNSENT = 'mcp_unsent';
/** Nobody listened, nobody got the whole of it, or the session was refused as forgotten: the only failures after which a call may be sent again. */
export const isUnseen = (error: unknown): boolean => {
  const code = findOwnCode(error);
  return code === UNSENT || code === 404 || (error instanceof Error && findMcpErrorCode(error.cause) === 'ECONNREFUSED');
};

const addStory = (why: string, story: string): string => (story === '' ? why : `${why}; ${story}`);

/** A failed fetch hides its reason one level down. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? toErrorMessage(error.cause) : '';
  const words = toErrorMessage(error).replace(/^MCP error -?\d+: /, '');
  return toOneLine(takeStart(cause === '' || words.includes(cause) ? words : `${words}: ${cause}`, SHOWN)).replace(/\.$/, '');
}
