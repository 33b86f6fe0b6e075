import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectDefaults } from '../../src/contracts/settings.ts';
import { listAbsentTools } from '../../src/parts/tools/absent-tools.ts';
import { SETTINGS } from '../../src/app/config/config.ts';

const settings = { ...collectDefaults(SETTINGS), 'agent.disabled_toolsets': ['web_search'] };

test('every known tool that a session lacks is told with its own reason, also one of a server that the owner keeps out', () => {
  const absent = listAbsentTools(['read_file', 'todo', 'web_search'], { settings, chosen: ['read_file'], withheld: ['mcp__x__send'] });
  assert.deepEqual(
    [...absent],
    [
      ['todo', 'it is not among the toolsets of this session'],
      ['web_search', 'the owner switched it off'],
      ['mcp__x__send', 'the owner keeps it out of what its MCP server offers (tools.include, tools.exclude)'],
    ],
  );
});
