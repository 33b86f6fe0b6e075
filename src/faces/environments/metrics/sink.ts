import { openLineFile } from '../result-file.ts';

/** What was measured at a step, under the names of the Python environments where they have one. */
export interface MetricsLine {
  readonly step: number;
  readonly values: Readonly<Record<string, number>>;
}
/** Where metrics go. It never throws and never waits: training does not stop for them. */
export interface MetricsSink extends AsyncDisposable {
  log(line: MetricsLine): void;
}

/** One line for each step and each evaluation. */
export function openMetricsFile(path: string, now: () => number): MetricsSink {
  const file = openLineFile(path);
  return {
    log: ({ step, values }) => file.append({ time: now() / 1_000, step, ...values }),
    [Symbol.asyncDispose]: async () => file[Symbol.dispose](),
  };
}
