import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { resolveHome } from '../../src/base/home.ts';
import { createRegistry } from '../../src/base/registry.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import type { EngineFactory } from '../../src/contracts/context-engine.ts';
import { ENGINES, openEngine } from '../../src/parts/context/open.ts';
import { givesOrders } from '../../src/parts/safety/scan/orders.ts';
import { windowEngine } from '../../src/parts/context/window.ts';
import { tempFolder } from '../agent/setup.ts';
import { askOf, good, workLog } from '../parts/context/compressor/log.ts';

/** What the owner was told. */
let told: string[] = [];
beforeEach(() => {
  told = [];
});

async function sceneOf(engine: string, plugins: Readonly<Record<string, string>> = {}) {
  const root = tempFolder();
  const home = resolveHome({ HERMES_HOME: root, HOME: root });
  writeFileSync(home.config, `context:\n  engine: ${JSON.stringify(engine)}\n`);
  for (const [name, source] of Object.entries(plugins)) {
    const folder = join(root, 'plugins', 'context_engine', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.mjs'), source);
  }
  return {
    home,
    config: await loadConfig(home.config, {}, () => {}),
    notice: (words: string) => void told.push(words),
    suspicious: async () => givesOrders,
    entries: async () => [],
  };
}

const plugin = (label: string): string => `export const contextEngine = () => ({
  name: '${label}', view: () => [], estimate: () => 1, shouldCompress: () => false, compress: async () => ({ ok: false, why: 'never' }),
});`;
function registered(...names: readonly string[]): ReadonlyMap<string, EngineFactory> {
  const registry = createRegistry(ENGINES);
  for (const name of names) registry.add(name, () => ({ ...windowEngine, name: `registered ${name}` }));
  return registry.entries();
}

interface Case {
  readonly story: string;
  readonly engine: string;
  readonly folders?: readonly string[];
  readonly shelves?: readonly string[];
  readonly opens: string;
  readonly warns?: RegExp;
}
const CASES: readonly Case[] = [
  { story: 'the default is the built-in', engine: 'compressor', opens: 'compressor' },
  { story: 'the other built-in by its name', engine: 'window', opens: 'window' },
  {
    story: 'a folder that nobody enabled',
    engine: 'mine',
    folders: ['mine'],
    opens: 'compressor',
    warns: /its plugin is not enabled; to use it: hermes plugins enable mine/,
  },
  { story: 'a registered engine', engine: 'mine', shelves: ['mine'], opens: 'registered mine' },
  { story: 'a folder that nobody enabled does not take the place of the built-in', engine: 'window', folders: ['window'], opens: 'window' },
  { story: 'a registered engine before the built-in', engine: 'window', shelves: ['window'], opens: 'registered window' },
  {
    story: 'compressor is never anybody else',
    engine: 'compressor',
    folders: ['compressor'],
    shelves: ['compressor'],
    opens: 'compressor',
  },
  { story: 'none activates itself', engine: 'compressor', folders: ['mine'], shelves: ['other'], opens: 'compressor' },
  {
    story: 'a name nobody answers to',
    engine: 'nope',
    shelves: ['other'],
    opens: 'compressor',
    warns: /no engine of that name; known are compressor, window, other/,
  },
  { story: 'a name that is no folder', engine: '../mine', folders: ['mine'], opens: 'compressor', warns: /cannot be used/ },
  { story: 'a name every object has', engine: 'constructor', opens: 'compressor', warns: /cannot be used/ },
];

for (const { story, engine, folders = [], shelves = [], opens, warns } of CASES) {
  test(story, async () => {
    const scene = await sceneOf(engine, Object.fromEntries(folders.map((name) => [name, plugin(`folder ${name}`)])));
    assert.equal((await openEngine(scene, registered(...shelves))).name, opens);
    assert.equal(told.length, warns === undefined ? 0 : 1, told.join(''));
    if (warns !== undefined) assert.match(told.join(''), warns);
  });
}

const BROKEN: readonly (readonly [story: string, made: () => unknown, why: RegExp])[] = [
  [
    'throws when it is made',
    () => {
      throw new Error('no battery');
    },
    /no battery/,
  ],
  ['rejects when it is made', () => Promise.reject(new Error('no battery')), /no battery/],
  ['makes half an engine', () => ({ name: 'half', view: () => [] }), /without estimate, shouldCompress, compress/],
  ['makes nothing', () => undefined, /without view, estimate/],
];
for (const [story, made, why] of BROKEN) {
  test(`an engine that ${story} falls back with one line`, async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a plugin may give
    const engines = new Map([['mine', made as EngineFactory]]);
    assert.equal((await openEngine(await sceneOf('mine'), engines)).name, 'compressor');
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', why);
  });
}

test('an engine may be a class: what it inherits counts, and it keeps its own state', async () => {
  class Base {
    protected readonly kept: number = 7;
    view(): [] {
      return [];
    }
    estimate(): number {
      return this.kept;
    }
  }
  class Mine extends Base {
    readonly name = 'mine';
    shouldCompress(): boolean {
      return this.kept > 0;
    }
    async compress() {
      return { ok: false, why: `kept ${this.kept}` } as const;
    }
  }
  const engine = await openEngine(await sceneOf('mine'), new Map([['mine', () => new Mine()]]));
  assert.deepEqual([engine.name, told], ['mine', []]);
  assert.equal(engine.estimate({ system: '', tools: [], view: [] }), 7);
  assert.equal(engine.shouldCompress({ tokens: 1, window: 2 }), true);
  assert.deepEqual(await engine.compress(askOf(workLog(1, 1, 10))), { ok: false, why: 'kept 7' });
});

test('off means off for every built-in engine, and the word of the user goes past it', async () => {
  const log = workLog(6, 10, 500);
  for (const name of ['compressor', 'window']) {
    const scene = await sceneOf(name);
    const off = { ...scene, config: { ...scene.config, settings: { ...scene.config.settings, 'compression.enabled': false } } };
    const engine = await openEngine(off);
    assert.equal(engine.shouldCompress({ tokens: 9_000, window: 9_000 }), false);
    for (const reason of ['threshold', 'hygiene', 'overflow'] as const) {
      const result = await engine.compress(askOf(log, { reason }));
      assert.ok(!result.ok && result.report === undefined);
      assert.match(result.why, /^compression\.enabled is off; .*hermes config set compression\.enabled true/, `${name}, ${reason}`);
    }
    assert.equal((await engine.compress(askOf(log, { reason: 'asked', summarisers: [good()] }))).ok, true, name);
    const on = await openEngine(scene);
    assert.equal((await on.compress(askOf(log, { reason: 'overflow', summarisers: [good()] }))).ok, true, name);
  }
});
