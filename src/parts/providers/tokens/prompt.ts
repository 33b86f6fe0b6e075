import { parseHost } from '../../../base/http.ts';
import { isObject, readPath, readStringAt } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import { collectToolCalls, joinTextBlocks, type AssistantMessage, type JsonObject } from '../../../contracts/message.ts';
import type { ModelRequest, ViewMessage } from '../../../contracts/provider.ts';
import { resolveToolSchema } from '../protocols/schema.ts';
import { describeOmittedImage, PLACEHOLDER, TEXT_BREAK } from '../protocols/wire.ts';
import { TokenCallError, type ServerLine } from './ask-server.ts';
import type { ChatTokenizer, TemplateChat } from './chat-tokenizer.ts';
import { readTokens, TOKENS, type TokenNative } from './token-server.ts';

/** What this server generated for a message of the log; absent for one that others wrote. */
export function readNative({ content }: AssistantMessage, { runtime }: ModelRequest): TokenNative | undefined {
  const native = content.flatMap((block) => block.native ?? []).find(({ protocol }) => protocol === TOKENS);
  const finish = readPath(native?.data, 'finish');
  if (native?.issuer !== parseHost(runtime.baseUrl) || (finish !== 'stop' && finish !== 'length')) return undefined;
  return { text: readStringAt(native.data, 'text') ?? '', tokens: readTokens(readPath(native.data, 'tokens'), 'tokens'), finish };
}

/** What was rendered and tokenized before, so that the same is never done twice in a conversation. */
export interface PromptMemory {
  /** By text. */
  readonly tokens: Map<string, readonly number[]>;
  /** Text behind the last reply, by a hash of the conversation. */
  readonly tails: Map<string, string>;
}
export const createPromptMemory = (): PromptMemory => ({ tokens: new Map(), tails: new Map() });

/**
 * The tokens of a request. Replies of this server are the tokens it generated; only the text around them is tokenized, and each
 * such text once, so that a conversation that goes on begins with the very tokens that were sent before.
 *
 * The template sees a mark in place of each reply. What it writes between two marks is the text between two replies: nothing of a
 * reply is ever rendered, so no template can trim it, drop its thoughts or write its call in another way.
 */
export async function buildPrompt(
  request: ModelRequest,
  tokenizer: ChatTokenizer,
  line: ServerLine,
  memory: PromptMemory,
): Promise<readonly number[]> {
  const replies = request.messages.flatMap(({ message }) => (message.role === 'assistant' ? (readNative(message, request) ?? []) : []));
  const renderer = { tokenizer, line, memory, marks: createMarks(request, replies.length) };
  const prompt: number[] = [];
  let before: TokenNative | undefined;
  for (const { words, mark } of await listPieces(toTemplateChat(request, renderer.marks), renderer)) {
    const ids = memory.tokens.get(words) ?? (words === '' ? [] : await tokenizer.encode(words, line));
    memory.tokens.set(words, ids);
    // Not spread: a conversation may have more tokens than a call takes arguments.
    for (const id of before === undefined ? ids : withoutSecondEnd(before, ids, tokenizer)) prompt.push(id);
    before = mark === undefined ? undefined : replies[mark];
    for (const id of before?.tokens ?? []) prompt.push(id);
  }
  return prompt;
}

interface PromptRenderer {
  readonly tokenizer: ChatTokenizer;
  readonly line: ServerLine;
  readonly memory: PromptMemory;
  readonly marks: readonly string[];
}
/** Text, and the reply behind it; none behind the last. */
interface PromptPiece {
  readonly words: string;
  readonly mark?: number;
}

/**
 * The text around the replies. Before a reply it is the text that asked for it: many templates ask in other words than they write
 * the past in (an opened thought, a space). Where the past itself is written differently now, it is taken as it is written now.
 */
async function listPieces(chat: TemplateChat, renderer: PromptRenderer): Promise<readonly PromptPiece[]> {
  const pieces = splitAtMarks(await render(chat, true, renderer), renderer.marks);
  const asked: PromptPiece[] = [];
  for (const piece of pieces) {
    const words = piece.mark === undefined ? piece.words : await findAsked(piece, chat, renderer);
    if (words === undefined) return pieces;
    asked.push({ ...piece, words });
  }
  const last = pieces.at(-1)?.words ?? '';
  renderer.memory.tails.set(toKey(chat, true), last);
  return asked;
}

/** The text by which a reply was asked for; nothing when the messages before it are written differently now. */
async function findAsked({ words, mark = 0 }: PromptPiece, chat: TemplateChat, renderer: PromptRenderer): Promise<string | undefined> {
  const end = chat.messages.findIndex(({ content }) => content === renderer.marks[mark]);
  const then = { ...chat, messages: chat.messages.slice(0, end) };
  const [closed, asking] = [await findTail(then, false, renderer), await findTail(then, true, renderer)];
  return words.startsWith(closed) && asking.startsWith(closed) ? asking : undefined;
}

async function findTail(chat: TemplateChat, isAsking: boolean, renderer: PromptRenderer): Promise<string> {
  const key = toKey(chat, isAsking);
  const known = renderer.memory.tails.get(key);
  if (known !== undefined) return known;
  const tail = splitAtMarks(await render(chat, isAsking, renderer), renderer.marks).at(-1)?.words ?? '';
  renderer.memory.tails.set(key, tail);
  return tail;
}

const toKey = (chat: TemplateChat, isAsking: boolean): string => sha256(JSON.stringify([chat, isAsking]));

async function render(chat: TemplateChat, isAsking: boolean, { tokenizer, line, memory, marks }: PromptRenderer): Promise<string> {
  const { text, tokens } = await tokenizer.render(chat, isAsking, line);
  // Tokens of a text with a mark in it are of no use.
  if (tokens !== undefined && !marks.some((mark) => text.includes(mark))) memory.tokens.set(text, tokens);
  return text;
}

/** The template ends each reply with the token the model has ended it with: it stands there once. */
function withoutSecondEnd({ tokens, finish }: TokenNative, next: readonly number[], { ends, specials }: ChatTokenizer): readonly number[] {
  const [last, first] = [tokens.at(-1), next[0]];
  if (finish !== 'stop' || last === undefined || first === undefined) return next;
  const isSame = last === first && (specials?.has(last) ?? true);
  return isSame || (ends.has(last) && ends.has(first)) ? next.slice(1) : next;
}

/** Words that stand nowhere in the conversation. */
function createMarks(request: ModelRequest, count: number): readonly string[] {
  const said = JSON.stringify([request.system, request.tools, request.messages]);
  let key = 0;
  while (said.includes(`reply-mark-${key}-`)) key++;
  return Array.from({ length: count }, (_, index) => `[reply-mark-${key}-${index}-]`);
}

/** Text up to each mark that the template kept, and the text behind the last. */
function splitAtMarks(text: string, marks: readonly string[]): readonly PromptPiece[] {
  const places = marks
    .map((mark, index) => ({ mark: index, at: text.indexOf(mark), again: text.indexOf(mark, text.indexOf(mark) + 1), length: mark.length }))
    .filter(({ at }) => at >= 0);
  if (places.some(({ at, again }, index) => again > at || at < (places[index - 1]?.at ?? 0)))
    throw new TokenCallError({ type: 'bad_request', detail: 'The chat template writes a reply twice, or replies in another order.' });
  const begins = [0, ...places.map(({ at, length }) => at + length)];
  return [...places.map(({ mark, at }, index) => ({ words: text.slice(begins[index], at), mark })), { words: text.slice(begins.at(-1)) }];
}

function toTemplateChat(request: ModelRequest, marks: readonly string[]): TemplateChat {
  let next = 0;
  const messages = request.messages.map((view) => {
    const { message } = view;
    const isOwn = message.role === 'assistant' && readNative(message, request) !== undefined;
    return isOwn ? { role: 'assistant', content: marks[next++] ?? '' } : toTemplateMessage(view);
  });
  return {
    messages: [...(request.system === '' ? [] : [{ role: 'system', content: request.system.toWellFormed() }]), ...messages],
    ...(request.tools.length > 0 && {
      tools: request.tools.map((tool) => ({
        type: 'function',
        function: { name: tool.name, description: tool.description, parameters: resolveToolSchema(tool, request) },
      })),
    }),
  };
}

function toTemplateMessage({ message, wireOnly = [] }: ViewMessage): JsonObject {
  const words = [...message.content, ...wireOnly].flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return block.type === 'image' ? [describeOmittedImage(block)] : [];
  });
  const content = (words.join(TEXT_BREAK) || PLACEHOLDER).toWellFormed();
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, name: message.name, content };
  if (message.role === 'user') return { role: 'user', content };
  const calls = collectToolCalls(message).map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: isObject(input) ? input : {} },
  }));
  return { role: 'assistant', content: joinTextBlocks(message).toWellFormed(), ...(calls.length > 0 && { tool_calls: calls }) };
}
