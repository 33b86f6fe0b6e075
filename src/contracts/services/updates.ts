/** This program itself: which version it is, whether there is a newer one, and how it gets there. */
export interface UpdateService {
  /** What would change. */
  look(): Promise<UpdateNews>;
  /**
   * Takes the newer version, lets every gateway and API server of this person finish its turns and stop, and starts the gateways
   * again. When the new version cannot be installed, the former is put back. Where the new files would take the place of those in
   * use, everything is stopped first, and started again whatever happens.
   */
  update(report: (step: UpdateStep) => void): Promise<UpdateResult>;
}
export interface UpdateNews {
  readonly from: string;
  /** Absent when there is nothing newer. */
  readonly to?: string;
  /** What is new, newest first, in the words of those who made it. */
  readonly changes: readonly string[];
  /** How this program was installed, and where it is. */
  readonly installation: 'checkout' | 'package';
  readonly root: string;
}
export type UpdateStep =
  | { readonly type: 'draining'; readonly gateways: number; readonly servers: number }
  | { readonly type: 'installing'; readonly to: string }
  | { readonly type: 'starting'; readonly gateways: number };
export interface UpdateResult extends UpdateNews {
  readonly updated: boolean;
  /** Homes whose gateways run again. */
  readonly restarted: readonly string[];
  /** Those that ran in somebody's terminal, or could not be started: their owner starts them. */
  readonly left: readonly { readonly home: string; readonly why: string }[];
  /** Homes whose API servers (`hermes serve`) were stopped: whoever started one starts it again. */
  readonly stopped: readonly string[];
}
