import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { isObject, parseJson, readPath, readStringAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../contracts/message.ts';
import { TokenCallError } from './ask-server.ts';
import type { ChatTokenizer, TemplateChat } from './chat-tokenizer.ts';

/**
 * The tokenizer and chat template of a model from the files its authors publish: `tokenizer.json`, and the template in
 * `chat_template.jinja`, `chat_template.json` or `tokenizer_config.json`. Throws a `UsageError` for a folder without them.
 */
export async function loadLocalTokenizer(path: string): Promise<ChatTokenizer & { readonly isToolAware: boolean }> {
  const folder = findFolder(path);
  const [{ Tokenizer }, { Template }] = await Promise.all([import('@huggingface/tokenizers'), import('@huggingface/jinja')]);
  const model = readJsonFile(folder, 'tokenizer.json') ?? {};
  const config = readJsonFile(folder, 'tokenizer_config.json') ?? {};
  const tokenizer = new Tokenizer(model, config);
  const sources = readTemplates(folder, config);
  const templates = { plain: new Template(sources.plain), tools: new Template(sources.tools) };
  const names = listSpecialNames(config);
  const encode = (text: string): readonly number[] => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const render = ({ messages, tools }: TemplateChat, isAsking: boolean): string => {
    const items = { messages, add_generation_prompt: isAsking, ...names, ...(tools !== undefined && { tools }) };
    try {
      return templates[tools === undefined ? 'plain' : 'tools'].render(items);
    } catch (error) {
      const detail = `The chat template in ${folder} refused the conversation: ${toErrorMessage(error)}`;
      throw new TokenCallError({ type: 'bad_request', detail });
    }
  };
  const added = readPath(model, 'added_tokens');
  const specials = (Array.isArray(added) ? added : []).filter((token) => readPath(token, 'special') === true);
  const eos = names['eos_token'] === undefined ? undefined : tokenizer.token_to_id(names['eos_token']);
  return {
    isToolAware: /\btools\b/.test(sources.tools),
    render: async (chat, isAsking) => ({ text: render(chat, isAsking) }),
    encode: async (text) => encode(text),
    // It refuses no tokens at all.
    decode: (tokens) =>
      tokens.length === 0 ? '' : tokenizer.decode([...tokens], { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
    ends: new Set([
      ...(eos === undefined ? [] : [eos]),
      ...listNumbers(readPath(readJsonFile(folder, 'generation_config.json'), 'eos_token_id')),
    ]),
    specials: new Set(specials.flatMap((token) => listNumbers(readPath(token, 'id')))),
  };
}

function findFolder(path: string): string {
  const folder = basename(path) === 'tokenizer.json' ? dirname(path) : path;
  if (existsSync(join(folder, 'tokenizer.json')) && statSync(folder).isDirectory()) return folder;
  throw new UsageError(
    `there is no tokenizer.json in ${folder}. Set env.tokenizer_name to a folder with tokenizer.json and tokenizer_config.json of the model, or leave it out to have the server's own /tokenize used.`,
  );
}

function readJsonFile(folder: string, name: string): JsonObject | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  const value = parseJson(readFileSync(path, 'utf8'));
  if (!isObject(value)) throw new UsageError(`${path} is not valid: it must be a JSON object.`);
  return value;
}

/** Some models have a template of their own for conversations with tools. */
function readTemplates(folder: string, config: JsonObject): { readonly plain: string; readonly tools: string } {
  const file = join(folder, 'chat_template.jinja');
  const given: Json | undefined = existsSync(file)
    ? readFileSync(file, 'utf8')
    : (readPath(readJsonFile(folder, 'chat_template.json'), 'chat_template') ?? config['chat_template']);
  if (typeof given === 'string') return { plain: given, tools: given };
  const named = (name: string): string | undefined =>
    (Array.isArray(given) ? given : []).flatMap((row) =>
      readStringAt(row, 'name') === name ? [readStringAt(row, 'template') ?? ''] : [],
    )[0];
  const plain = named('default') ?? named('tool_use');
  if (plain === undefined)
    throw new UsageError(
      `there is no chat template in ${folder}. Add the model's chat_template.jinja, or its tokenizer_config.json with a chat_template.`,
    );
  return { plain, tools: named('tool_use') ?? plain };
}

/** `bos_token` and the like, which templates name. They are written plain, or as objects. */
const listSpecialNames = (config: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) => {
      const text = typeof value === 'string' ? value : readStringAt(value, 'content');
      return key.endsWith('_token') && text !== undefined ? [[key, text] as const] : [];
    }),
  );

const listNumbers = (value: Json | undefined): readonly number[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'number');
