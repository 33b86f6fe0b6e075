import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatmlMessage, ServerCodec } from './shapes.ts';

/** Tokens that stand for no byte. `ok` is a token no text is ever encoded to: only a model writes it. */
export const BYTE_SPECIALS = { '<|im_start|>': 256, '<|im_end|>': 257, '<|endoftext|>': 258 } as const;
export const MODEL_OK = 259;
export const IM_END = BYTE_SPECIALS['<|im_end|>'];

const SPECIAL_TEXT = /(<\|im_start\|>|<\|im_end\|>|<\|endoftext\|>)/;
const isSpecial = (text: string): text is keyof typeof BYTE_SPECIALS => Object.hasOwn(BYTE_SPECIALS, text);

/** A token for each byte, and those above. */
export const encodeBytes = (text: string): number[] =>
  text.split(SPECIAL_TEXT).flatMap((part) => (isSpecial(part) ? [BYTE_SPECIALS[part]] : [...Buffer.from(part)]));

export const decodeBytes = (tokens: readonly number[]): string =>
  Buffer.concat(tokens.map((id) => (id < 256 ? Buffer.from([id]) : Buffer.from(wordOf(id))))).toString();

const wordOf = (id: number): string =>
  id === MODEL_OK ? 'ok' : (Object.entries(BYTE_SPECIALS).find(([, special]) => special === id)?.[0] ?? '');

/** ChatML with a table of tools, as a template of a model and as a server does it. */
export const CHATML_TEMPLATE = [
  `{%- if tools %}{{- '<|im_start|>system\\nTools: ' + (tools | map(attribute='function') | map(attribute='name') | join(', ')) + '<|im_end|>\\n' }}{%- endif %}`,
  `{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endfor %}`,
  `{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`,
].join('');

export const renderChatml = (messages: readonly ChatmlMessage[], tools: readonly string[], isAsking = true): string =>
  [
    ...(tools.length === 0 ? [] : [`<|im_start|>system\nTools: ${tools.join(', ')}<|im_end|>\n`]),
    ...messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`),
    ...(isAsking ? ['<|im_start|>assistant\n'] : []),
  ].join('');

export const BYTE_CODEC: ServerCodec = { encode: encodeBytes, decode: decodeBytes, render: renderChatml, end: IM_END };

/** The files of a model with this tokenizer, as they are published. */
export function writeByteTokenizer(folder: string, template: unknown = CHATML_TEMPLATE): string {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));
  const vocab = Object.fromEntries([...listByteWords().map((word, byte) => [word, byte]), ['ok', MODEL_OK]]);
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
  write('tokenizer.json', {
    version: '1.0',
    added_tokens: Object.entries(BYTE_SPECIALS).map(([content, id]) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: { type: 'BPE', dropout: null, unk_token: null, vocab, merges: [] },
  });
  write('tokenizer_config.json', { eos_token: '<|im_end|>', bos_token: null, chat_template: template });
  write('generation_config.json', { eos_token_id: [BYTE_SPECIALS['<|im_end|>'], BYTE_SPECIALS['<|endoftext|>']] });
  return folder;
}

/** Byte-level vocabularies write each byte as a printable character: itself where it is one, else the next free one above 255. */
function listByteWords(): string[] {
  let next = 256;
  const isPrintable = (byte: number): boolean => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++));
}
