import { unwrapKeyedFence } from '../base/fence.ts';
import type { Json, JsonObject } from '../base/json-types.ts';

export type { Json, JsonObject };

/** The conversation in provider-neutral form. Plain data: every value here survives JSON. The system prompt is not a message. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly (TextBlock | ImageBlock | FileBlock)[];
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextBlock | ThinkingBlock | ToolCall)[];
}
export interface ToolMessage {
  readonly role: 'tool';
  readonly callId: string;
  /** Some wires want the tool's name beside its result. */
  readonly name: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly failed: boolean;
}

/** Who stands behind a block's words. `foreign` is anything fetched from outside: it may inform, never instruct. */
export type Trust = 'owner' | 'model' | 'tool' | 'foreign';

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly trust: Trust;
  /** Where the words come from when they are neither the owner's, the model's nor the tool's own: a page, a file, a hint. */
  readonly source?: string;
  readonly native?: NativeData;
}
export interface ImageBlock {
  readonly type: 'image';
  readonly mime: string;
  /** base64 */
  readonly data: string;
  readonly trust: Trust;
}
export interface FileBlock {
  readonly type: 'file';
  readonly name: string;
  readonly mime: string;
  /** base64 */
  readonly data: string;
  readonly trust: Trust;
}
/** Reasoning, on a track of its own: shown and stored, never sent back as content. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
  readonly trust: 'model';
  readonly native?: NativeData;
}
export interface ToolCall {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** The parsed arguments; `{}` when they could not be parsed, and then `malformed` holds what came. */
  readonly input: Json;
  readonly malformed?: string;
  readonly trust: 'model';
  readonly native?: NativeData;
}
/** Opaque data one wire protocol needs back to continue its own output. Nobody else reads it. */
export interface NativeData {
  readonly protocol: string;
  /** The host that issued it; encrypted reasoning of one issuer is refused by another. */
  readonly issuer: string;
  readonly data: Json;
}

/** Token counts by class. `input` is what was neither read from nor written to the cache; `reasoning` is part of `output`. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  /** Of `cacheWrite`, what is kept for an hour, where the server tells the two apart. */
  readonly cacheWrite1h?: number;
  /** US dollars that the server says it charged. No table of prices knows better. */
  readonly cost?: number;
}
export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export const createTextBlock = (value: string, trust: Trust): TextBlock => ({ type: 'text', text: value, trust });
export const collectToolCalls = (message: AssistantMessage): ToolCall[] => message.content.filter((block) => block.type === 'tool_call');

const PROJECT = 'project: ';
/** The source of words that stand in the project and that the session did not write: they suggest less than foreign ones, but they do. */
export const createProjectSource = (path: string): string => `${PROJECT}${path}`;
export const isProjectSource = (source: string): boolean => source.startsWith(PROJECT);

/** More sources of the project tell nobody more. */
const MAX_PROJECT_SOURCES = 5;

/** The label of words made of others: foreign ones make them foreign, those of the project are only named. */
export function labelSources(sources: readonly string[], otherwise: Trust): Pick<TextBlock, 'trust' | 'source'> {
  const foreign = sources.filter((source) => !isProjectSource(source));
  if (foreign.length > 0) return { trust: 'foreign', source: foreign.join(', ') };
  return sources.length === 0 ? { trust: otherwise } : { trust: otherwise, source: sources.slice(0, MAX_PROJECT_SOURCES).join(', ') };
}

/** What kind of words a session has read that are neither the owner's nor its own. */
export const describeTaint = (taint: readonly string[]): string =>
  taint.every(isProjectSource) ? 'words of the project that it did not write' : 'words from outside';

/** The first few by name; a long list tells nobody more. */
const NAMED = 5;
export const listTaintSources = (all: readonly string[]): string => {
  // Foreign ones first: they matter more.
  const sources = all.toSorted((one, other) => Number(isProjectSource(one)) - Number(isProjectSource(other)));
  return sources.length <= NAMED ? sources.join(', ') : `${sources.slice(0, NAMED).join(', ')} and ${sources.length - NAMED} more`;
};

/** What its author wrote, without words from outside. */
export const joinNonForeignText = ({ content }: Message): string =>
  content
    .flatMap((block) => (block.type === 'text' && block.trust !== 'foreign' ? [block.text] : []))
    .join('\n')
    .trim();

/** The visible words of a message, without reasoning. */
export const joinTextBlocks = (message: Message): string =>
  message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

/** What the sender wrote, without what came along: attached files and other words from outside. */
export const joinOwnWords = ({ content }: UserMessage): string =>
  content
    .flatMap((part) => (part.type === 'text' && part.trust !== 'foreign' ? [part.text] : []))
    .join('\n')
    .trim();

/** What a call gave, as a person reads it: without the marks that tell the model which words come from outside. */
export const joinShownResult = ({ content }: ToolMessage): string =>
  content.flatMap((block) => (block.type === 'text' ? [unwrapKeyedFence(block.text)] : [])).join('');

/** Where the words from outside in a result come from. */
export const listResultSources = ({ content }: ToolMessage): readonly string[] => [
  ...new Set(content.flatMap((block) => (block.type === 'text' && block.trust === 'foreign' && block.source ? [block.source] : []))),
];
