import type { NetworkAccess } from '../../../../../src/contracts/reach.ts';
import { collectDefaults } from '../../../../../src/contracts/settings.ts';
import { openReach } from '../../../../../src/parts/safety/urls/reach.ts';
import { urlSettings } from '../../../../../src/parts/safety/urls/settings.ts';

export const variable = (name: string): string | undefined => process.env[name];

const ADDRESSES: Readonly<Record<string, readonly string[]>> = { 'site.test': ['127.0.0.1'], 'private.test': ['10.0.0.7'] };

const lookUp = async (host: string): Promise<readonly string[]> => ADDRESSES[host] ?? Promise.reject(new Error('unknown name'));

/** The real judgement; of this machine one address counts as public, and it has one name. */
export const testReach = (resolve: (host: string) => Promise<readonly string[]> = lookUp): NetworkAccess =>
  openReach({
    settings: collectDefaults(urlSettings),
    home: '/nowhere',
    open: ['127.0.0.1'],
    resolve,
  });
