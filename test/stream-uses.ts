import { parseAst } from 'rolldown/parseAst';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const STREAMS: ReadonlySet<unknown> = new Set(['stdout', 'stderr', 'stdin']);
const MODULES: ReadonlySet<unknown> = new Set(['process', 'node:process', 'console', 'node:console']);

/** To parse every file takes seconds; most do not speak of any of it. */
const MENTIONED = /std(?:out|err|in)|console|= (?:globalThis\.)?process\b/;

/** Where code takes the streams of its own process: as `process.stdout` in any spelling, by way of another name, or as `console`. */
export function findStreamUses(code: string): readonly string[] {
  if (!MENTIONED.test(code)) return [];
  const uses: string[] = [];
  const visit = (node: Node): void => {
    if (USES[node.type]?.(node) === true) uses.push(code.slice(Number(node['start']), Number(node['end'])).slice(0, 80));
    else for (const child of childrenOf(node)) visit(child);
  };
  visit(asNode(parseAst(code, { lang: 'ts' })) ?? { type: 'Program' });
  return uses;
}

/** By the type of the node: whether it is such a use. */
const USES: Readonly<Record<string, (node: Node) => boolean>> = {
  MemberExpression: ({ object, property }) => isNamed(object, 'console') || (isNamed(object, 'process') && STREAMS.has(nameOf(property))),
  VariableDeclarator: ({ id, init }) =>
    isNamed(init, 'console') ||
    (isNamed(init, 'process') && (asNode(id)?.type !== 'ObjectPattern' || keysOf(id).some((key) => STREAMS.has(key)))),
  ImportDeclaration: ({ source }) => MODULES.has(asNode(source)?.['value']),
};

/** `process`, or the same as a member of something: `globalThis.process`. */
function isNamed(value: unknown, name: string): boolean {
  const node = asNode(value);
  return node?.type === 'Identifier' ? node['name'] === name : node?.type === 'MemberExpression' && nameOf(node['property']) === name;
}
const nameOf = (value: unknown): unknown => asNode(value)?.['name'] ?? asNode(value)?.['value'];
const keysOf = (pattern: unknown): readonly unknown[] => listOf(asNode(pattern)?.['properties']).map((property) => nameOf(property['key']));

const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? listOf(value) : (asNode(value) ?? [])));
const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.flatMap((each) => asNode(each) ?? []) : []);
const asNode = (value: unknown): Node | undefined =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' ? (value as Node) : undefined;
