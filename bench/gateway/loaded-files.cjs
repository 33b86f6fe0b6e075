// Preloaded with `--require`: notes every file of ours that is loaded, for a floor that loads the same.
const { appendFileSync } = require('node:fs');
const { registerHooks } = require('node:module');
const { fileURLToPath } = require('node:url');

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(process.env['BENCH_LOADED'] ?? '/dev/null', `${fileURLToPath(url)}\n`);
    return next(url, context);
  },
});
