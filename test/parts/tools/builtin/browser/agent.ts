/** A process that opens a browser as an agent would, says where its profile is, and then waits to be ended. */
import { collectDefaults } from '../../../../../src/contracts/settings.ts';
import { openBrowsers } from '../../../../../src/parts/tools/builtin/browser/browsers.ts';
import { browserSettings } from '../../../../../src/parts/tools/builtin/browser/settings.ts';
import { testReach, variable } from './reach.ts';

const browsers = openBrowsers({ settings: collectDefaults(browserSettings), reach: testReach(), home: process.argv[2] ?? '', variable });
await browsers.use('s1', true, async ({ tabs }) => (await tabs.current()).evaluate('1'));
process.on('SIGUSR2', () => void browsers[Symbol.asyncDispose]().then(() => process.stdout.write('closed\n')));
process.stdout.write('open\n');
setInterval(() => {}, 1000);
