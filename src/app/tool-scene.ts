import { homedir } from 'node:os';
import type { Home } from '../base/home.ts';
import { lazy } from '../base/lazy.ts';
import type { ContextEngine } from '../contracts/context-engine.ts';
import type { ToolHooks } from '../contracts/hooks.ts';
import type { MemoryProvider } from '../contracts/memory.ts';
import type { Ports, Spawn } from '../contracts/ports.ts';
import type { PromptEpoch } from '../contracts/prompt.ts';
import type { Provenance } from '../contracts/safety.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import type { SkillCatalog } from '../contracts/skills.ts';
import type { Terminal } from '../contracts/terminal.ts';
import type { ChatFlags } from '../faces/cli/verbs.ts';
import type { Mcp } from '../parts/mcp/open.ts';
import type { HintTracker } from '../parts/prompt/hints/tracker.ts';
import { roomFor } from '../parts/tools/budget.ts';
import type { ToolkitOptions } from '../parts/tools/toolkit.ts';
import type { ToolScene } from './builtins.ts';
import type { Childhood } from './childhood.ts';
import type { Config, Env } from './config.ts';
import { lastingPlaces, type LastingPlaces } from './lasting-tools.ts';
import { openSafety, type Safety } from './safety.ts';
import { storeNotice } from './store.ts';
import { openTerminal } from './terminal.ts';
import type { ChosenTools } from './toolsets.ts';
import { openUndo, removeToTrash } from './undo.ts';

/** What is known of a run before its tools are made. */
export interface ToolkitQuestion {
  readonly flags: Pick<ChatFlags, 'toolsets' | 'yolo' | 'ignoreRules'>;
  readonly home: Home;
  readonly config: Config;
  readonly env: Env;
  readonly cwd: string;
  readonly kept: PromptEpoch | undefined;
  /** Stored tool results of a session, oldest first. */
  readonly recall?: ToolScene['recall'];
  /** Shared with the prompt of the same run where there is one. */
  readonly safety?: Safety;
  readonly skills?: SkillCatalog;
  readonly provider?: MemoryProvider;
  /** The log of earlier sessions; absent where no store is open. */
  readonly store?: LastingPlaces['store'];
  /** What must not reach the model; absent where nothing runs. */
  readonly secrets?: Secrets;
  /** Its tools are part of every toolkit. */
  readonly engine?: Pick<ContextEngine, 'tools'>;
  /** Where the session is held. */
  readonly platform?: string;
  /** What the face can do for tools; absent when nobody is there. */
  readonly ports?: Ports;
  /** Tools of servers the owner set up. */
  readonly mcp?: Pick<Mcp, 'tools' | 'toolsets'> & Partial<Pick<Mcp, 'withheld'>>;
  /** Leaves a text for a session; absent where no store is open. */
  readonly post?: SessionStore['post'];
  /** What plugins hung around every call. */
  readonly hooks?: ToolHooks;
  /** Makes children for a session that has these tools and works in a place of this kind; absent where there is no agent. */
  readonly spawn?: (tools: readonly string[], kind: string) => Spawn;
  /** Set for an agent that works for another. */
  readonly child?: Childhood;
  /** Tokens the model can see at once: a small window leaves less room for results. */
  readonly window?: number;
}

/** The terminal, once the owner has been told what is worth telling about it. */
export async function terminalOf({ home, config, env, cwd, secrets, platform = 'cli' }: ToolkitQuestion): Promise<Terminal> {
  const chosen = config.sources['terminal.backend'] !== undefined;
  const place = { home, settings: config.settings, env, cwd, platform, chosen };
  const { terminal, notices } = await openTerminal({ ...place, ...(secrets !== undefined && { secrets }) });
  for (const words of notices) storeNotice(words);
  return terminal;
}

/** Judging where words come from and go to is loaded with the first call. */
export function provenanceOf({ home }: Pick<ToolkitQuestion, 'home'>): Provenance {
  const roots = { user: homedir(), profile: home.root };
  const load = lazy(async () => (await import('../parts/safety/provenance/provenance.ts')).provenance(roots));
  return { foreign: async (call) => (await load()).foreign(call), lasting: async (call) => (await load()).lasting(call) };
}

/** Checkpoints around calls, unless the owner wants none. */
export function undoOf({ home, config: { settings }, secrets }: ToolkitQuestion, kind: string): Pick<ToolkitOptions, 'undo'> {
  const undo = openUndo({ home, settings, kind, ...(secrets !== undefined && { secrets }) });
  return undo === undefined ? {} : { undo };
}

/** What the tools of this run may know and touch. */
export function toolScene(question: ToolkitQuestion, terminal: Terminal, chosen: ChosenTools): Omit<ToolScene, 'guard'> {
  const remove = removeToTrash(question.home, question.config.settings, terminal.kind);
  const { home, platform = 'cli', ports = {}, recall, child } = question;
  return {
    terminal,
    ports,
    spill: home.spill,
    depth: child?.depth ?? 0,
    ...(question.secrets !== undefined && { secrets: question.secrets }),
    ...(recall !== undefined && { recall }),
    ...(remove !== undefined && { remove }),
    lasting: lastingPlaces({ ...question, scene: () => ({ ...chosen, platform }) }),
  };
}

/** Rules of the folders a call touches for the first time. The tracker is made with the first call: many turns have none. */
export function hintsFor({ cwd, home, safety = openSafety(home), recall }: ToolkitQuestion): NonNullable<ToolkitOptions['hints']> {
  let tracker: Promise<HintTracker> | undefined;
  const open = async (): Promise<HintTracker> => {
    const { hintTracker } = await import('../parts/prompt/hints/tracker.ts');
    return hintTracker({ root: cwd, admit: () => safety.admit(), ...(recall !== undefined && { recall }) });
  };
  return {
    after: async (call) => (await (tracker ??= open())).after(call),
    forget: (sessionId) => void tracker?.then((opened) => opened.forget(sessionId)).catch(() => undefined),
  };
}

/** What is read into a small window would only be spilled again: reading has the same bound as a result. */
export const roomy = (settings: Config['settings'], window: number): Config['settings'] => ({
  ...settings,
  file_read_max_chars: roomFor('result', window, settings.file_read_max_chars),
});
