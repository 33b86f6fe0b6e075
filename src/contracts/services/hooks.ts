/** Programs and addresses of the owner's that are told what happens: folders of the gateway, commands of the settings, addresses. */
export interface HookService {
  list(): Promise<readonly HookLine[]>;
  /** As it is now. */
  trust(name: string): Promise<HookLine>;
  /** `false` when it was not trusted. */
  revoke(name: string): Promise<boolean>;
  /** Runs a trusted hook with an example of an event; its first when none is named. An address gets one event. */
  test(name: string, event: string | undefined, signal: AbortSignal): Promise<HookTestResult>;
  /** Everything that keeps a hook from running. */
  examine(): Promise<HookExamination>;
}
/** `folder`: below `hooks/` in the profile. `shell`: a command under `hooks` in the settings. `outbound`: an address there. */
export type HookSource = 'folder' | 'shell' | 'outbound';
export interface HookLine {
  readonly kind: HookSource;
  readonly name: string;
  /** The folder, the command or the address. */
  readonly path: string;
  /** `changed`: since it was trusted. `refused`: it cannot run, and `why` says what to do. `active`: it needs no trust. */
  readonly state: 'trusted' | 'untrusted' | 'changed' | 'refused' | 'active';
  readonly description?: string;
  readonly events?: readonly string[];
  readonly handler?: string;
  readonly matcher?: string;
  /** It decides, and its answer is no when it fails. */
  readonly failClosed?: true;
  /** Files that are trusted with a command, to the byte. */
  readonly files?: readonly string[];
  readonly why?: string;
}
export interface HookTestResult {
  readonly ok: boolean;
  readonly name: string;
  readonly event: string;
  readonly why?: string;
  readonly output: string;
  /** What its answer means, where it gave one. */
  readonly answer?: string;
}
export interface HookExamination {
  readonly ok: boolean;
  /** How many were looked at. */
  readonly count: number;
  readonly findings: readonly HookFinding[];
}
export interface HookFinding {
  readonly kind: HookSource;
  readonly name: string;
  readonly problem: string;
  /** What to type or to change. */
  readonly fix: string;
}
