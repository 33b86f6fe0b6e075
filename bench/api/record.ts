/**
 * Writes down what the store commits for each of some requests, one after the other, on a copy of it that stood before them:
 *   node bench/api/record.ts HOME COPY STATEMENTS DURABILITY REQUESTS
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyStore, recordCommits } from '../gateway/commits.ts';
import { post } from './load.ts';
import { openApiBench } from './scene.ts';

const [, , root = '', copy = '', file = '', durability = 'power', requests = '0'] = process.argv;
const record = recordCommits();
const server = await openApiBench(root, durability === 'process' ? 'process' : 'power');
for (let index = 0; index < 20; index++) await post(server.port, { messages: [{ role: 'user', content: `warm ${index}` }] });
copyStore(join(root, 'sessions.db'), copy);
const groups: unknown[] = [];
for (let index = 0; index < Number(requests); index++) {
  record.restart();
  await post(server.port, { messages: [{ role: 'user', content: `record ${index}` }] });
  // What follows the answer belongs to it.
  await new Promise((done) => setTimeout(done, 5));
  groups.push(record.statements.map(([sql, values]) => [sql, values.map((value) => (typeof value === 'bigint' ? Number(value) : value))]));
}
writeFileSync(file, JSON.stringify(groups));
process.exit(0);
