/** hermes as it is; what its last net caught is written down when it ends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../src/app/cli.ts';
import { countCaught } from '../../src/faces/cli/guard-process.ts';

process.on('exit', () => writeFileSync(join(process.env['HERMES_HOME'] ?? '.', 'caught'), String(countCaught())));
process.exitCode = await run(process.argv.slice(2));
process.exit();
