/** What a process held at a moment, after collections. */
export interface SoakReading {
  readonly messages: number;
  /** Heap and memory outside of it. */
  readonly heldMb: number;
  readonly rssMb: number;
  /** Open files and sockets, by the kernel's count. */
  readonly files: number;
  /** What keeps the event loop busy besides timers, by Node's count. */
  readonly handles: number;
  readonly timers: number;
}
export interface SoakResult {
  readonly warmUp: number;
  readonly seconds: number;
  /** Requests of clients that met a connection which the server had just closed because it was idle. */
  readonly sentAgain: number;
  /** The first after the warm-up. */
  readonly readings: readonly SoakReading[];
}
