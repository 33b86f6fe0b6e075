import { join } from 'node:path';
import type { MemoryProviderRegistration } from '../contracts/memory-provider.ts';
import { MAX_PLUGIN_SLOTS, type PluginManifest } from '../contracts/plugin-manifest.ts';
import type { Registries } from '../contracts/registries.ts';
import type { InsidePlugin } from './inside-plugin.ts';
import type { EnabledPlugin } from './load-enabled.ts';
import type { PluginProcess } from './process/plugin-process.ts';
import { wrapCommand } from './wrap/commands.ts';
import { wrapHook } from './wrap/hooks.ts';
import { openRemoteMemory } from './wrap/memory.ts';
import { wrapSlot, type JudgeTexts } from './wrap/slots.ts';
import { toPluginToolset, wrapTool, type KnownPluginTool } from './wrap/tools.ts';

export interface RegisterDeps {
  readonly registries: Registries;
  readonly process: PluginProcess | InsidePlugin;
  readonly judge: JudgeTexts;
  notice(words: string): void;
}

/**
 * Puts what a plugin's manifest lists into the open lists of a host. None of its code runs: entries start or load it when they are
 * used. What would take the place of something that is there is left out and told. Disposing takes all of it back.
 */
export function registerPlugin({ name, consent }: EnabledPlugin, deps: RegisterDeps): Disposable {
  const { registries, process } = deps;
  const { manifest, path } = consent;
  const added: Disposable[] = [];
  const tell = (what: string): void =>
    deps.notice(`The plugin ${name} brings ${what}, but there is one of that name already, so the plugin's is left out.`);
  addTools({ manifest, name, known: consent.tools, added, tell }, deps);
  for (const hook of manifest.hooks) added.push(registries.hooks.add(`plugin ${name}: ${hook}`, wrapHook(name, hook, process)));
  for (const command of manifest.commands)
    added.push(
      registries.commands.add(
        `plugin ${name}: /${command.name}`,
        wrapCommand(name, command, 'commands', async () => process),
      ),
    );
  addSlots(manifest, added, deps);
  if (manifest.skills !== undefined) added.push(registries.skillFolders.add(`plugin ${name}`, join(path, manifest.skills)));
  for (const provider of manifest.providers) {
    const taken = new Set([...registries.providers.entries().values()].flatMap(({ id, aliases }) => [id, ...aliases]));
    if ([provider.id, ...provider.aliases].some((each) => taken.has(each))) tell(`the model provider ${provider.id}`);
    else added.push(registries.providers.add(provider.id, { ...provider, onlyByName: true }));
  }
  const { memoryProvider: memory } = manifest;
  if (memory !== undefined) {
    // One that comes with the program wins over all.
    if (registries.memoryProviders.get(memory) !== undefined) tell(`the memory provider ${memory}`);
    else added.push(registries.memoryProviders.add(memory, toMemory(memory, manifest, process)));
  }
  if ('additions' in process) addInside(manifest, process, added, tell, registries);
  return { [Symbol.dispose]: () => added.toReversed().forEach((each) => each[Symbol.dispose]()) };
}

interface ToolAddition {
  readonly manifest: PluginManifest;
  readonly name: string;
  readonly known: EnabledPlugin['consent']['tools'];
  readonly added: Disposable[];
  tell(what: string): void;
}

function addTools({ manifest, name, known, added, tell }: ToolAddition, { registries, process, notice }: RegisterDeps): void {
  if (manifest.tools.length === 0) return;
  const set = toPluginToolset(name);
  added.push(registries.toolsets.add(set, { name: set, description: manifest.description, tools: [], includes: [] }));
  for (const tool of manifest.tools) {
    const asked = known[tool.name];
    const [description, input] = [tool.description ?? asked?.description, tool.input ?? asked?.input];
    if (registries.tools.get(tool.name) !== undefined) tell(`the tool ${tool.name}`);
    else if (description === undefined || input === undefined)
      notice(`The tool ${tool.name} of the plugin ${name} has no description or no input. Type: hermes plugins enable ${name}`);
    else {
      const whole: KnownPluginTool = { ...tool, description, input };
      added.push(registries.tools.add(tool.name, wrapTool(name, whole, process)));
    }
  }
}

/** All sections of plugins together have a limit: who comes last finds less room. */
function addSlots(manifest: PluginManifest, added: Disposable[], { registries, process, judge, notice }: RegisterDeps): void {
  for (const slot of manifest.slots) {
    const used = [...registries.slots.entries().values()].reduce((sum, { cap }) => sum + cap, 0);
    const cap = Math.min(slot.cap, MAX_PLUGIN_SLOTS - used);
    if (cap <= 0)
      notice(
        `The section ${slot.name} of the plugin ${manifest.name} is left out: sections of plugins take ${MAX_PLUGIN_SLOTS} characters already.`,
      );
    else {
      const wrapped = wrapSlot(manifest.name, { ...slot, cap }, process, judge);
      added.push(registries.slots.add(wrapped.name, wrapped));
    }
  }
}

const toMemory = (memory: string, { description }: PluginManifest, process: PluginProcess): MemoryProviderRegistration => ({
  description,
  open: () => openRemoteMemory(memory, process),
});

/** What only a plugin inside of this program can bring. Its code is loaded when one of them is opened. */
function addInside(
  { contextEngine, terminals }: PluginManifest,
  { additions }: InsidePlugin,
  added: Disposable[],
  tell: (what: string) => void,
  registries: Registries,
): void {
  if (contextEngine !== undefined) {
    // The built-in one is what everybody falls back to.
    if (contextEngine === 'compressor') tell(`the context engine ${contextEngine}`);
    else
      added.push(
        registries.engines.add(contextEngine, async (options) =>
          need((await additions()).engines.get(contextEngine), contextEngine).open(options),
        ),
      );
  }
  for (const terminal of terminals) {
    if (registries.terminals.get(terminal) !== undefined) tell(`the terminal back end ${terminal}`);
    else
      added.push(
        registries.terminals.add(terminal, async (options) => need((await additions()).terminals.get(terminal), terminal).open(options)),
      );
  }
}

function need<Item>(item: Item | undefined, name: string): Item {
  if (item === undefined) throw new Error(`its plugin did not add ${name}`);
  return item;
}
