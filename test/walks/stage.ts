import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedRequest, Reply } from '../../src/testing/wire-server/index.ts';
import { hermes, jsonLines, tempHome, type Ran, type RunOptions } from './hermes.ts';

/** A home and a folder to work in, beside each other, and the program run there. */
export interface Stage {
  readonly home: string;
  readonly cwd: string;
  at(name: string): string;
  text(name: string): string;
  /** What commands of the test wrote down about themselves. */
  marks(): string[];
  settings(values: object): void;
  run(args: readonly string[], more?: Partial<RunOptions>): Promise<Ran>;
}

export function stage(settings: object = {}): Stage {
  const root = tempHome();
  const [home, cwd, tmp] = [join(root, 'home'), join(root, 'work'), join(root, 'tmp')];
  for (const folder of [home, cwd, tmp]) mkdirSync(folder);
  const at = (name: string): string => join(cwd, name);
  const write = (values: object): void => writeFileSync(join(home, 'config.yaml'), JSON.stringify(values));
  write(settings);
  return {
    home,
    cwd,
    at,
    text: (name) => readFileSync(at(name), 'utf8'),
    marks: () => (existsSync(at('marks')) ? readFileSync(at('marks'), 'utf8').trim().split('\n') : []),
    settings: write,
    // What runs leave lying about goes away with the rest.
    run: (args, more = {}) => hermes(args, { home, cwd, ...more, env: { TMPDIR: tmp, ...more.env } }),
  };
}

export const call = (name: string, input: object): Reply => ({ calls: [{ name, arguments: input }] });
export const command = (line: string, more: object = {}): Reply => call('terminal', { command: line, ...more });

interface Body {
  readonly tools?: readonly { readonly function?: { readonly name: string; readonly description?: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}
/** A request of the chat wire; without one nothing was said. */
export const bodyOf = (request: RecordedRequest | undefined): Body => (request?.body ?? { messages: [] }) as Body;
const words = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { readonly text?: string }) => part.text ?? '').join('\n')
      : '';
const saidBy = (who: string, request: RecordedRequest | undefined): string[] =>
  bodyOf(request)
    .messages.filter(({ role }) => role === who)
    .map(({ content }) => words(content));
/** Results of tools in a request, oldest first. */
export const resultsIn = (request: RecordedRequest | undefined): string[] => saidBy('tool', request);
export const userWords = (request: RecordedRequest | undefined): string[] => saidBy('user', request);
export const toolNames = (request: RecordedRequest | undefined): string[] =>
  bodyOf(request).tools?.flatMap((tool) => tool.function?.name ?? []) ?? [];
/** What is said about one tool of the table. */
export const toldOf = (name: string, request: RecordedRequest | undefined): string =>
  bodyOf(request).tools?.find((tool) => tool.function?.name === name)?.function?.description ?? '';

export const sessionOf = ({ out }: Ran): string => String(jsonLines(out).find(({ type }) => type === 'session')?.['id']);
/** What a list command prints with `--json`. */
export function rowsOf<Row = Readonly<Record<string, unknown>>>({ out, err, code }: Ran): Row[] {
  assert.equal(code, 0, err);
  return JSON.parse(out);
}
