/** The text behind what `visible` and `toVisibleLine` show. */
export const readBack = (shown: string): string =>
  shown.replaceAll(
    /(?<!\\)(\\+)(x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\})|⇥|↵/gu,
    (all, slashes: string | undefined, letters: string, ...codes: (string | undefined)[]) => {
      if (slashes === undefined) return all === '⇥' ? '\t' : '\n';
      const plain = '\\'.repeat(Math.floor(slashes.length / 2));
      const code = codes.slice(0, 3).find((digits) => digits !== undefined) ?? '';
      return plain + (slashes.length % 2 === 0 ? letters : String.fromCodePoint(Number.parseInt(code, 16)));
    },
  );
