/** Programs of the owner's that the gateway tells what happens. */
export interface HookService {
  list(): Promise<readonly HookLine[]>;
  /** As its folder is now. */
  trust(name: string): Promise<HookLine>;
  /** `false` when it was not trusted. */
  revoke(name: string): Promise<boolean>;
  /** Runs a trusted hook with an example of an event; its first when none is named. */
  test(name: string, event: string | undefined, signal: AbortSignal): Promise<HookTestResult>;
}
export interface HookLine {
  readonly name: string;
  readonly path: string;
  /** `changed`: since it was trusted. `refused`: it cannot run, and `why` says what to do. */
  readonly state: 'trusted' | 'untrusted' | 'changed' | 'refused';
  readonly description?: string;
  readonly events?: readonly string[];
  readonly handler?: string;
  readonly why?: string;
}
export interface HookTestResult {
  readonly ok: boolean;
  readonly name: string;
  readonly event: string;
  readonly why?: string;
  readonly output: string;
}
