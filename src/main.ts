#!/usr/bin/env node
/** bin: reads argv, loads one command, nothing else. */
import { keepCompiledCode } from './base/compile-cache.ts';
import { version } from './base/version.ts';

/** By then most commands have ended: they need no mark. */
const MARK_MS = 1_000;
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) process.stdout.write(`hermes ${version}\n`);
else start();

/** No top-level await: the bundle is CommonJS, which loads Node's own modules 45 ms faster (see scripts/build.ts). */
function start(): void {
  keepCompiledCode();
  if (version !== 'development') setTimeout(() => void markBuild(), MARK_MS).unref();
  void import('./app/cli.ts').then(async ({ run }) => {
    process.exitCode = await run(argv);
    // All is said and saved. Should anything still hold the process (a socket nobody reads), it must not keep the user waiting.
    setTimeout(() => process.exit(), 1_000).unref();
  });
}

async function markBuild(): Promise<void> {
  const { markBuildInUse } = await import('./base/build-in-use.ts');
  markBuildInUse(import.meta.dirname);
}
