/** Ids hold a time and a little chance, so two may meet in a busy moment: then another is drawn. `insert` ignores an id that is taken and says so by 0. */
export function insertWithFreshId(draw: () => string, insert: (id: string) => number): string {
  for (let tries = 0; tries < 20; tries++) {
    const id = draw();
    if (insert(id) === 1) return id;
  }
  throw new Error('twenty fresh ids in a row were taken');
}
