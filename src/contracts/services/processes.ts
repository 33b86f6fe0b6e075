/** Background processes that sessions started and that go on without them. */
export interface ProcessService {
  /** Oldest first; also those that have ended and whose output is still there. */
  list(): Promise<readonly BackgroundProcess[]>;
  /** What a process wrote, as far as it is kept. */
  output(id: string): Promise<ProcessOutput>;
  /** Lets it go on when its session is closed, and gives how it stands. */
  keep(id: string): Promise<BackgroundProcess>;
  /** Ends it with everything it started, and gives how it stands then. Its session hears of the end as of any other. */
  kill(id: string): Promise<BackgroundProcess>;
}
/** A background process as the owner sees it. */
export interface BackgroundProcess {
  readonly id: string;
  readonly sessionId: string;
  readonly command: string;
  /** The back end it runs in. */
  readonly backend: string;
  readonly pid: number;
  readonly startedAt: number;
  /** `unreachable`: its place cannot be asked now, and it may well run. */
  readonly state: 'running' | 'exited' | 'unreachable';
  readonly exitCode?: number;
  /** Why its place cannot be asked. */
  readonly why?: string;
}
export interface ProcessOutput {
  /** Its beginning and its end, when it is long. */
  readonly text: string;
  /** Lines in all. */
  readonly lines: number;
}
