import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { toHereDocumentCommand, quoteShellWord } from '../../src/base/shell.ts';

for (const word of ['', 'plain', "it's", '$(x) `y` "z" \\', 'two\nlines', "'''"])
  test(`a shell reads ${JSON.stringify(word)} as the one word it is`, () => {
    assert.equal(execFileSync('/bin/sh', ['-c', `printf %s ${quoteShellWord(word)}`], { encoding: 'utf8' }), word);
  });

test('the end of a here-document does not stand in the code', () => {
  const code = 'a\nEOF\n  EOF_\nb';
  assert.equal(execFileSync('/bin/sh', ['-c', toHereDocumentCommand('cat', code)], { encoding: 'utf8' }), `${code}\n`);
});
