import { spawn } from 'node:child_process';
import type { Env } from '../../base/env.ts';
import { writeVerbatim } from './guard-process.ts';

/** Shows a person an address they must open, and opens it in their browser where a person and a desktop are there. */
export function sendToAddress(address: string, env: Env): void {
  const isOpened = process.stderr.isTTY && openInBrowser(address, env);
  const words = isOpened
    ? 'Log in in your browser. If it did not open, visit this address:'
    : 'Open this address in your browser and log in:';
  writeVerbatim(process.stderr, `${words}\n\n  ${new URL(address).href}\n\n`);
}

/** Without a desktop, `xdg-open` would start a text browser in this very terminal. */
function openInBrowser(address: string, env: Env): boolean {
  if (!/^https?:$/.test(new URL(address).protocol)) return false;
  const hasDesktop = process.platform === 'darwin' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
  if (!hasDesktop || env['SSH_CONNECTION'] !== undefined) return false;
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [new URL(address).href], { stdio: 'ignore', detached: true });
  // A machine without the program: the address is shown.
  child.on('error', () => {});
  child.unref();
  return true;
}
