/** Takes a version of a checkout: `node install-child.ts ROOT COMMIT`. */
import { findInstallation } from '../../../src/parts/update/installation.ts';

const [root, commit = ''] = process.argv.slice(2);
await findInstallation(process.env, root).install(commit);
