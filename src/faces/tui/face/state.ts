import type { Env } from '../../../base/env.ts';
import { commandSettings } from '../../../commands/settings.ts';
import { collectDefaults } from '../../../contracts/settings.ts';
import type { ImageBlock, Usage } from '../../../contracts/message.ts';
import type { InboxMode } from '../../../contracts/session-store.ts';
import type { KeyWidget } from '../contract.ts';
import type { StartFacts } from './deps.ts';
import { createLook, type Look } from './look.ts';
import type { Viewer } from '../screen/viewer.ts';
import { screenSettings, type DisplaySettings } from '../settings.ts';

/** What the terminal UI shows besides the transcript, as data. */
export interface FaceState {
  settings: DisplaySettings;
  look: Look;
  background: 'light' | 'dark' | undefined;
  /** Known once everything behind the screen is open. */
  facts: StartFacts | undefined;
  /** Messages that wait for the turn that runs. */
  readonly posted: PostedText[];
  /** A shell command or another command of the owner's that runs, and the end of what it wrote. */
  shell: RunningShell | undefined;
  /** A picker that has the keys. */
  overlay: KeyWidget | undefined;
  /** A word for a moment: what a key did. */
  hint: string;
  /** Old rows on the alternate screen. */
  viewer: Viewer | undefined;
  /** What the session on the screen has cost so far, its title, and what runs beside it. */
  cost: number;
  title: string | undefined;
  backgroundCount: number;
  /** What the session had used when it was left. */
  stored: { readonly usage: Usage; readonly last?: Usage } | undefined;
  /** The stored session whose end is on the screen before it is open. */
  shownBefore: string | undefined;
  /** Since when the session on the screen is open. */
  since: number | undefined;
}
export interface PostedText {
  readonly id: string;
  /** As they may be shown, and as they were typed. */
  readonly words: string;
  readonly typed: string;
  readonly mode: InboxMode;
  readonly images: readonly ImageBlock[];
}
export interface RunningShell {
  readonly sign: '!' | '/';
  readonly stop: AbortController;
  readonly command: string;
  readonly since: number;
  readonly lines: readonly string[];
}

/** Before anything is read. */
export const createFaceState = (env: Env): FaceState => ({
  settings: { ...collectDefaults(commandSettings), ...collectDefaults(screenSettings) },
  look: createLook({ env, name: 'default', background: undefined, extensions: {} }),
  background: undefined,
  facts: undefined,
  posted: [],
  shell: undefined,
  overlay: undefined,
  hint: '',
  viewer: undefined,
  cost: 0,
  title: undefined,
  backgroundCount: 0,
  stored: undefined,
  shownBefore: undefined,
  since: undefined,
});
