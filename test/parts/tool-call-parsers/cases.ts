import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/contracts/message.ts';
import type { ParsedReply, ToolCallParser } from '../../../src/contracts/tool-call-parser.ts';
import { findToolCallParser } from '../../../src/parts/tool-call-parsers/all.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly content: string | null;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  readonly after?: readonly string[];
  readonly ids?: readonly string[];
  readonly tools?: readonly { readonly name: string; readonly parameters: JsonObject }[];
}
export interface ReadCase extends Case {
  readonly parser: ToolCallParser;
}
export const readCases = (folder: string): readonly ReadCase[] =>
  readdirSync(join('test/fixtures/tool-call-parsers', folder)).flatMap((file) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fixture
    const cases = JSON.parse(readFileSync(join('test/fixtures/tool-call-parsers', folder, file), 'utf8')) as readonly Case[];
    const parser = findToolCallParser(file.replace(/\.json$/, ''));
    return cases.map((one) => ({ ...one, parser, name: `${file}: ${one.name}` }));
  });

export const toolsOf = ({ tools }: Case) => tools?.map(({ name, parameters }) => ({ name, description: '', input: parameters }));
const words = (text: string): string => text.split(/\s+/).join(' ').trim();
export const toShown = (one: Case, reply: ParsedReply) => ({
  content: reply.content,
  calls: reply.calls.map((call) => ({ name: call.name, arguments: call.arguments })),
  ids: one.ids && reply.calls.map(({ id }) => id),
  after: one.after && words(reply.after),
});
export const toWanted = ({ content, calls, ids, after }: Case) => ({
  content: content ?? '',
  calls,
  ids,
  after: after && words(after.join(' ')),
});
