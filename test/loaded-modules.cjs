/** Preloaded into a program under test: writes down at its end which files it loaded and which of Node's own modules. */
const { writeFileSync } = require('node:fs');
const { registerHooks } = require('node:module');

const files = [];
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) files.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES, JSON.stringify({ files, builtins: process.moduleLoadList })));
