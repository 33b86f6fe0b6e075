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
  { story: 'a folder before a registered engine', engine: 'mine', folders: ['mine'], shelves: ['mine'], opens: 'folder mine' },
  { story: 'a registered engine', engine: 'mine', shelves: ['mine'], opens: 'registered mine' },
  { story: 'a folder before the built-in', engine: 'window', folders: ['window'], opens: 'folder window' },
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
    warns: /no .*nope.*index\.mjs; known are compressor, window, other/,
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

const BROKEN: readonly (readonly [story: string, source: string, why: RegExp])[] = [
  ['does not parse', 'export const {', /Unexpected/],
  ['exports nothing', 'export {};', /exports no contextEngine/],
  ['throws when it is made', "export const contextEngine = () => { throw new Error('no battery'); };", /no battery/],
  ['rejects when it is made', "export const contextEngine = async () => { throw new Error('no battery'); };", /no battery/],
  [
    'makes half an engine',
    "export const contextEngine = () => ({ name: 'half', view: () => [] });",
    /without estimate, shouldCompress, compress/,
  ],
  ['makes nothing', 'export const contextEngine = () => undefined;', /without view, estimate/],
];
for (const [story, source, why] of BROKEN) {
  test(`a plugin that ${story} falls back with one line`, async () => {
    const scene = await sceneOf('mine', { mine: source });
    assert.equal((await openEngine(scene, registered('mine'))).name, 'compressor', 'a broken folder does not let another in by its name');
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', why);
  });
}

test('an engine may be a class: what it inherits counts, and it keeps its own state', async () => {
  const source = `class Base { view() { return []; } estimate() { return this.size(); } }
    class Mine extends Base {
      #kept = 7;
      name = 'mine';
      size() { return this.#kept; }
      shouldCompress() { return this.#kept > 0; }
      async compress() { return { ok: false, why: 'kept ' + this.#kept }; }
    }
    export const contextEngine = () => new Mine();`;
  const engine = await openEngine(await sceneOf('mine', { mine: source }));
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
