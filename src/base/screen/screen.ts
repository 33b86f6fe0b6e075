import type { Paint } from './paint.ts';

/** What a screen is drawn for: its colours, its width and the moment. */
export interface Screen {
  readonly paint: Paint;
  /** `Infinity` when nobody watches: a pipe gets everything. */
  readonly columns: number;
  readonly now: number;
}
