import type { Env } from '../../../base/env.ts';
import type { ReflowKind } from '../screen/reflow.ts';

/** By what a terminal calls itself (XTVERSION), also through ssh. */
const BY_NAME: readonly (readonly [RegExp, ReflowKind])[] = [
  [/^xterm\.js/i, 'wraps'],
  [/^XTerm\(/, 'cuts'],
  [/^(?:tmux|kitty|VTE|foot|WezTerm|iTerm2|ghostty|Konsole|Alacritty|contour)/i, 'exact'],
];
/** By the environment. What it says of a terminal around tmux or screen does not count there. */
const BY_ENVIRONMENT: readonly (readonly [variable: string, value: RegExp, ReflowKind])[] = [
  ['TMUX', /./, 'exact'],
  ['STY', /./, 'cuts'],
  ['TERM', /^(?:linux|rxvt|st-|screen|dumb|vt\d)/, 'cuts'],
  ['XTERM_VERSION', /./, 'cuts'],
  ['TERM_PROGRAM', /^(?:vscode|Hyper)$/, 'wraps'],
  ['TERM', /^(?:xterm-kitty|xterm-ghostty|foot|alacritty|wezterm|tmux|contour)/, 'exact'],
  ['VTE_VERSION', /./, 'exact'],
  ['KONSOLE_VERSION', /./, 'exact'],
  ['TERM_PROGRAM', /^(?:iTerm\.app|WezTerm|ghostty)$/, 'exact'],
];

/** What a terminal does when it becomes narrower, as far as one can know. */
export function reflowOf(env: Env, name: string | undefined): ReflowKind {
  const named = name === undefined ? undefined : BY_NAME.find(([form]) => form.test(name));
  if (named !== undefined) return named[1];
  return BY_ENVIRONMENT.find(([variable, value]) => value.test(env[variable] ?? ''))?.[2] ?? 'wraps';
}

const isRemote = (env: Env): boolean => env['SSH_CONNECTION'] !== undefined || env['SSH_TTY'] !== undefined;
/** A lone Escape waits so long for the rest of a sequence. */
export const escapeMsOf = (env: Env): number => (isRemote(env) ? 100 : 10);
/** How long a write may be on its way to the terminal. */
export const lateMsOf = (env: Env): number => (isRemote(env) ? 300 : 50);
/** How long after a resize another one may be unknown: tmux resizes at once and tells its programs at most every 250 ms. */
export const quietMsOf = (env: Env): number => (env['TMUX'] !== undefined || isRemote(env) ? 300 : 60);
/** Others would show what they do not know as text. */
export const knowsSequences = (env: Env): boolean => !/^(?:dumb|linux|cons25|)$/.test(env['TERM'] ?? '');
