/** The stored parts of an entry. */
export interface StoredEntry {
  readonly seq: number;
  readonly id: string;
  readonly turn_id: string | null;
  readonly at: number;
  readonly origin: string;
  readonly body: string;
}

/** A sum kept with every entry: SQLite does not notice when the disk changes letters inside a text. FNV-1a over the characters. */
export const computeChecksum = ({ seq, id, turn_id, at, origin, body }: StoredEntry): number =>
  fnv(body, fnv(`${seq} ${id} ${turn_id ?? ''} ${at} ${origin}`, 0x811c9dc5)) >>> 0;

function fnv(text: string, start: number): number {
  let sum = start;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return sum;
}
