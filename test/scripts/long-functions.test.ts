import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionsIn } from '../../scripts/long-functions.ts';

const CODE = `
export async function wide({
  one,
  two,
}: Question): Promise<{ readonly answer: string }> {
  if (one) {
    return two;
  }
  return inner(one);
}

function typed(
  value: string,
): {
  readonly length: number;
} {
  return value;
}

export const joined = async (
  first: string,
  second: string,
): Promise<string> => {
  const text = \`
at the very left
\`;
  return first + second + text;
};

const short = (value: number): number =>
  value +
  1;
const plain = 3;

class Box {
  private open(lid: Lid): void {
    lid.lift();
  }
}

const table = {
  row: async ({
    a,
  }: Row) => {
    await a;
  },
};
`;

test('a function ends with its body, however its parameters and its type are laid out', () => {
  const found = functionsIn(CODE, 'code.ts').map(({ lines, place }) => `${place.split(' ')[1]} ${lines}`);
  assert.deepEqual(found, ['wide 9', 'typed 7', 'joined 9', 'short 3', 'open 3', 'row 5']);
});
