import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isObject } from '../../src/base/json.ts';

/** One line between a client and the agent. */
export interface RecordedLine {
  readonly from: 'client' | 'agent';
  readonly at: number;
  readonly line: string;
}
type Side = RecordedLine['from'];

export const readRecorded = (file: string): readonly RecordedLine[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedLine);

interface Validator {
  (value: unknown): boolean;
  readonly errors?: unknown;
}
interface SchemaFile {
  readonly $defs: Readonly<Record<string, { readonly 'x-method'?: string; readonly 'x-side'?: string }>>;
}
const require = createRequire(import.meta.url);
const SCHEMA = JSON.parse(readFileSync(require.resolve('@agentclientprotocol/sdk/schema/v1/schema.json'), 'utf8')) as SchemaFile;
const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as {
  readonly Ajv2020: new (options: object) => {
    addSchema(schema: unknown, key: string): void;
    getSchema(ref: string): Validator | undefined;
  };
};

/** Everything about recorded lines that the schema of protocol version 1 does not allow. */
export function findSchemaProblems(lines: readonly RecordedLine[]): readonly string[] {
  const checker = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  checker.addSchema(SCHEMA, 'acp');
  const asked = new Map<string, string>();
  return lines.flatMap(({ from, line }) => {
    const problem = checkLine(JSON.parse(line), from, asked, (definition) => checker.getSchema(`acp#/$defs/${definition}`));
    return problem === undefined ? [] : [`${from}: ${problem}: ${line.slice(0, 400)}`];
  });
}

function checkLine(
  message: unknown,
  from: Side,
  asked: Map<string, string>,
  find: (definition: string) => Validator | undefined,
): string | undefined {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return 'not JSON-RPC 2.0';
  const { id, method } = message;
  const to = from === 'client' ? 'agent' : 'client';
  if (typeof method !== 'string') return checkAnswer(message, asked.get(`${to} ${JSON.stringify(id)}`), find);
  const isRequest = id !== undefined;
  const definition = definitionOf(method, to, isRequest ? 'Request' : 'Notification');
  if (definition === undefined)
    return method.startsWith('_') ? undefined : `no ${isRequest ? 'request' : 'notification'} ${method} in the schema`;
  if (isRequest) asked.set(`${from} ${JSON.stringify(id)}`, `${method} ${to}`);
  return check(find(definition), message['params']);
}

function checkAnswer(
  message: Readonly<Record<string, unknown>>,
  asked: string | undefined,
  find: (definition: string) => Validator | undefined,
): string | undefined {
  if (asked === undefined) return 'an answer to nothing';
  if (message['error'] !== undefined) return check(find('Error'), message['error']);
  const [method = '', side = ''] = asked.split(' ');
  return check(find(definitionOf(method, side, 'Response') ?? ''), message['result']);
}

const definitionOf = (method: string, side: string, kind: string): string | undefined =>
  Object.entries(SCHEMA.$defs).find(
    ([name, definition]) =>
      definition['x-method'] === method && name.endsWith(kind) && (definition['x-side'] === side || definition['x-side'] === 'protocol'),
  )?.[0];

function check(validate: Validator | undefined, value: unknown): string | undefined {
  if (validate === undefined) return 'no definition in the schema';
  return validate(value) ? undefined : JSON.stringify(validate.errors).slice(0, 600);
}
