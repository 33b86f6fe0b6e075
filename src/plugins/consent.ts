import { isObject, parseJson } from '../base/json.ts';
import type { JsonObject } from '../base/json-types.ts';
import type { HookName } from '../contracts/hooks.ts';
import {
  listInProcessKinds,
  type PluginCommandManifest,
  type PluginManifest,
  type PluginToolManifest,
} from '../contracts/plugin-manifest.ts';
import type { PluginIsolation } from '../contracts/services/plugins.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import { USUAL_SETS } from './wrap/tools.ts';

/** Where it is kept what the owner agreed to: in the store, which no tool writes to. */
export type ConsentStore = Pick<SessionStore, 'fact' | 'learn'>;

/** What the owner agreed to, and what is known of a plugin since: all that a start needs. */
export interface PluginConsent {
  readonly path: string;
  /** Of the content that was agreed to. */
  readonly hash: string;
  /** Of the same content on the disk; another stamp means that the hash is taken again. */
  readonly stamp: string;
  readonly manifest: PluginManifest;
  /** What the plugin said of tools that its manifest only names. */
  readonly tools: Readonly<Record<string, { readonly description: string; readonly input: JsonObject }>>;
}

const consentKey = (name: string): string => `plugin-consent:${name}`;

export async function readConsent(name: string, store: Pick<ConsentStore, 'fact'>): Promise<PluginConsent | undefined> {
  const value = parseJson((await store.fact(consentKey(name))) ?? '');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written below, into a store that nobody else writes to
  return isObject(value) && isObject(value['manifest']) ? (value as unknown as PluginConsent) : undefined;
}
export const keepConsent = async (name: string, consent: PluginConsent, store: ConsentStore): Promise<void> =>
  void (await store.learn(consentKey(name), JSON.stringify(consent)));
/** Gives whether there was any. */
export async function withdrawConsent(name: string, store: ConsentStore): Promise<boolean> {
  const given = (await store.fact(consentKey(name))) ?? '';
  await store.learn(consentKey(name), '');
  return given !== '';
}

/** Where code of a plugin runs, on a machine that has a sandbox or not. */
export function findIsolation(manifest: PluginManifest, hasSandbox: boolean): PluginIsolation {
  if (manifest.entry === undefined) return 'data';
  if (listInProcessKinds(manifest).length > 0) return 'inside';
  return hasSandbox ? 'sandbox' : 'process';
}

/** One thing the owner agrees to. */
interface ConsentItem {
  /** The same for the same thing: an item the owner has not seen is a growth. */
  readonly key: string;
  readonly words: string;
}

/** Everything a plugin declares, the gravest first. */
export function listConsentItems(manifest: PluginManifest): readonly ConsentItem[] {
  const { capabilities, tools, hooks } = manifest;
  const inside = listInProcessKinds(manifest);
  const each = <Name extends string>(kind: string, names: readonly Name[], say: (name: Name) => string): ConsentItem[] =>
    names.map((name) => ({ key: `${kind} ${name}`, words: say(name) }));
  return [
    ...(inside.length === 0
      ? []
      : [
          {
            key: 'inside',
            words: `It runs inside Hermes with all of your rights, because it brings ${inside.join(' and ')}: it can read and change everything you can.`,
          },
        ]),
    ...each('secret', capabilities.secrets, (name) => `It gets the value of ${name}.`),
    ...each('network', capabilities.network, (host) => `It talks to ${host}.`),
    ...(capabilities.exec ? [{ key: 'exec', words: 'It starts programs.' }] : []),
    ...(capabilities.prompt ? [{ key: 'prompt', words: 'It adds words to the prompt of every session.' }] : []),
    ...each(
      'provider',
      manifest.providers.map(({ id, baseUrl }) => `${id} at ${baseUrl}`),
      (what) => `It adds the model provider ${what}.`,
    ),
    ...manifest.providers.flatMap(({ id, baseUrl, keyEnvs }) =>
      keyEnvs.map((name) => ({
        key: `provider ${id} at ${baseUrl} key ${name}`,
        words: `It sends the value of ${name} to ${URL.parse(baseUrl)?.host ?? baseUrl} when you use the model provider ${id}.`,
      })),
    ),
    ...each('hook', hooks, describeHook),
    ...tools.map(({ name, effects }) => ({
      key: `tool ${name} ${effects}`,
      words: `It adds the tool ${name}, which ${effects === 'read' ? 'only reads' : 'may change things'}.`,
    })),
    ...tools.flatMap(listJoinedSets),
    ...each(
      'memory',
      manifest.memoryProvider === undefined ? [] : [manifest.memoryProvider],
      (name) =>
        `It can be chosen as the memory: ${name}. It is then told what you and the agent say, adds words to the prompt and to your messages, and brings tools of its own.`,
    ),
    ...each('platform', manifest.platforms, (name) => `It adds the chat platform ${name}.`),
    ...each('terminal', manifest.terminals, (name) => `It adds the terminal back end ${name}.`),
    ...manifest.commands.flatMap((command) =>
      listCommandItems('command', `/${command.name}`, command, 'Others who may write in your chats can use it too'),
    ),
    ...manifest.cli.flatMap((command) =>
      listCommandItems('cli', `hermes ${manifest.name} ${command.name}`, command, 'The agent can use it too'),
    ),
    ...(manifest.skills === undefined ? [] : [{ key: 'skills', words: 'It adds skills.' }]),
  ];
}

/** Who can use the tools of these sets, beside the owner. */
const OPEN_SETS: Readonly<Record<string, string>> = {
  'hermes-guest': 'in chats that others read and write in',
  'hermes-api-guest': 'by callers of the API who may not see what is remembered',
  'hermes-webhook': 'by what comes through webhooks',
};
/** What a tool reaches beside the sessions that have tools of plugins without naming any. */
const listJoinedSets = ({ name, toolsets }: PluginToolManifest): readonly ConsentItem[] =>
  toolsets
    .filter((set) => !USUAL_SETS.includes(set))
    .map((set) => ({
      key: `tool ${name} in ${set}`,
      words: `The tool ${name} joins the toolset ${set}: it can be used ${OPEN_SETS[set] ?? 'wherever that is, also where others write'}.`,
    }));

/** Who may use a command is an item of its own: keeping it for the owner takes nothing that was not agreed to. */
const listCommandItems = (kind: string, name: string, { ownerOnly }: PluginCommandManifest, others: string): readonly ConsentItem[] => [
  { key: `${kind} ${name}`, words: `It adds the command ${name}.` },
  ...(ownerOnly ? [] : [{ key: `${kind} ${name} for others`, words: `${others}: ${name}.` }]),
];

/** Hooks that can do something; all others look on. */
const HOOK_WORDS: Partial<Record<HookName, string>> = {
  pre_tool_call: 'It sees every tool call, and can change or block it',
  transform_terminal_output: 'It sees and can rewrite what commands print',
  transform_tool_result: 'It sees and can rewrite what tools answer',
  pre_llm_call: 'It sees your messages and adds words beside them',
  pre_compress: 'It sees what is about to be summarized, and adds words to the summary',
  pre_gateway_dispatch: 'It sees every message that is sent in a chat, and can block it',
};
const describeHook = (hook: HookName): string => {
  const words = HOOK_WORDS[hook];
  return words === undefined ? `It is told of ${hook}.` : `${words} (${hook}).`;
};

/** What of a manifest the owner has not agreed to yet. */
export function listGrowth(agreed: PluginManifest, now: PluginManifest): readonly string[] {
  const known = new Set(listConsentItems(agreed).map(({ key }) => key));
  return listConsentItems(now).flatMap(({ key, words }) => (known.has(key) ? [] : [words]));
}

const ISOLATION: Readonly<Record<PluginIsolation, string>> = {
  sandbox:
    'It runs in a sandbox of its own: it can read its own folder, one folder for its data, and nothing else of yours except what is listed above.',
  process:
    'It is not isolated: this machine has no sandbox, so it can read and change what you can. Limits of Node.js keep mistakes in, not malice.',
  inside: '',
  data: 'It has no code.',
};
/** What the owner reads before saying yes. */
export const describeConsent = (manifest: PluginManifest, isolation: PluginIsolation): readonly string[] =>
  [...listConsentItems(manifest).map(({ words }) => words), ISOLATION[isolation]].filter((words) => words !== '');
