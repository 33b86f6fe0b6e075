/** One step from the old list to the new: indices into both. */
export type DiffStep =
  | { readonly kind: 'same'; readonly old: number; readonly new: number }
  | { readonly kind: 'drop'; readonly old: number }
  | { readonly kind: 'add'; readonly new: number };

/** Beyond this many differences the search gives up and the middle is told as replaced whole. */
const MAX_EDITS = 600;

/** The shortest way from one list to another (Myers), after setting aside what is equal at both ends. */
export function diff(before: readonly string[], after: readonly string[]): DiffStep[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail++;
  const middle = shortest(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  return [
    ...Array.from({ length: head }, (_, index): DiffStep => ({ kind: 'same', old: index, new: index })),
    ...middle.map((op) => moved(op, head)),
    ...Array.from({ length: tail }, (_, index): DiffStep => ({
      kind: 'same',
      old: before.length - tail + index,
      new: after.length - tail + index,
    })),
  ];
}

const moved = (op: DiffStep, by: number): DiffStep =>
  op.kind === 'same'
    ? { ...op, old: op.old + by, new: op.new + by }
    : op.kind === 'drop'
      ? { ...op, old: op.old + by }
      : { ...op, new: op.new + by };

function shortest(before: readonly string[], after: readonly string[]): DiffStep[] {
  const most = Math.min(before.length + after.length, MAX_EDITS);
  const reached = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trail.push(reached.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const x = furthest(before, after, reached, k, edits, most + 1);
      reached[k + most + 1] = x;
      if (x >= before.length && x - k >= after.length) return walkBack(before, after, trail, most + 1);
    }
  }
  return [
    ...before.map((_, old): DiffStep => ({ kind: 'drop', old })),
    ...after.map((_, index): DiffStep => ({ kind: 'add', new: index })),
  ];
}

/** How far one gets on diagonal `k` with this many edits, sliding along what is equal. */
function furthest(before: readonly string[], after: readonly string[], reached: Int32Array, k: number, edits: number, mid: number): number {
  let x = comesFromAbove(reached, k, edits, mid) ? at(reached, k + 1 + mid) : at(reached, k - 1 + mid) + 1;
  while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
  return x;
}

const comesFromAbove = (reached: Int32Array, k: number, edits: number, mid: number): boolean =>
  k === -edits || (k !== edits && at(reached, k - 1 + mid) < at(reached, k + 1 + mid));

const at = (list: Int32Array, index: number): number => list[index] ?? 0;

function walkBack(before: readonly string[], after: readonly string[], trail: readonly Int32Array[], mid: number): DiffStep[] {
  const ops: DiffStep[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reached = trail[edits] ?? new Int32Array();
    const k = x - y;
    const above = comesFromAbove(reached, k, edits, mid);
    const from = edits === 0 ? 0 : above ? at(reached, k + 1 + mid) : at(reached, k - 1 + mid);
    const fromY = edits === 0 ? 0 : from - (above ? k + 1 : k - 1);
    while (x > from && y > fromY && before[x - 1] === after[y - 1]) ops.push({ kind: 'same', old: --x, new: --y });
    if (edits > 0) ops.push(above ? { kind: 'add', new: --y } : { kind: 'drop', old: --x });
  }
  return ops.toReversed();
}
