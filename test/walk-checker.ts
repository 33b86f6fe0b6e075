import { posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** A way through the code as it is written down: one function calls the next. */
export interface Walk {
  readonly title: string;
  readonly steps: readonly WalkStep[];
}
export interface WalkStep {
  /** From the root of the project. */
  readonly file: string;
  /** A function, a method, a field of an object, or a table: whatever has that name in the file. */
  readonly name: string;
}
export interface WalkLimits {
  readonly from: string;
  readonly to: string;
  /** Different files it may lead through. */
  readonly maxFiles: number;
}
/** Gives the source of a file, or nothing when there is no such file. */
export type ReadSource = (file: string) => string | undefined;

const HEADING = /^## (.+)$/;
const STEP = /^\s*\d+\. `([^`#]+)#([^`]+)`/;

/** Every section with a numbered list of `file#name` is a walk. */
export function readWalks(page: string): Walk[] {
  const walks: { title: string; steps: WalkStep[] }[] = [];
  for (const line of page.split('\n')) {
    const title = HEADING.exec(line)?.[1];
    if (title !== undefined) walks.push({ title, steps: [] });
    const [, file, name] = STEP.exec(line) ?? [];
    if (file !== undefined && name !== undefined) walks.at(-1)?.steps.push({ file, name });
  }
  return walks.filter(({ steps }) => steps.length > 0);
}

/**
 * What is wrong with a walk. Each step is called by the one before it, or by one further up that the walk comes back to. A
 * call is a name that is imported from the step's file, or a method of a contract that the step's file implements.
 */
export function walkProblems({ steps }: Walk, { from, to, maxFiles }: WalkLimits, read: ReadSource): string[] {
  const sources = new Map<string, Source>();
  const sourceOf = (file: string): Source => {
    const known = sources.get(file) ?? readSource(file, read(file));
    sources.set(file, known);
    return known;
  };
  const missing = steps.flatMap((step) => {
    const source = sourceOf(step.file);
    if (!source.there) return [`${step.file} is not there`];
    return source.parts.has(step.name) ? [] : [`${textOf(step)}: the file has nothing of that name`];
  });
  const files = new Set(steps.map(({ file }) => file)).size;
  return [
    ...missing,
    ...(missing.length === 0 ? brokenSteps(steps, sourceOf) : []),
    ...ends(steps, from, to),
    ...(files > maxFiles ? [`it leads through ${files} files, and ${maxFiles} is the most`] : []),
  ];
}

const textOf = ({ file, name }: WalkStep): string => `${file}#${name}`;

function ends(steps: readonly WalkStep[], from: string, to: string): string[] {
  const [first, last] = [steps[0], steps.at(-1)].map((step) => (step === undefined ? 'nothing' : textOf(step)));
  return [
    ...(first === from ? [] : [`it begins with ${first}, not with ${from}`]),
    ...(last === to ? [] : [`it ends with ${last}, not with ${to}`]),
  ];
}

function brokenSteps(steps: readonly WalkStep[], sourceOf: (file: string) => Source): string[] {
  const callers: WalkStep[] = [];
  return steps.flatMap((step) => {
    const caller = callers.findLastIndex((above) => calls(above, step, sourceOf));
    const isBroken = caller === -1 && callers.length > 0;
    const before = callers.at(-1);
    // What is broken is taken as it is, so that one mistake is told once.
    if (!isBroken) callers.splice(caller + 1);
    callers.push(step);
    return isBroken && before !== undefined ? [`${textOf(step)} is called neither by ${textOf(before)} nor by what led there`] : [];
  });
}

function calls(caller: WalkStep, step: WalkStep, sourceOf: (file: string) => Source): boolean {
  const { imports, top, parts } = sourceOf(caller.file);
  const part = parts.get(caller.name);
  if (part === undefined) return false;
  if (caller.file === step.file && part.names.has(step.name)) return true;
  if (part.methods.has(step.name)) return true;
  // A function of a contract that was handed over under its own name.
  if (part.called.has(step.name) && !top.has(step.name) && !imports.some(({ local }) => local === step.name)) return true;
  if (part.loads.has(step.file) && (part.names.has(step.name) || part.members.has(step.name))) return true;
  return imports.some(
    ({ file, imported, local }) =>
      file === step.file && part.names.has(local) && (imported === step.name || (imported === '*' && part.members.has(step.name))),
  );
}

interface Source {
  readonly there: boolean;
  readonly imports: readonly Import[];
  /** What the file itself declares outside of all functions. */
  readonly top: ReadonlySet<string>;
  /** What of the file has a name; what has the same name is one part. */
  readonly parts: ReadonlyMap<string, Part>;
}
interface Import {
  readonly file: string;
  readonly imported: string;
  readonly local: string;
}
/** What is mentioned inside of something. */
interface Part {
  readonly names: Set<string>;
  readonly called: Set<string>;
  readonly methods: Set<string>;
  readonly members: Set<string>;
  /** Files that are loaded when they are needed. */
  readonly loads: Set<string>;
}
type SyntaxNode = Readonly<Record<string, unknown>> & { readonly type: string };

function readSource(file: string, text: string | undefined): Source {
  if (text === undefined) return { there: false, imports: [], top: new Set(), parts: new Map() };
  const body = (parseAst(text, { lang: 'ts' }, file) as unknown as { readonly body: readonly SyntaxNode[] }).body;
  const parts = new Map<string, Part>();
  for (const statement of body) nameParts(statement, file, parts);
  return { there: true, imports: body.flatMap((statement) => importsIn(statement, file)), top: new Set(body.flatMap(declaredBy)), parts };
}

const resolved = (from: string, path: string): string => posix.join(posix.dirname(from), path);

/** Types vanish: an import of one leads nowhere. */
function importsIn(statement: SyntaxNode, from: string): Import[] {
  if (statement.type !== 'ImportDeclaration' || statement['importKind'] === 'type') return [];
  const file = resolved(from, String(nodeAt(statement, 'source')?.['value']));
  return nodesAt(statement, 'specifiers').flatMap((specifier) => {
    if (specifier['importKind'] === 'type') return [];
    const imported = specifier.type === 'ImportNamespaceSpecifier' ? '*' : nameAt(specifier, 'imported');
    return [{ file, imported: imported ?? 'default', local: nameAt(specifier, 'local') ?? '' }];
  });
}

const declaredBy = (statement: SyntaxNode): string[] => {
  const declaration = nodeAt(statement, 'declaration') ?? statement;
  const declarators = nodesAt(declaration, 'declarations').map((each) => nameAt(each, 'id'));
  return [nameAt(declaration, 'id'), ...declarators].filter((name) => name !== undefined);
};

/** Which field of a syntax node says what it is called. */
const NAMED: Readonly<Record<string, string>> = {
  FunctionDeclaration: 'id',
  ClassDeclaration: 'id',
  VariableDeclarator: 'id',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
};

function nameParts(node: SyntaxNode, file: string, parts: Map<string, Part>): void {
  const field = NAMED[node.type];
  const name = field === undefined ? undefined : nameAt(node, field);
  if (name !== undefined) {
    const part = parts.get(name) ?? { names: new Set(), called: new Set(), methods: new Set(), members: new Set(), loads: new Set() };
    parts.set(name, part);
    for (const inner of within(node, field)) mention(inner, file, part);
  }
  for (const child of within(node)) nameParts(child, file, parts);
}

/** Fields that hold types; they call nothing. */
const TYPES = new Set(['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType', 'superTypeArguments', 'implements']);
const within = (node: SyntaxNode, without?: string): SyntaxNode[] =>
  Object.keys(node).flatMap((key) => (TYPES.has(key) || key === without ? [] : nodesAt(node, key)));

function mention(node: SyntaxNode, file: string, part: Part): void {
  if (node.type.startsWith('TS') && nodeAt(node, 'expression') === undefined) return;
  if (node.type === 'Identifier') part.names.add(String(node['name']));
  if (node.type === 'ImportExpression') part.loads.add(resolved(file, String(nodeAt(node, 'source')?.['value'])));
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined;
  if (callee?.type === 'Identifier') part.called.add(String(callee['name']));
  if (callee?.type === 'MemberExpression') part.methods.add(nameAt(callee, 'property') ?? '');
  const plain = node['computed'] !== true && (node.type === 'MemberExpression' ? 'property' : node.type === 'Property' ? 'key' : undefined);
  if (plain !== undefined && plain !== false) part.members.add(nameAt(node, plain) ?? '');
  for (const child of within(node, plain === false ? undefined : plain)) mention(child, file, part);
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const nodesAt = (node: SyntaxNode, key: string): SyntaxNode[] => {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
};
const nodeAt = (node: SyntaxNode, key: string): SyntaxNode | undefined => nodesAt(node, key)[0];
/** An identifier's name, or a key that is written as a text. */
function nameAt(node: SyntaxNode, key: string): string | undefined {
  const name = nodeAt(node, key);
  if (name?.type === 'Identifier' || name?.type === 'PrivateIdentifier') return String(name['name']);
  return name?.type === 'Literal' ? String(name['value']) : undefined;
}
