/** Folders whose tests, builds and scripts run unasked where no sandbox contains them. */
export interface TrustService {
  list(): Promise<readonly TrustedFolder[]>;
  /** Refuses the home, the system and whatever is no folder. */
  add(folder: string): Promise<ChangedTrust>;
  remove(folder: string): Promise<ChangedTrust>;
  /** Whether one folder is among those that `add` accepts, and is not trusted yet. */
  canAdd(folder: string): Promise<boolean>;
  /** What contains commands with this terminal back end here. */
  containment(backend: string): Promise<Containment>;
}
export interface TrustedFolder {
  readonly folder: string;
  /** It can have been moved or removed since. */
  readonly exists: boolean;
}
export interface ChangedTrust {
  readonly folder: string;
  readonly changed: boolean;
  /** A sandbox contains commands here, so nothing of the folder is asked about anyway. */
  readonly isContained: boolean;
}
export type Containment =
  | { readonly isContained: true }
  /** `cure`: what to type on this system. */
  | { readonly isContained: false; readonly why: string; readonly cure: string };
