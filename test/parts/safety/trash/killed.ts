/** Takes a file and a folder away, brings one back, and is killed at one of its steps: node killed.ts FOLDER STEP */
import { join } from 'node:path';
import { openTrash } from '../../../../src/parts/safety/trash/trash.ts';
import { armed, say } from '../killing.ts';

const [top = '', at = '0'] = process.argv.slice(2);
const steps = await armed(Number(at), top);
const trash = openTrash(join(top, 'trash'), { keepMs: 86_400_000, maxBytes: 1_000_000 });
const { id } = await trash.put(join(top, 'a.txt'), 'patch');
await trash.put(join(top, 'folder'), 'patch');
await trash.restore(id);
say(`steps ${steps()}`);
