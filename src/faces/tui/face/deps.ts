import type { Env } from '../../../base/env.ts';
import type { AttachmentSource } from '../../../contracts/attachments.ts';
import type { Home } from '../../../base/home.ts';
import type { Host, ModelSelection, SessionOptions } from '../../../contracts/host.ts';
import type { TerminalExtension } from '../../../contracts/terminal-extension.ts';
import type { Session } from '../../../contracts/session-store.ts';
import type { TerminalDevice } from '../contract.ts';
import type { MainScreenOptions } from '../screen/main-screen.ts';
import type { DisplaySettings } from '../settings.ts';

/** How the terminal UI is started. */
export interface TerminalFaceOptions {
  /** What every session of it is opened with: folder, model, toolsets. */
  readonly session: SessionOptions;
  /** The stored session to begin with. */
  resume?(host: Host): Promise<Session | undefined>;
  /** Sent as soon as it is open. */
  readonly message?: string;
  readonly extensions?: readonly TerminalExtension[];
}

/** What the terminal UI stands on. */
export interface TerminalFaceDeps {
  readonly terminal: TerminalDevice & { readonly screenOptions?: MainScreenOptions };
  readonly env: Env;
  readonly home: Home;
  readonly version: string;
  /** The text without known secrets. What is drawn goes through it before its width is measured. */
  redact(text: string): string;
  /** Opens everything behind the screen; called when the first frame is drawn. */
  open(): Promise<FaceBackend>;
}

/** What stands behind the screen. */
export interface FaceBackend {
  readonly host: Host;
  readonly settings: DisplaySettings;
  /** Whether a session can begin: a model is named, or a server on this machine has one. */
  isReady(): Promise<boolean>;
  /** A theme of the owner's by its name; nothing when there is none. */
  readSkin(name: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** The names of the owner's own themes. */
  listSkins(): Promise<readonly string[]>;
  /** How many run in the background: processes of this session, and sessions that were started beside it. */
  countBackground(sessionId: string): Promise<number>;
  /** What may be attached to a message of a session that works in this folder. */
  attachments(cwd: string): AttachmentSource;
  /** What the next session would have, or a stored one when it goes on. Throws, in words for a person, when no model can be reached. */
  describe(selection: ModelSelection, cwd: string, stored?: Session): Promise<StartFacts>;
  /** The names of models of a provider that can be chosen, for completion and the picker. */
  listModels(provider: string): Promise<readonly string[]>;
}

/** What the banner and the status bar show before anything was said. */
export interface StartFacts {
  readonly model: string;
  readonly provider: string;
  readonly window: number;
  /** What is known of prompt caching on this route, in words. */
  readonly caching: string;
  readonly tools: number;
  readonly skills: number;
  /** Where commands run. */
  readonly backend: string;
}
