import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discord } from '../../../src/platforms/discord/index.ts';

const secrets = { token: 'abc.def' };

test('settings that cannot work are told with what to set', () => {
  const cases = [
    [{ secrets, extra: {} }, undefined],
    [{ secrets, extra: { ignored_channels: ['123456789012345678'], allowed_channels: '1,2' } }, undefined],
    [{ secrets: {}, extra: {} }, /DISCORD_BOT_TOKEN/],
    [{ secrets: { token: 'abc def' }, extra: {} }, /contains a space/],
    [{ secrets, extra: { api_url: 'discord.com' } }, /extra\.api_url is not an address/],
    [{ secrets, extra: { gateway_url: 'https://discord.com' } }, /extra\.gateway_url is not an address/],
    [{ secrets, extra: { ignored_channels: [1_234] } }, /extra\.ignored_channels between quotes/],
  ] as const;
  for (const [settings, expected] of cases) {
    const found = discord.check(settings);
    if (expected === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', expected);
  }
  assert.deepEqual(discord.credentials({ secrets, extra: {} }), { 'bot token': 'abc.def' });
});
