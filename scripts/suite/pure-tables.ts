/** One process for all test files that only compute and compare: each is imported, which registers its tests. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

for (const file of (process.env['HERMES_PURE_TABLES'] ?? '').split('\n').filter(Boolean)) await import(pathToFileURL(resolve(file)).href);
