import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeFirstLine, takeFirstSentence } from '../../src/commands/describe.ts';
import { toolsList } from '../../src/commands/tools.ts';

test('a line that is too long ends in a sign that it was cut, and a sentence is whole', () => {
  assert.equal(takeFirstLine('one\ntwo'), 'one');
  assert.equal(takeFirstLine('a'.repeat(160)), 'a'.repeat(160));
  assert.equal(takeFirstLine('a'.repeat(161)), `${'a'.repeat(159)}…`);
  assert.equal(takeFirstSentence('Reads a.txt. Then more.\nMore.'), 'Reads a.txt.');
  assert.equal(takeFirstSentence('No end\nMore.'), 'No end');
});

test('tools are listed with a whole sentence each', () => {
  const description = `${'word '.repeat(40)}end. Second sentence.`;
  const tool = { name: 'x', description, inSession: true } as never;
  assert.equal(
    toolsList.describe?.({ session: { toolsets: ['file'] }, tools: [tool], toolsets: [] }),
    `Toolsets: file\nx: ${'word '.repeat(40)}end.`,
  );
});
