import type { EndReason, ExitReason } from './outcome.ts';

export interface NewSession {
  /** Who opened it: `cli`, `tui`, `cron`, `child` … */
  readonly source: string;
  /** Where it is held, whatever drew it there: `cli` for every terminal, `telegram` … Absent: the same as `source`. */
  readonly platform?: string;
  readonly cwd: string;
  /** At first the one it is opened with; then that of its latest prompt, as its `epoch` entries come. */
  readonly model: string;
  readonly provider: string;
  readonly title?: string;
  readonly parent?: { readonly sessionId: string; readonly kind: LineageKind };
}
export type LineageKind = 'branch' | 'child' | 'reset';
export type TitleSource = 'derived' | 'model' | 'user';

export interface Session extends NewSession {
  /** `YYYYMMDD_HHMMSS_` and six hex digits. */
  readonly id: string;
  readonly platform: string;
  readonly title?: string;
  readonly titleBy?: TitleSource;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly messages: number;
  readonly lastExitReason?: ExitReason;
  /** A turn was cut off and waits to be finished; or it runs. */
  readonly unfinished: boolean;
  /** A live process is at its turn. Told where sessions are listed or found. */
  readonly running?: true;
  /** Entries up to this position are a copy of the parent's log. */
  readonly copiedSeq?: number;
  /** When and why it ended; absent while it is open. An ended session is listed and found like any other, and can be gone on with. */
  readonly endedAt?: number;
  readonly endReason?: EndReason;
}
