import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/app/config/config.ts';
import { openPlugins } from '../../src/app/plugins/open-plugins.ts';
import { createRegistries } from '../../src/app/tools/registries.ts';
import { followPlugins } from '../../src/plugins/follow-plugins.ts';
import { openHomeStore } from '../../src/parts/store/home-store.ts';
import { countHeap, writeHeap } from '../heap-counts.ts';
import { createPluginHome, entryOf, manifestOf } from './plugin-home.ts';

/** What this process holds that a plugin could have left. */
export interface Holdings {
  readonly descriptors: number;
  readonly children: number;
  readonly resources: number;
  readonly registered: string;
}

export interface CycleReport {
  readonly before: Holdings;
  readonly after: Holdings;
  /** Kinds of things on the heap that became more with the rounds, in both halves. */
  readonly grown: readonly string[];
}

/** Enables, uses and disables a plugin so many times; gives what was held after the first rounds and after the last. */
export async function cyclePlugins(rounds: number): Promise<CycleReport> {
  const place = createPluginHome();
  place.write('echo', {
    'plugin.yaml': manifestOf(
      'echo',
      'tools: [{ name: echo, description: Says x, effects: read, input: { type: object } }]\nhooks: [pre_tool_call]\n',
    ),
    'index.js': entryOf('echo', `host.tools.add({ name: 'echo', run: () => 'x' }); host.on('pre_tool_call', () => undefined);`),
  });
  const registries = createRegistries();
  const { home } = place;
  const { settings } = await loadConfig(home.config, {}, () => {});
  await using store = await openHomeStore(home);
  const told: string[] = [];
  await using plugins = await followPlugins(store, async () =>
    openPlugins({ registries, store, home, env: {}, settings, notice: (words) => void told.push(words) }),
  );
  const round = async (): Promise<void> => {
    await place.enable('echo');
    await plugins.refresh();
    const hook = registries.hooks.get('plugin echo: pre_tool_call');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it answers whatever it is told
    assert.equal(await (hook?.run as ((seen: object) => unknown) | undefined)?.({ tool: 'x' }), undefined);
    assert.ok(registries.tools.get('echo') !== undefined);
    await place.use((service) => service.disable('echo'));
    await plugins.refresh();
    assert.ok(registries.tools.get('echo') === undefined);
  };
  const look = async (): Promise<Holdings> => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return {
      descriptors: readdirSync('/proc/self/fd').length,
      children: readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).length,
      resources: process.getActiveResourcesInfo().filter((kind) => /Process|Pipe|Timeout|Server|Socket/.test(kind)).length,
      registered: Object.values(registries)
        .map((registry) => registry.names().length)
        .join(),
    };
  };
  for (let each = 0; each < WARM_UPS; each++) await round();
  const before = await look();
  const heaps = mkdtempSync(join(tmpdir(), 'hermes-cycles-'));
  try {
    const written = [writeHeap(join(heaps, '0.heapsnapshot'))];
    for (const half of [1, 2]) {
      for (let each = 0; each < Math.ceil(rounds / 2); each++) await round();
      await look();
      written.push(writeHeap(join(heaps, `${half}.heapsnapshot`)));
    }
    assert.deepEqual(told, []);
    return { before, after: await look(), grown: listGrown(written, Math.max(rounds / 4, LEAST_GROWN)) };
  } finally {
    rmSync(heaps, { recursive: true, force: true });
  }
}
/** What is loaded when it is first needed, and caches, are filled by then. */
const WARM_UPS = 3;
/** Fewer texts come and go by themselves; one for each round of the small size is more. */
const LEAST_GROWN = 5;

/** What grew by at least so many in each half: a cache grows once and stays. */
function listGrown(heaps: readonly string[], least: number): readonly string[] {
  const [first, second, third] = heaps.map(countHeap);
  return [...(third ?? [])].flatMap(([kind, count]) => {
    const [one, two] = [first?.get(kind) ?? 0, second?.get(kind) ?? 0];
    return two - one >= least && count - two >= least ? [`${kind}: ${one}, ${two}, ${count}`] : [];
  });
}
