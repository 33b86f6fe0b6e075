/**
 * The floor: a bare node:http server that answers with what it was sent, after it has appended to the store.
 *   node bench/api/floor.ts DATABASE DURABILITY            one row for each request
 *   node bench/api/floor.ts DATABASE DURABILITY STATEMENTS the very commits that the API makes for one
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

const [, , path = '', durability = 'power', file] = process.argv;
const database = new DatabaseSync(path);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability === 'process' ? 'NORMAL' : 'FULL'}`);
const groups: readonly (readonly [string, SQLInputValue[]])[][] = file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8'));
const prepared = new Map<string, StatementSync>();
const run = (sql: string, values: SQLInputValue[]): void => {
  if (sql.startsWith('PRAGMA')) return database.exec(sql);
  const statement = prepared.get(sql) ?? database.prepare(sql);
  prepared.set(sql, statement);
  statement.run(...values);
};
database.exec('CREATE TABLE IF NOT EXISTS echoes (n INTEGER PRIMARY KEY, body TEXT)');
let count = 0;
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.once('end', () => {
    if (file === undefined) run('INSERT INTO echoes (body) VALUES (?)', [body]);
    else for (const [sql, values] of groups[count++ % groups.length] ?? []) run(sql, values);
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
