import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FileLockError } from '../../src/base/holder-file.ts';
import { describeSystemTrouble } from '../../src/base/system-trouble.ts';

test('a file that the machine refuses is told by its name and with what to do; anything else stays a defect', () => {
  const refused = (code: string) =>
    Object.assign(new Error(`${code}: no, open '/home/ann/x'`), { code, syscall: 'open', path: '/home/ann/x' });
  const words = (['EROFS', 'EACCES', 'ENOSPC', 'EDQUOT', 'EMFILE'] as const).map((code) => describeSystemTrouble(refused(code)));
  for (const each of words) assert.match(each ?? '', /^\/home\/ann\/x could not be used \(E[A-Z]+\): .+\. (?:Make|Give|Free|Raise) /);
  assert.equal(describeSystemTrouble(new FileLockError('It is taken.')), 'It is taken.');
  assert.equal(describeSystemTrouble(Object.assign(new Error('no path'), { code: 'ENOSPC' })), undefined);
  assert.equal(describeSystemTrouble(new TypeError('x is not a function')), undefined);
  assert.throws(
    () => openSync(join(tmpdir(), 'not', 'there'), 'r'),
    (error) => describeSystemTrouble(error) === undefined,
  );
});
