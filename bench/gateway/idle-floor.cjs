// The floor of the gateway at rest: a process that has loaded the files it is told, and does nothing.
//   node idle-floor.cjs WORKER FILE…   (WORKER: the entry of the adapters' workers, or nothing)
const { Worker } = require('node:worker_threads');

const [worker, ...files] = process.argv.slice(2);
// Chunks lean on the entry, which starts with whatever is asked: the least there is.
process.argv.splice(2, Infinity, '--version');
process.exit = () => undefined;
for (const file of files) require(file);
const secrets = { token: 'xoxb-1-a', app_token: 'xapp-1-a' };
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 };
const platforms = worker === '' ? [] : ['telegram', 'discord', 'slack'];
const start = (platform) =>
  new Worker(worker, { workerData: { platform, settings: { secrets, extra: {} }, offers: [] }, execArgv: [], env: {}, resourceLimits });
platforms.forEach(start);
setInterval(() => {}, 60_000);
console.error('Gateway running');
