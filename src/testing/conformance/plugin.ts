import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../base/json-types.ts';
import type { Plugin, PluginHost, PluginTool } from '../../contracts/plugin.ts';
import { collectDefaults, type SettingsSlice } from '../../contracts/settings.ts';

/** A plugin and what its `plugin.yaml` lists. */
export interface PluginSubject {
  readonly plugin: Plugin;
  readonly lists: {
    readonly tools?: readonly string[];
    readonly hooks?: readonly string[];
    readonly commands?: readonly string[];
    readonly cli?: readonly string[];
    readonly slots?: readonly string[];
    readonly memoryProvider?: string;
  };
  /** The settings of `plugin.yaml`; each has its default here. */
  readonly settings?: SettingsSlice;
  /** What `host.secrets` has. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** One call for each tool that works without the network. */
  readonly calls?: Readonly<Record<string, JsonObject>>;
}

/** What authors prove of a plugin without a host: that it adds what it lists and nothing else, and that its answers can travel. */
export function testPluginConformance({ plugin, lists, settings = {}, secrets = {}, calls = {} }: PluginSubject): void {
  const setUp = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-plugin-'));
    const recorded = recordHost(plugin.name, folder, secrets);
    await plugin.setup(recorded.host, collectDefaults(settings));
    return { ...recorded, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  };
  const wanted = Object.entries(lists)
    .flatMap(([kind, names]) => (typeof names === 'string' ? [names] : names).map((name) => `${kind} ${name}`))
    .toSorted();
  describe(`${plugin.name} keeps the promises of a plugin`, () => {
    test('setup adds what plugin.yaml lists, and nothing else', async () => {
      using recorded = await setUp();
      assert.deepEqual([...recorded.added.keys()].toSorted(), wanted);
    });
    test('everything that was added can be taken back, twice', async () => {
      using recorded = await setUp();
      for (const each of recorded.disposables) for (let times = 0; times < 2; times++) each[Symbol.dispose]();
      assert.deepEqual([...recorded.added.keys()], []);
    });
    test('setup can be called again, as in a process that was started anew', async () => {
      using _first = await setUp();
      using second = await setUp();
      assert.deepEqual([...second.added.keys()].toSorted(), wanted);
    });
    for (const [name, input] of Object.entries(calls))
      test(`the tool ${name} answers with a text, or a table that has one`, async () => {
        using recorded = await setUp();
        const tool = recorded.tools.get(name);
        assert.ok(tool !== undefined, `plugin.yaml and setup know no tool ${name}`);
        const context = { signal: AbortSignal.timeout(60_000), sessionId: 'session', callId: 'call', report: () => {} };
        const answer = await tool.run(input, context);
        assert.equal(typeof (typeof answer === 'string' ? answer : answer.text), 'string');
        assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer, 'it goes to another process as JSON');
      });
  });
}

/** A host that keeps what is added, by kind and name. */
function recordHost(name: string, dataFolder: string, secrets: Readonly<Record<string, string>>) {
  const added = new Map<string, object>();
  const tools = new Map<string, PluginTool>();
  const disposables: Disposable[] = [];
  const add = (kind: string, item: { readonly name: string }): Disposable => {
    const key = `${kind} ${item.name}`;
    assert.ok(!added.has(key), `${key} was added twice`);
    added.set(key, item);
    const disposable = { [Symbol.dispose]: () => void added.delete(key) };
    disposables.push(disposable);
    return disposable;
  };
  const shelf = (kind: string) => ({ add: (item: { readonly name: string }) => add(kind, item) });
  const host: PluginHost = {
    name,
    dataFolder,
    secrets,
    notice: () => {},
    tools: {
      add: (tool) => {
        tools.set(tool.name, tool);
        return add('tools', tool);
      },
    },
    on: (hook) => add('hooks', { name: hook }),
    commands: shelf('commands'),
    cli: shelf('cli'),
    slots: shelf('slots'),
    memoryProviders: shelf('memoryProvider'),
    engines: shelf('engines'),
    terminals: shelf('terminals'),
    platforms: { add: ({ id }) => add('platforms', { name: id }) },
    widgets: shelf('widgets'),
  };
  return { host, added, tools, disposables };
}
