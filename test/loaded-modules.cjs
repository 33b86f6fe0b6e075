/**
 * Preloaded into a program under test: writes down which files it loaded and which of Node's own modules, up to its first
 * request over HTTP, or to its end. What is loaded while a model thinks is another matter.
 */
const { subscribe } = require('node:diagnostics_channel');
const { writeFileSync } = require('node:fs');
const { registerHooks } = require('node:module');

const files = [];
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) files.push(url);
    return next(url, context);
  },
});
let atRequest;
const loaded = () => ({ files: [...files], builtins: process.moduleLoadList });
subscribe('http.client.request.start', () => (atRequest ??= loaded()));
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES, JSON.stringify(atRequest ?? loaded())));
