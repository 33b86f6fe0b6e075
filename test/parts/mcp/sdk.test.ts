import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { odd, openIn, tempFolder } from './setup.ts';

test('without the SDK a session starts all the same, and its owner is told', async () => {
  using _hooks = {
    hooks: registerHooks({
      resolve: (specifier, context, next) => {
        if (!specifier.startsWith('@modelcontextprotocol/')) return next(specifier, context);
        throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
      },
    }),
    [Symbol.dispose]() {
      this.hooks.deregister();
    },
  };
  await using mcp = await openIn(tempFolder(), [odd('plain')]);
  assert.deepEqual(mcp.tools, []);
  assert.match(mcp.notices.join(), /the MCP server odd is not available in this session: Cannot find package .*hermes mcp test odd/);
});
