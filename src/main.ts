#!/usr/bin/env node
/** bin: reads argv, loads one command, nothing else. */
import { enableCompileCache } from 'node:module';

declare const __HERMES_VERSION__: string | undefined;

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`hermes ${typeof __HERMES_VERSION__ === 'string' ? __HERMES_VERSION__ : 'development'}\n`);
} else {
  enableCompileCache();
  const { run } = await import('./app/cli.ts');
  process.exitCode = await run(argv);
}
