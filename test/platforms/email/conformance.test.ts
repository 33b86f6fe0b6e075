import { after, test } from 'node:test';
import { testPlatformConformance } from '../../../src/testing/conformance/platform.ts';
import { noMailServers, startMailServers } from '../../testing/mail/servers.ts';
import { openScene } from './scene.ts';

if (noMailServers !== undefined) test('the conformance suite', { skip: noMailServers }, () => {});
else {
  const servers = await startMailServers();
  after(() => servers[Symbol.asyncDispose]());
  testPlatformConformance('Email', () => openScene(servers));
}
