import { findUrls } from '../../base/find-urls.ts';
import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { toErrorMessage } from '../../base/errors.ts';
import { takeStart } from '../../base/text.ts';
import { createTextBlock } from '../../contracts/message.ts';
import type { PluginToolManifest } from '../../contracts/plugin-manifest.ts';
import type { ToolRegistration } from '../../contracts/registries.ts';
import type { Tool, ToolOutput } from '../../contracts/tool.ts';
import type { PluginProcess } from '../process/plugin-process.ts';

/** Sessions that have tools of plugins without naming any. Not those that others read or that programs open from outside. */
export const USUAL_SETS: readonly string[] = ['hermes-cli', 'hermes-cron', 'hermes-gateway', 'hermes-acp', 'hermes-api-server', 'coding'];
const MAX_RESULT = 50_000;

export const toPluginToolset = (plugin: string): string => `plugin-${plugin}`;

/** What a tool is called with, and what the model is told of it. */
export type KnownPluginTool = PluginToolManifest & { readonly description: string; readonly input: JsonObject };

/**
 * A tool of a plugin as one of ours. Only the manifest says how far it reaches; what it answers is foreign, whatever it says
 * itself, and it cannot claim that nothing was done.
 */
export function wrapTool(plugin: string, tool: KnownPluginTool, process: PluginProcess): ToolRegistration {
  const source = `plugin ${plugin}`;
  const wrapped: Tool<JsonObject> = {
    name: tool.name,
    description: tool.description,
    input: tool.input,
    // Calls of one plugin that change something wait for each other; what it touches beyond its own data nobody knows.
    effects: () => ({ kind: tool.effects, resources: tool.effects === 'read' ? [] : ['*'] }),
    reaches: findUrls,
    replay: tool.replay,
    idempotent: tool.effects === 'read',
    offTerminal: true,
    trust: 'foreign',
    ...(tool.effects === 'write' && { sink: () => source }),
    timeoutMs: 0,
    maxResult: MAX_RESULT,
    run: async (input, { signal, sessionId, callId, report }) => {
      try {
        const params = { name: tool.name, input, sessionId, callId };
        const call = { method: 'tool', params, onReport: (note: string) => report(takeStart(note, 200)) } as const;
        return readOutput(await process.call(call, { timeoutMs: tool.timeoutMs, signal }), source);
      } catch (error) {
        return describe(source, `The tool ${tool.name} failed: ${toErrorMessage(error)}`, true);
      }
    },
  };
  return { toolsets: [toPluginToolset(plugin), ...USUAL_SETS, ...tool.toolsets], open: () => wrapped };
}

const describe = (foreign: string, text: string, failed: boolean): ToolOutput => ({
  content: [createTextBlock(text, 'foreign')],
  foreign,
  ...(failed && { failed }),
});

/** A text, or a table with `text`, `failed` and `data`; anything else is shown as the JSON it is. */
function readOutput(answer: Json | undefined, foreign: string): ToolOutput {
  if (typeof answer === 'string') return describe(foreign, answer, false);
  if (!isObject(answer) || typeof answer['text'] !== 'string') return describe(foreign, JSON.stringify(answer ?? null), false);
  const { text, failed, data } = answer;
  return { ...describe(foreign, text, failed === true), ...(isObject(data) && { data }) };
}
