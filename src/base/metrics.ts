/**
 * Counters, gauges and histograms, as text that Prometheus reads. A metric keeps a bounded number of series: what comes beyond
 * is counted together as `other`, so that no name somebody made up can fill the memory.
 */
export interface Metrics {
  counter(name: string, help: string): Counter;
  /** Read when the text is made. One that throws is left out of it. */
  gauge(name: string, help: string, read: () => readonly Sample[] | Promise<readonly Sample[]>): void;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** In the Prometheus text format, version 0.0.4. */
  text(): Promise<string>;
}
export type Labels = Readonly<Record<string, string>>;
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}
export interface Counter {
  add(amount: number, labels?: Labels): void;
}
export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  lines(): Promise<readonly string[]> | readonly string[];
}
const MAX_SERIES = 200;

export function createMetrics(): Metrics {
  const metrics = new Map<string, Metric>();
  const add = (metric: Metric): void => {
    if (metrics.has(metric.name)) throw new Error(`There are two metrics named ${metric.name}.`);
    metrics.set(metric.name, metric);
  };
  return {
    counter: (name, help) => {
      const series = createSeries(() => ({ total: 0 }));
      add({ name, help, type: 'counter', lines: () => series.all().map(([labels, { total }]) => line(name, labels, total)) });
      return { add: (amount, labels = {}) => void (series.of(labels).total += amount) };
    },
    gauge: (name, help, read) =>
      add({
        name,
        help,
        type: 'gauge',
        lines: async () => {
          const samples = await Promise.resolve()
            .then(read)
            .catch(() => []);
          return samples.map(({ labels = {}, value }) => line(name, labels, value));
        },
      }),
    histogram: (name, help, bounds) => {
      const series = createSeries(() => ({ counts: bounds.map(() => 0), count: 0, sum: 0 }));
      add({
        name,
        help,
        type: 'histogram',
        lines: () => series.all().flatMap(([labels, one]) => describeBuckets(name, bounds, labels, one)),
      });
      return {
        observe: (value, labels = {}) => {
          const one = series.of(labels);
          for (const [index, bound] of bounds.entries()) if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1;
          one.count++;
          one.sum += value;
        },
      };
    },
    text: async () => {
      const parts: string[] = [];
      for (const { name, help, type, lines } of metrics.values())
        parts.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`, ...(await lines()));
      return `${parts.join('\n')}\n`;
    },
  };
}

interface Distribution {
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: number;
}
const describeBuckets = (
  name: string,
  bounds: readonly number[],
  labels: Labels,
  { counts, count, sum }: Distribution,
): readonly string[] => [
  ...bounds.map((bound, index) => line(`${name}_bucket`, { ...labels, le: String(bound) }, counts[index] ?? 0)),
  line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
  line(`${name}_sum`, labels, sum),
  line(`${name}_count`, labels, count),
];

function createSeries<State>(create: () => State) {
  const kept = new Map<string, readonly [Labels, State]>();
  const find = (labels: Labels): State => {
    const key = JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const found = kept.get(key)?.[1];
    if (found !== undefined) return found;
    const made = create();
    kept.set(key, [labels, made]);
    return made;
  };
  return {
    of: (labels: Labels): State => {
      const isKnown = kept.size < MAX_SERIES || Object.keys(labels).length === 0;
      return find(isKnown ? labels : Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])));
    },
    all: (): readonly (readonly [Labels, State])[] => [...kept.values()],
  };
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escape(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}
const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
