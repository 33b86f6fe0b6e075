import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHost } from '../../src/app/open-host.ts';
import { openHost as openAppHost } from '../../src/app/host/host.ts';
import { resolveHome } from '../../src/base/home.ts';
import { isObject, parseJson } from '../../src/base/json.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { findEventLog, openEventLog } from '../../src/parts/telemetry/event-log.ts';
import { countTurns } from '../../src/parts/telemetry/turn-metrics.ts';
import type { Provider } from '../../src/contracts/provider.ts';
import { scriptedProvider } from '../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../src/testing/scripted-route.ts';
import { command, folder, never, talk, tell } from './host-scene.ts';

test('turns, model calls, tokens and tools are counted as they become durable', async () => {
  await using host = await openAppHost({ home: resolveHome({ HERMES_HOME: mkdtempSync(join(folder, 'counted-')) }) });
  const metrics = createMetrics();
  using _observing = host.observe(countTurns(metrics));
  await using session = await host.openSession(talk(command('echo hello'), { platform: 'cli' }));
  await tell(session, 'go');
  const text = await metrics.text();
  for (const line of [
    'hermes_turns_total{outcome="answered",exit_reason="answered"} 1',
    'hermes_model_calls_total{provider="scripted",model="scripted",purpose="turn",result="tool_calls"} 1',
    'hermes_model_calls_total{provider="scripted",model="scripted",purpose="turn",result="stop"} 1',
    'hermes_tool_calls_total{tool="terminal",result="done"} 1',
    'hermes_turn_seconds_count{outcome="answered"} 1',
  ])
    assert.ok(text.includes(`${line}\n`), `${line}\n--- is not in\n${text}`);
  assert.ok(!text.includes('hello'), 'no word of a session is in a metric');
});

test('the log of events has what a turn cost, and no figure when a price is unknown', async () => {
  const home = resolveHome({ HERMES_HOME: mkdtempSync(join(folder, 'events-')) });
  await using host = await openAppHost({ home });
  const log = openEventLog(home.root, Date.now);
  using _observing = host.observe(log.observe);
  const script = command('echo hello');
  for (const prices of [
    [0.25, 0.5],
    [undefined, undefined],
    [0.25, undefined],
  ]) {
    const scripted = scriptedProvider(script);
    let calls = 0;
    const counted: Provider = { ...scripted, stream: (...asked) => ((calls += 1), scripted.stream(...asked)) };
    const provider = { ...scriptedRoute(counted), price: () => prices[Math.max(0, calls - 1)] };
    await using session = await host.openSession(talk(script, { provider }));
    await tell(session, 'go');
  }
  const turns = readFileSync(findEventLog(home.root), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    turns.map(({ event, cost_usd }) => [event, cost_usd]),
    [
      ['turn', 0.75],
      ['turn', null],
      ['turn', null],
    ],
  );
});

test('a collector gets one trace for each turn, with its calls and tools below it, and no word that was said', async () => {
  await using collector = await startCollector();
  const root = mkdtempSync(join(folder, 'traced-'));
  writeFileSync(join(root, 'config.yaml'), `telemetry:\n  otlp_endpoint: ${collector.address}\n`);
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc' };
  {
    await using host = await openHost({ home: resolveHome({ HERMES_HOME: root }), env });
    await using session = await host.openSession(talk(command('echo hello-from-the-shell')));
    await tell(session, 'say-something');
  }
  assert.deepEqual(collector.paths, ['/v1/traces']);
  assert.equal(collector.headers[0]?.['authorization'], 'Bearer abc');
  const spans = collector.spans();
  assert.deepEqual(
    spans.map(({ name, isRoot }) => ({ name, isRoot })),
    [
      { name: 'invoke_agent hermes', isRoot: true },
      { name: 'chat scripted', isRoot: false },
      { name: 'chat scripted', isRoot: false },
      { name: 'execute_tool terminal', isRoot: false },
    ],
  );
  const [turn] = spans;
  assert.deepEqual([...new Set(spans.map(({ traceId }) => traceId))], [turn?.traceId]);
  assert.ok(spans.slice(1).every(({ parentId, start, end }) => parentId === turn?.spanId && start <= end));
  assert.doesNotMatch(collector.bodies.join(''), /say-something|hello-from-the-shell/);
});

test('a collector that is away costs nothing but its traces', async () => {
  const root = mkdtempSync(join(folder, 'away-'));
  writeFileSync(join(root, 'config.yaml'), 'telemetry:\n  otlp_endpoint: http://127.0.0.1:9\n');
  await using host = await openHost({ home: resolveHome({ HERMES_HOME: root }) });
  await using session = await host.openSession(talk([{ text: 'done' }]));
  const events = await tell(session, 'go');
  assert.equal(events.at(-1)?.type, 'settled');
});

test('a percent sign in the headers of traces keeps nothing from opening, and one notice names the variable', async () => {
  await using collector = await startCollector();
  const root = mkdtempSync(join(folder, 'percent-'));
  writeFileSync(join(root, 'config.yaml'), `telemetry:\n  otlp_endpoint: ${collector.address}\n`);
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=50%off,x-other=a%20b' };
  let notices: Promise<readonly string[]>;
  {
    await using host = await openHost({ home: resolveHome({ HERMES_HOME: root }), env });
    notices = Array.fromAsync(host.notices(never), ({ text }) => text);
    await using session = await host.openSession(talk([{ text: 'done' }]));
    await tell(session, 'go');
  }
  assert.deepEqual(
    ['x-key', 'x-other'].map((name) => collector.headers[0]?.[name]),
    ['50%off', 'a b'],
  );
  const [words, ...others] = (await notices).filter((text) => text.includes('OTEL_EXPORTER_OTLP_HEADERS'));
  assert.deepEqual([others, words?.includes('x-key'), words?.includes('off')], [[], true, false], 'a value may be a key');
});

interface ReadSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly isRoot: boolean;
  readonly start: bigint;
  readonly end: bigint;
}

async function startCollector() {
  const [paths, bodies, headers]: [string[], string[], Record<string, unknown>[]] = [[], [], []];
  const server = createServer((request, response) => {
    void Array.fromAsync<Buffer>(request).then((chunks) => {
      paths.push(request.url ?? '');
      headers.push(request.headers);
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    address: `http://127.0.0.1:${port}`,
    paths,
    bodies,
    headers,
    spans: (): readonly ReadSpan[] => bodies.flatMap((body) => readSpans(parseJson(body))),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const items = (value: unknown, key: string): readonly unknown[] => {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
};
const readSpans = (body: unknown): readonly ReadSpan[] =>
  items(body, 'resourceSpans')
    .flatMap((resource) => items(resource, 'scopeSpans'))
    .flatMap((scope) => items(scope, 'spans'))
    .flatMap((span) => {
      if (!isObject(span)) return [];
      const read = (key: string): string => (typeof span[key] === 'string' ? span[key] : '');
      return [
        {
          name: read('name'),
          traceId: read('traceId'),
          spanId: read('spanId'),
          parentId: read('parentSpanId'),
          isRoot: read('parentSpanId') === '',
          start: BigInt(read('startTimeUnixNano')),
          end: BigInt(read('endTimeUnixNano')),
        },
      ];
    });
