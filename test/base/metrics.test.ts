import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../src/base/metrics.ts';

test('counters, gauges and histograms become the text Prometheus reads', async () => {
  const metrics = createMetrics();
  const turns = metrics.counter('turns_total', 'Turns.\nAll of them.');
  turns.add(1, { outcome: 'answered' });
  turns.add(2, { outcome: 'answered' });
  turns.add(1, { outcome: 'a "quoted" \\ word\n' });
  metrics.gauge('waiting', 'Rows that wait.', async () => [{ value: 3 }]);
  metrics.gauge('broken', 'Cannot be read.', () => {
    throw new Error('no');
  });
  const seconds = metrics.histogram('seconds', 'Time.', [1, 5]);
  seconds.observe(0.5);
  seconds.observe(3);
  seconds.observe(9);
  assert.equal(
    await metrics.text(),
    String.raw`# HELP turns_total Turns.\nAll of them.
# TYPE turns_total counter
turns_total{outcome="answered"} 3
turns_total{outcome="a \"quoted\" \\ word\n"} 1
# HELP waiting Rows that wait.
# TYPE waiting gauge
waiting 3
# HELP broken Cannot be read.
# TYPE broken gauge
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{le="1"} 1
seconds_bucket{le="5"} 2
seconds_bucket{le="+Inf"} 3
seconds_sum 12.5
seconds_count 3
`,
  );
});

test('names without end are counted together', async () => {
  const metrics = createMetrics();
  const calls = metrics.counter('calls_total', 'Calls.');
  for (let at = 0; at < 5_000; at++) calls.add(1, { tool: `tool-${at}` });
  const lines = (await metrics.text()).trim().split('\n');
  assert.equal(lines.length, 2 + 201);
  assert.equal(lines.at(-1), 'calls_total{tool="other"} 4800');
});

test('two metrics cannot have one name', () => {
  const metrics = createMetrics();
  metrics.counter('one', 'One.');
  assert.throws(() => metrics.histogram('one', 'Another.', [1]), /two metrics named one/);
});
