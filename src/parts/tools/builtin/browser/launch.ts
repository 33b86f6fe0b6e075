import type { BrowserContext } from 'playwright-core';
import { toErrorMessage } from '../../../../base/errors.ts';
import { formatInstallCommand } from '../../../../base/install-line.ts';
import type { NetworkAccess } from '../../../../contracts/reach.ts';
import { ToolFailure } from '../../../../contracts/tool.ts';
import { BROWSER_NEEDS } from './find.ts';
import { openGate, type BrowserProxy } from './gate.ts';
import { openProfile, type ProfileFolder } from './profile.ts';
import { waitUntilAborted } from './until.ts';

export interface LaunchOptions {
  readonly executable: string | undefined;
  readonly headed: boolean;
  readonly reach: NetworkAccess;
  /** A variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}
/** A running browser with what belongs to it; all of it ends together. */
export interface LaunchedBrowser extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly gate: BrowserProxy;
  readonly profile: ProfileFolder;
}

const START_MS = 45_000;
/** One that does not end by then is killed when this process ends. */
const CLOSE_MS = 10_000;
const VIEWPORT = { width: 1280, height: 800 };
/** What the browser may know of our environment: no secrets are among these. */
const VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'];
/** Ways round the proxy are closed: no UDP of its own, no names looked up ahead. */
const ARGUMENTS = [
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
  '--allow-browser-signin=false',
];

/** Chromium refuses to be root inside its own sandbox; only then it runs without. */
export const isRoot = (): boolean => process.getuid?.() === 0;

export async function launch(options: LaunchOptions): Promise<LaunchedBrowser> {
  const { executable } = options;
  if (executable === undefined) throw new ToolFailure(`There is no browser here. Needed: ${BROWSER_NEEDS}`);
  const playwright = await loadPlaywright();
  await using held = new AsyncDisposableStack();
  const profile = held.use(await openProfile());
  const gate = held.use(await openGate(options.reach));
  try {
    const context = await playwright.chromium.launchPersistentContext(profile.data, {
      executablePath: executable,
      headless: !options.headed,
      chromiumSandbox: !isRoot(),
      proxy: { server: gate.server, bypass: '<-loopback>', username: gate.username, password: gate.password },
      args: ARGUMENTS,
      env: environment(options, profile),
      downloadsPath: profile.arriving,
      viewport: VIEWPORT,
      timeout: START_MS,
      // Signals are the agent's to answer.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    held.defer(() => waitUntilAborted(context.close(), AbortSignal.timeout(CLOSE_MS)).catch(() => {}));
    const stack = held.move();
    return { context, gate, profile, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    throw new ToolFailure(`The browser ${executable} did not start: ${firstLine(error)}`);
  }
}

async function loadPlaywright(): Promise<typeof import('playwright-core')> {
  try {
    return await import('playwright-core');
  } catch (error) {
    throw new ToolFailure(
      `The browser tools need a package that is not here (${toErrorMessage(error)}). Install it: ${formatInstallCommand('playwright-core@1.65.0')}`,
    );
  }
}

function environment({ variable }: LaunchOptions, { root }: ProfileFolder): Record<string, string> {
  const known = VARIABLES.flatMap((name) => {
    const value = variable(name);
    return value === undefined ? [] : [[name, value]];
  });
  // Its home is the folder that goes with it: nothing of the owner's profile is read or written.
  return { ...Object.fromEntries(known), HOME: root, TMPDIR: root };
}

/** The first line says what happened; the rest is its log. A refused sandbox is told by the log alone. */
function firstLine(error: unknown): string {
  const words = toErrorMessage(error);
  const sandbox = /no usable sandbox|setuid sandbox|namespace/i.test(words)
    ? ' Its sandbox needs user namespaces, which this system refuses to ordinary users.'
    : '';
  return `${words.split('\n')[0] ?? ''}.${sandbox}`;
}
