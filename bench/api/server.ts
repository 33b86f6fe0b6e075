/** The API in a process of its own: `node bench/api/server.ts HOME DURABILITY`. Tells its port as a line and runs until it is killed. */
import { openApiBench } from './scene.ts';

const [, , root = '', durability = 'power'] = process.argv;
const server = await openApiBench(root, durability === 'process' ? 'process' : 'power');
console.log(server.port);
