/** Whether a text holds one of many literal pieces: one look instead of a hundred. */
export const compileLiterals = (pieces: readonly string[]): RegExp =>
  new RegExp([...new Set(pieces)].map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join('|'));
