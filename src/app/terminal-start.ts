import { breathe } from '../base/breathe.ts';
import { resolveHome } from '../base/home.ts';
import { version } from '../base/version.ts';
import type { ChatValues } from '../commands/chat.ts';
import { findEarlierSession, resolveSessionFolder, resolveWorkingFolder, toSessionOptions } from '../commands/chat-session.ts';
import type { TerminalFaceDeps } from '../faces/tui/face/deps.ts';
import { NothingSetUp } from '../faces/tui/face/opened-face.ts';
import { runTerminalFace } from '../faces/tui/face/run.ts';
import { createProcessTerminal } from '../faces/tui/terminal/process-terminal.ts';
import { hasPlugins } from '../plugins/index-file.ts';
import { loadSharedSecrets } from './host/redaction.ts';
import { openToolJobs, type Invocation } from './invocation.ts';

export interface TerminalStart {
  /** Who allowed everything above the floor in advance. */
  readonly allowAll: string | undefined;
  /** Sent as soon as the terminal UI is open. */
  readonly message?: string;
  /** Runs `hermes setup` and gives its exit code. */
  setUp(): Promise<number>;
}

/** The terminal UI on this process's terminal. Where nothing is set up yet, the setup comes first. */
export async function runInTerminal(values: ChatValues, invocation: Invocation, start: TerminalStart): Promise<number> {
  try {
    return await runOnce(values, invocation, start);
  } catch (error) {
    if (!(error instanceof NothingSetUp)) throw error;
    const { offerSetup } = await import('../faces/cli/first-run.ts');
    return (await offerSetup(start)) ?? runOnce(values, invocation, start);
  }
}

async function runOnce(values: ChatValues, { env, options }: Invocation, { allowAll, message }: TerminalStart): Promise<number> {
  const home = resolveHome(env);
  const extensions = [...(options.extensions ?? []), ...(hasPlugins(home.root) ? await loadPluginWidgets(env) : [])];
  const { redact } = loadSharedSecrets(env, home);
  const deps: TerminalFaceDeps = {
    terminal: createProcessTerminal(process),
    env,
    home,
    version,
    redact,
    open: async () => {
      // Somebody may be typing: each piece is loaded only when no key waits.
      await breathe();
      const { openHost } = await import('./host/host.ts');
      await breathe();
      const { createFaceBackend } = await import('./terminal-face.ts');
      await breathe();
      const { register, commands = [] } = options;
      const host = await openHost({ env, home, openJobs: openToolJobs, ...(register !== undefined && { register }) });
      for (const command of commands) host.registries.commands.add(command.name, command);
      return createFaceBackend(host);
    },
  };
  const cwd = values.cwd === undefined ? undefined : resolveWorkingFolder(values.cwd);
  return runTerminalFace(
    {
      session: { ...toSessionOptions(values, allowAll), platform: 'tui', ...(cwd !== undefined && { cwd }) },
      resume: async (host) => {
        const here = cwd ?? resolveWorkingFolder(host.cwd);
        const earlier = await findEarlierSession(values, here, host);
        return earlier && { ...earlier, cwd: resolveSessionFolder(values, earlier, here, home.root) };
      },
      ...(message !== undefined && { message }),
      ...(extensions.length > 0 && { extensions }),
    },
    deps,
  );
}

/** What enabled plugins add to the screen. What cannot be loaded is told again by the host, which looks at the same plugins. */
const loadPluginWidgets = async (env: Invocation['env']) => (await import('./plugins/shell-plugins.ts')).loadWidgets(env, () => {});
