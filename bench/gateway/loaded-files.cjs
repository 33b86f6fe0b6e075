// Preloaded with `--require`, in workers too: notes every file of ours that is loaded and by which thread, for a floor that loads the same.
const { appendFileSync } = require('node:fs');
const { registerHooks } = require('node:module');
const { fileURLToPath } = require('node:url');
const { threadId } = require('node:worker_threads');

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(process.env['BENCH_LOADED'] ?? '/dev/null', `${threadId} ${fileURLToPath(url)}\n`);
    return next(url, context);
  },
});
