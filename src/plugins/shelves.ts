import { toErrorMessage } from '../base/errors.ts';
import type { HookMap, HookName } from '../contracts/hooks.ts';
import type { MemoryProvider } from '../contracts/memory-provider.ts';
import type { PlatformKind } from '../contracts/platform-adapter.ts';
import type {
  NamedEngine,
  NamedTerminal,
  Plugin,
  PluginCommand,
  PluginHost,
  PluginShelf,
  PluginSlot,
  PluginTool,
} from '../contracts/plugin.ts';
import type { PluginManifest } from '../contracts/plugin-manifest.ts';
import type { SettingsSlice, SettingValues, SliceValues } from '../contracts/settings.ts';
import type { TerminalExtension } from '../contracts/terminal-extension.ts';
import { isHookName } from '../contracts/hook-catalog.ts';
import { toPluginLine } from './words/plugin-words.ts';

/** What a plugin has added, by kind and name. What it takes back is gone from here. */
export interface PluginAdditions {
  readonly tools: ReadonlyMap<string, PluginTool>;
  readonly hooks: ReadonlyMap<string, (seen: never) => unknown>;
  readonly commands: ReadonlyMap<string, PluginCommand>;
  readonly cli: ReadonlyMap<string, PluginCommand>;
  readonly slots: ReadonlyMap<string, PluginSlot>;
  readonly memoryProviders: ReadonlyMap<string, MemoryProvider>;
  readonly engines: ReadonlyMap<string, NamedEngine>;
  readonly terminals: ReadonlyMap<string, NamedTerminal>;
  readonly platforms: ReadonlyMap<string, PlatformKind>;
  readonly widgets: ReadonlyMap<string, TerminalExtension>;
  /** The one folder it may write to. */
  readonly dataFolder: string;
  /** Things that were added and are not listed. */
  readonly refused: readonly string[];
  /** Things that are listed and were not added. */
  readonly missing: readonly string[];
}
export interface ShelfOptions {
  readonly manifest: PluginManifest;
  readonly settings: SettingValues;
  readonly dataFolder: string;
  readonly secrets: Readonly<Record<string, string>>;
  notice(words: string): void;
  /** It runs inside the program: it may bring what cannot be elsewhere. */
  readonly inside: boolean;
}

/** Runs `setup`. When it throws, everything it added is taken back and the error goes on. */
export async function setUpPlugin(exported: unknown, options: ShelfOptions): Promise<PluginAdditions> {
  const plugin = checkPlugin(exported, options.manifest.name);
  const { shelves, additions, rollBack } = openShelves(options);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked against the fields of the manifest
    await plugin.setup(shelves, options.settings as SliceValues<SettingsSlice>);
  } catch (error) {
    rollBack();
    throw new Error(`its setup failed: ${toErrorMessage(error)}`, { cause: error });
  }
  return additions();
}

/** Foreign code gives anything. */
function checkPlugin(exported: unknown, name: string): Plugin {
  const members: Partial<Record<string, unknown>> = Object(exported);
  if (typeof members['setup'] !== 'function')
    throw new Error('its entry exports no plugin. Write: export default definePlugin({ name, setup })');
  if (members['name'] !== name)
    throw new Error(`its entry says name: ${String(members['name'])}, but plugin.yaml says ${name}. Give both the same name.`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- looked at above
  return exported as Plugin;
}

function openShelves(options: ShelfOptions): { readonly shelves: PluginHost; additions(): PluginAdditions; rollBack(): void } {
  const { manifest, inside, dataFolder, secrets, notice } = options;
  const refused: string[] = [];
  const all: (() => void)[] = [];
  const missing: (() => string[])[] = [];
  const shelf = <Item extends object>(kind: string, listed: readonly string[], nameOf: (item: Item) => string, isThere = true) => {
    const items = new Map<string, Item>();
    missing.push(() => (isThere ? listed.filter((name) => !items.has(name)).map((name) => `${kind} ${name}`) : []));
    const add = (item: Item): Disposable => {
      if (!isThere)
        throw new Error(
          `a plugin in a process of its own cannot add a ${kind}. List it in plugin.yaml, so that the plugin runs inside Hermes.`,
        );
      const name = nameOf(item);
      if (!listed.includes(name) || items.has(name)) {
        refused.push(items.has(name) ? `${kind} ${name}, a second time` : `${kind} ${name}`);
        return { [Symbol.dispose]: () => {} };
      }
      items.set(name, item);
      const takeBack = (): void => void (items.get(name) === item && items.delete(name));
      all.push(takeBack);
      return { [Symbol.dispose]: takeBack };
    };
    return { items, add };
  };
  const named = ({ name }: { readonly name: string }): string => name;
  const names = (rows: readonly { readonly name: string }[]): readonly string[] => rows.map(named);
  const one = (name: string | undefined): readonly string[] => (name === undefined ? [] : [name]);
  const tools = shelf<PluginTool>('tool', names(manifest.tools), named);
  const hooks = shelf<NamedHook>('hook', manifest.hooks, named);
  const commands = shelf<PluginCommand>('command', names(manifest.commands), named);
  const cli = shelf<PluginCommand>('cli command', names(manifest.cli), named);
  const slots = shelf<PluginSlot>('slot', names(manifest.slots), named);
  const memoryProviders = shelf<MemoryProvider>('memory provider', one(manifest.memoryProvider), named);
  const engines = shelf<NamedEngine>('context engine', one(manifest.contextEngine), named, inside);
  const terminals = shelf<NamedTerminal>('terminal back end', manifest.terminals, named, inside);
  const platforms = shelf<PlatformKind>('platform', manifest.platforms, ({ id }) => id, inside);
  const widgets = shelf<TerminalExtension>('widget', manifest.widgets ? [manifest.name] : [], named, inside);
  const give = <Item extends object>({ add }: { readonly add: (item: Item) => Disposable }): PluginShelf<Item> => ({ add });
  return {
    shelves: {
      name: manifest.name,
      dataFolder,
      secrets: Object.freeze({ ...secrets }),
      notice,
      tools: give(tools),
      on: <Name extends HookName>(hook: Name, run: HookMap[Name]) => {
        if (!isHookName(hook)) throw new Error(`there is no hook ${String(hook)}.`);
        return hooks.add({ name: hook, run });
      },
      commands: give(commands),
      cli: give(cli),
      slots: give(slots),
      memoryProviders: give(memoryProviders),
      engines: give(engines),
      terminals: give(terminals),
      platforms: give(platforms),
      widgets: give(widgets),
    },
    additions: () => ({
      tools: tools.items,
      hooks: new Map([...hooks.items].map(([name, { run }]) => [name, run])),
      commands: commands.items,
      cli: cli.items,
      slots: slots.items,
      memoryProviders: memoryProviders.items,
      engines: engines.items,
      terminals: terminals.items,
      platforms: platforms.items,
      widgets: widgets.items,
      dataFolder,
      refused,
      missing: missing.flatMap((find) => find()),
    }),
    rollBack: () => all.toReversed().forEach((takeBack) => takeBack()),
  };
}
interface NamedHook {
  readonly name: string;
  readonly run: (seen: never) => unknown;
}

const MAX_TOLD = 50;
/** What a plugin did that its manifest does not say, or the reverse, for its owner. */
export const describeMismatch = ({ refused, missing }: Pick<PluginAdditions, 'refused' | 'missing'>): readonly string[] => [
  ...refused
    .slice(0, MAX_TOLD)
    .map((what) => `It adds the ${toPluginLine(what, 200)}, which plugin.yaml does not list, so it is left out.`),
  ...missing.map((what) => `plugin.yaml lists the ${what}, which its code does not add.`),
];
