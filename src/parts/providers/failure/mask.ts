import { takeStart } from '../../../base/text.ts';

/** Longest detail a person is shown. */
const MAX_DETAIL = 500;

/** Shapes of secrets that providers repeat in their complaints: known prefixes, headers, and long runs no word has. */
const SECRETS: readonly RegExp[] = [
  /\b(sk|pk|rk|gsk|xai|hf|nvapi|pplx|fw|csk|tgp|r8|ak|or|key|ghp|gho|ghu|github_pat|glpat|xox[a-z])[-_][\w*.-]{6,}/gi,
  /\bAIza[\w-]{10,}/g,
  /\b(bearer|basic)\s+[\w.~+/=*-]{8,}/gi,
  /\beyJ[\w-]+\.[\w-]+(\.[\w-]+)?/g,
  /\b(?![\da-f]{8}-[\da-f]{4}-)(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}\b/gi,
];

export const maskSecrets = (text: string): string =>
  SECRETS.reduce((shown, secret) => shown.replace(secret, (found) => `${found.slice(0, 4)}…`), text);

/** One human line without secrets. */
export function formatFailureDetail(text: string): string {
  const line = maskSecrets(text.replace(/\s+/g, ' ').trim());
  return line.length <= MAX_DETAIL ? line : `${takeStart(line, MAX_DETAIL - 1)}…`;
}
