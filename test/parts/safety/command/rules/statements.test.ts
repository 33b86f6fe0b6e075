import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesManyRows } from '../../../../../src/parts/safety/command/rules/statements.ts';

const MANY = [
  'delete from users',
  "delete from users where last_login < date('now') or plan <> 'x'",
  'delete from users -- where id = 1',
  'delete from users where id = 1 or true',
  'delete from users where id in (select user_id from flags)',
  "update users set plan = 'free' where id is not null",
  'select 1; update t set a = 2',
];
const NAMED = [
  'delete from sessions where id = 5',
  'delete from todos where id in (3, 4, 9)',
  "update users set role = 'admin' where email = 'me@example.com'",
  'update settings set value = ? where key = ?',
  "delete from a where id = 1 and state = 'x' returning *",
  'select * from users where a <> 1',
];
for (const said of MANY) test(`changes rows nobody has named: ${said}`, () => assert.equal(changesManyRows(said), true));
for (const said of NAMED) test(`changes only rows it names: ${said}`, () => assert.equal(changesManyRows(said), false));
