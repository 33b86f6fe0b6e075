import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FilesError, isFilesError } from '../../src/index.ts';

test('trouble with files is known by its name and code, whoever made the error', () => {
  const theirs = Object.assign(new Error('not there'), { name: 'FilesError', code: 'ENOENT' });
  const other = Object.assign(new Error('not there'), { code: 'ENOENT' });
  assert.deepEqual(
    [new FilesError('ENOENT', 'not there'), theirs, other].map((error) => [
      isFilesError(error),
      isFilesError(error, 'ENOENT'),
      isFilesError(error, 'EACCES'),
    ]),
    [
      [true, true, false],
      [true, true, false],
      [false, false, false],
    ],
  );
});
