import type { Env } from '../../src/base/env.ts';
import type { Home } from '../../src/base/home.ts';
import type { Ports } from '../../src/contracts/ports.ts';
import type { PromptEpoch } from '../../src/contracts/prompt.ts';
import type { Secrets } from '../../src/contracts/secrets.ts';
import type { SessionStore } from '../../src/contracts/session-store.ts';
import type { Terminal } from '../../src/contracts/terminal.ts';
import type { Toolkit } from '../../src/contracts/tool.ts';
import type { ChildLimits } from '../../src/parts/tools/child-limits.ts';
import type { Config } from '../../src/app/config/config.ts';
import { openHomeParts } from '../../src/app/tools/home-parts.ts';
import { openTerminal } from '../../src/app/tools/terminal.ts';
import { openTooling, type SessionToolingOptions } from '../../src/app/tools/toolkit.ts';

interface ToolingStage extends Partial<Omit<SessionToolingOptions, 'terminal'>> {
  readonly home: Home;
  readonly config: Config;
  readonly env: Env;
  readonly cwd: string;
  readonly kept?: PromptEpoch | undefined;
  readonly toolsets?: readonly string[];
  readonly platform?: string;
  readonly ports?: Ports;
  readonly secrets?: Secrets;
  readonly store?: SessionStore;
  readonly allowAll?: string;
  readonly contextFiles?: boolean;
  readonly child?: ChildLimits;
}

/** The tools of one session, as a host makes them. The terminal closes them. */
export async function toolingOf(stage: ToolingStage): Promise<{ readonly toolkit: Toolkit; readonly terminal: Terminal }> {
  const {
    home,
    config,
    env,
    cwd,
    kept,
    toolsets,
    platform = 'cli',
    ports = {},
    secrets,
    store,
    allowAll,
    contextFiles = true,
    child,
    ...more
  } = stage;
  const notice = () => {};
  const parts = openHomeParts({
    home,
    config,
    env,
    notice,
    ...(secrets !== undefined && { secrets }),
    ...(store !== undefined && { store }),
  });
  const plan = {
    platform,
    cwd,
    sessionId: 'test',
    terminalTask: 'test',
    epoch: kept,
    contextFiles,
    ports,
    notice,
    ...(toolsets !== undefined && { toolsets }),
    ...(allowAll !== undefined && { allowAll }),
    ...(child !== undefined && { child }),
  };
  const terminal = await openTerminal(parts, plan);
  const tooling = await openTooling(parts, plan, { ...more, terminal, ports });
  const closeTerminal = terminal[Symbol.asyncDispose].bind(terminal);
  const close = async () => void (await Promise.all([tooling[Symbol.asyncDispose](), closeTerminal()]));
  // A copy would lose where the terminal stands.
  return { toolkit: tooling.toolkit, terminal: Object.defineProperty(terminal, Symbol.asyncDispose, { value: close }) };
}
