import { UsageError } from '../../base/errors.ts';
import type { ParsedPiece, ParsedReply, ToolCallParser } from '../../contracts/tool-call-parser.ts';
import { deepseekV3, deepseekV31 } from './deepseek.ts';
import type { CallFormat } from './format.ts';
import { glm45, glm47 } from './glm.ts';
import { hermes, longcat, qwen } from './hermes.ts';
import { kimiK2 } from './kimi.ts';
import { llama3Json } from './llama.ts';
import { mistral } from './mistral.ts';
import { qwen3Coder } from './qwen3-coder.ts';
import { createScanner } from './scanner.ts';

/** How models write calls. Each row is a format. */
export const CALL_FORMATS: readonly CallFormat[] = [
  hermes,
  qwen,
  longcat,
  mistral,
  llama3Json,
  qwen3Coder,
  deepseekV3,
  deepseekV31,
  kimiK2,
  glm45,
  glm47,
];

/** Throws, in words for a person, for a name nobody knows. */
export function findToolCallParser(name: string): ToolCallParser {
  const format = CALL_FORMATS.find((row) => row.name === name || row.aliases?.includes(name) === true);
  if (format === undefined)
    throw new UsageError(`there is no tool-call parser ${name}. Known: ${CALL_FORMATS.map((row) => row.name).join(', ')}.`);
  const begin: ToolCallParser['begin'] = (tools, options) => createScanner(format, tools ?? [], options?.isThinking === true);
  return {
    name: format.name,
    begin,
    callId: format.callId ?? ((hash) => `call_${hash.slice(0, 24)}`),
    parse: (text, tools, options) => {
      const run = begin(tools, options);
      return joinPieces([...run.step(text), ...run.end()]);
    },
  };
}

/** The whole of a reply from its pieces. */
export function joinPieces(pieces: readonly ParsedPiece[]): ParsedReply {
  const recalled = pieces.findLastIndex(({ type }) => type === 'recall');
  const [before, said] = [pieces.slice(0, Math.max(recalled, 0)), pieces.slice(recalled + 1)];
  const calls = said.flatMap((piece) => (piece.type === 'call' ? [piece.call] : []));
  const first = calls.length === 0 ? said.length : said.findIndex(({ type }) => type === 'call' || type === 'rejected');
  // Where there is no call at all, what looked like one is what the model had to say.
  const words: readonly ParsedPiece['type'][] = calls.length === 0 ? ['text', 'rejected', 'marker'] : ['text'];
  return {
    content: joinTexts(said.slice(0, first), words),
    after: joinTexts(said.slice(first), words),
    thinking: `${joinTexts(before, ['thinking', 'text', 'rejected', 'marker'])}\n${joinTexts(said, ['thinking'])}`.trim(),
    calls,
    rejected: said.flatMap((piece) => (piece.type === 'rejected' ? [{ text: piece.text, truncated: piece.truncated }] : [])),
  };
}

const joinTexts = (pieces: readonly ParsedPiece[], types: readonly ParsedPiece['type'][]): string =>
  pieces
    .map((piece) => ('text' in piece && types.includes(piece.type) ? piece.text : ''))
    .join('')
    .trim();
