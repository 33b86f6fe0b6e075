import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';

/** Writes down what the heap holds, after a collection. Counted later: a count that is kept would be found by the next one. */
export const writeHeap = (path: string): string => writeHeapSnapshot(path, { exposeNumericValues: true });

/**
 * How many of each kind of thing a written heap holds: objects by class, object literals by their keys, functions by name
 * and place, and texts all together. Code and what V8 keeps for itself is left out.
 */
export function countHeap(path: string): Map<string, number> {
  const heap = readHeap(path);
  const counts = new Map<string, number>();
  for (let node = 0; node < heap.count; node++) {
    const kind = kindOf(node, heap);
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** By which way the newest thing of each kind is held, from the root on: a leak is where the way first leads to what should be gone. */
export function findHolders(path: string, kinds: ReadonlySet<string>): Map<string, string> {
  const heap = readHeap(path);
  const newest = new Map<string, number>();
  for (let node = 0; node < heap.count; node++) {
    const kind = kindOf(node, heap);
    if (kind !== undefined && kinds.has(kind) && heap.id(node) > heap.id(newest.get(kind) ?? 0)) newest.set(kind, node);
  }
  const ways = shortestWays(heap);
  return new Map([...newest].map(([kind, node]) => [kind, wayTo(node, ways, heap)]));
}

interface Way {
  readonly from: number;
  readonly by: string;
}
/** Breadth first; what is held weakly is not held. */
function shortestWays(heap: Heap): Map<number, Way> {
  const ways = new Map<number, Way>([[0, { from: 0, by: '' }]]);
  const found = [0];
  for (const from of found)
    for (const { type, name, to } of heap.edges(from)) {
      if (type === 'weak' || ways.has(to)) continue;
      ways.set(to, { from, by: name });
      found.push(to);
    }
  return ways;
}

/** The last steps of a way: its beginning is the same for all. */
const MAX_STEPS = 12;
function wayTo(node: number, ways: ReadonlyMap<number, Way>, heap: Heap): string {
  const steps: string[] = [];
  for (let at = node, way = ways.get(at); way !== undefined && at !== 0 && steps.length < MAX_STEPS; way = ways.get(at)) {
    steps.unshift(`.${way.by} → ${heap.name(at).slice(0, MAX_NAME) || heap.type(at)}`);
    at = way.from;
  }
  return steps.join(' ');
}
const MAX_NAME = 40;

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[]];
      readonly location_fields: readonly string[];
    };
    readonly node_count: number;
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly locations: readonly number[];
  readonly strings: readonly string[];
}
interface Edge {
  readonly type: string;
  readonly name: string;
  readonly to: number;
}
/** A snapshot whose nodes are numbered one by one. */
interface Heap {
  readonly count: number;
  type(node: number): string;
  name(node: number): string;
  /** Greater for what was made later. */
  id(node: number): number;
  edges(node: number): Generator<Edge>;
  /** The line of a function in its file, from 1. */
  line(node: number): number | undefined;
}

function readHeap(path: string): Heap {
  const { snapshot, nodes, edges, locations, strings }: Snapshot = JSON.parse(readFileSync(path, 'utf8'));
  const { meta, node_count: count } = snapshot;
  const [nodeSize, edgeSize, locationSize] = [meta.node_fields.length, meta.edge_fields.length, meta.location_fields.length];
  const [typeAt, nameAt, idAt, edgesAt] = ['type', 'name', 'id', 'edge_count'].map((field) => meta.node_fields.indexOf(field)) as [
    number,
    number,
    number,
    number,
  ];
  const field = (node: number, at: number): number => nodes[node * nodeSize + at] ?? 0;
  const firstEdge = new Uint32Array(count + 1);
  for (let node = 0; node < count; node++) firstEdge[node + 1] = (firstEdge[node] ?? 0) + field(node, edgesAt);
  const lines = new Map<number, number>();
  for (let at = 0; at < locations.length; at += locationSize) lines.set((locations[at] ?? 0) / nodeSize, (locations[at + 2] ?? 0) + 1);
  return {
    count,
    type: (node) => meta.node_types[0][field(node, typeAt)] ?? '',
    name: (node) => strings[field(node, nameAt)] ?? '',
    id: (node) => field(node, idAt),
    *edges(node) {
      for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge++) {
        const [type = 0, name = 0, to = 0] = edges.slice(edge * edgeSize, (edge + 1) * edgeSize);
        const kind = meta.edge_types[0][type] ?? '';
        yield { type: kind, name: kind === 'element' || kind === 'hidden' ? String(name) : (strings[name] ?? ''), to: to / nodeSize };
      }
    },
    line: (node) => lines.get(node),
  };
}

function kindOf(node: number, heap: Heap): string | undefined {
  const [type, name] = [heap.type(node), heap.name(node)];
  // The value of a number is written down as a text of its own; numbers come and go as V8 keeps them one way or another.
  if (type === 'string' && String(Number(name)) === name) return undefined;
  if (type === 'string' || type === 'concatenated string' || type === 'sliced string') return 'text';
  if (type === 'closure') return functionKind(node, heap);
  if (type === 'native') return `native ${name}`;
  if (type !== 'object' || name.startsWith('system /')) return undefined;
  return name === 'Object' ? literalKind(node, heap) : name;
}

const MAX_KEYS = 8;
function literalKind(node: number, heap: Heap): string {
  const keys = new Set<string>();
  for (const { type, name } of heap.edges(node)) if (type === 'property' && name !== '__proto__') keys.add(name);
  const shown = [...keys].toSorted().slice(0, MAX_KEYS);
  return `{ ${shown.join(', ')}${keys.size > MAX_KEYS ? ', …' : ''} }`;
}

/** A function knows its script by way of what all copies of it share. */
function functionKind(node: number, heap: Heap): string {
  const shared = toOf(node, 'shared', heap);
  const script = shared === undefined ? undefined : toOf(shared, 'script', heap);
  const place = script === undefined ? '' : ` in ${basename(heap.name(script))}:${heap.line(node) ?? '?'}`;
  return `${heap.name(node) || '(anonymous)'}()${place}`;
}

function toOf(node: number, name: string, heap: Heap): number | undefined {
  for (const edge of heap.edges(node)) if (edge.type === 'internal' && edge.name === name) return edge.to;
  return undefined;
}
