import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Written with every change of what is enabled. */
export const pluginIndexPath = (home: string): string => join(home, 'cache', 'plugins.json');
/** Whether a plugin was ever enabled in this home, without a look into the store. */
export const hasPlugins = (home: string): boolean => existsSync(pluginIndexPath(home));
