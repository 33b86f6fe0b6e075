// The floor of the gateway at rest: a process whose threads have loaded the files they are told, and that does nothing.
//   node idle-floor.cjs FILES_OF_MAIN [FILES_OF_A_WORKER…]   (each a JSON list)
const { isMainThread, Worker } = require('node:worker_threads');

const [own = '[]', ...others] = process.argv.slice(2);
// Chunks lean on the entry, which starts with whatever is asked: the least there is.
process.argv.splice(2, Infinity, '--version');
process.exit = () => undefined;
for (const file of JSON.parse(own)) require(file);
if (isMainThread) {
  const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 };
  for (const files of others) new Worker(__filename, { argv: [files], execArgv: [], resourceLimits });
  console.error('Gateway running');
}
setInterval(() => {}, 60_000);
