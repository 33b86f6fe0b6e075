import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slack } from '../../../src/platforms/slack/index.ts';

describe('settings of Slack', () => {
  const good = { token: 'xoxb-1-2', app_token: 'xapp-1-A' };
  const rows = [
    ['both tokens', { secrets: good, extra: {} }, undefined],
    ['several workspaces', { secrets: { ...good, token: 'xoxb-1, xoxb-2' }, extra: { api_url: 'http://127.0.0.1:1/api/' } }, undefined],
    ['no bot token', { secrets: { app_token: 'xapp-1' }, extra: {} }, /SLACK_BOT_TOKEN/],
    ['an app token in its place', { secrets: { token: 'xapp-1', app_token: 'xapp-1' }, extra: {} }, /begins with xoxb-/],
    ['no app token', { secrets: { token: 'xoxb-1' }, extra: {} }, /SLACK_APP_TOKEN/],
    ['a server that is no address', { secrets: good, extra: { api_url: 'slack' } }, /api_url is not an address: slack/],
  ] as const;
  for (const [name, settings, expected] of rows)
    it(name, () => {
      const problem = slack.check(settings);
      if (expected === undefined) assert.equal(problem, undefined);
      else assert.match(problem ?? '', expected);
    });

  it('hold only the credential that allows one connection', () => {
    assert.deepEqual(slack.credentials({ secrets: good, extra: {} }), { 'app token': 'xapp-1-A' });
  });
});
