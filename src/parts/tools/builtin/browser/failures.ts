import { toErrorMessage } from '../../../../base/errors.ts';
import { isToolFailure, ToolFailure } from '../../../../contracts/tool.ts';

/** What a browser says and what it means, the first that fits. */
const ROWS: readonly (readonly [RegExp, string])[] = [
  [/ERR_NAME_NOT_RESOLVED/, 'the name of the site could not be looked up; check the address'],
  [/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_(?:RESET|CLOSED)/, 'the site did not answer, or broke the connection'],
  [/ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY_CONNECTION_FAILED/, 'no connection to the site could be made'],
  [/ERR_CERT_|ERR_SSL_/, 'its certificate or its TLS is not in order'],
  [/ERR_TOO_MANY_REDIRECTS/, 'it redirects in a circle'],
  [/ERR_UNSAFE_PORT/, 'browsers do not open that port'],
  [/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_ADDRESS_UNREACHABLE/, 'there is no way to the site from here'],
  [/ERR_INVALID_RESPONSE|ERR_INVALID_HTTP_RESPONSE/, 'what came back is not HTTP'],
  [/Target (?:page, context or browser has been )?closed|has been closed/, 'the page or the browser was closed meanwhile'],
];

/** A failed navigation in words. */
export function toNavigationFailure(url: string, error: unknown): ToolFailure {
  const words = toErrorMessage(error);
  const code = /net::(ERR_\w+)/.exec(words)?.[1];
  const meaning = ROWS.find(([sign]) => sign.test(words))?.[1] ?? firstLine(words);
  return new ToolFailure(`${url} was not opened: ${meaning}${code === undefined ? '' : ` (${code})`}.`);
}

/** A failed command in words. Playwright's own lines begin with the method and end with a log. */
export function toCommandFailure(what: string, error: unknown): ToolFailure {
  if (isToolFailure(error)) return error;
  const words = toErrorMessage(error);
  const covered = /<([^>]{1,200})>.{0,200}?intercepts pointer events/s.exec(words)?.[1];
  const reason =
    covered === undefined ? (ROWS.find(([sign]) => sign.test(words))?.[1] ?? firstLine(words)) : `something covers it: <${covered}>`;
  return new ToolFailure(`${what} failed: ${reason}. Take a new browser_snapshot to see the page as it is.`);
}

export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
export const isCrash = (error: unknown): boolean => /Target crashed|Page crashed/.test(toErrorMessage(error));

const firstLine = (words: string): string => (words.split('\n')[0] ?? '').replace(/^\w+\.\w+: /, '').replace(/\.$/, '');
