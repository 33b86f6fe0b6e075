import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repairName } from '../../../src/parts/tools/repair-name.ts';

const KNOWN = ['read_file', 'write_file', 'search_files', 'terminal', 'patch', 'todo', 'tool'];

test('names models decorate are understood, others are not guessed', () => {
  const table: readonly [given: string, meant: string | undefined][] = [
    ['read_file', 'read_file'],
    ['ReadFile', 'read_file'],
    ['readFile', 'read_file'],
    ['read-file', 'read_file'],
    ['Read File', 'read_file'],
    ['read_file_tool', 'read_file'],
    ['ReadFileTool', 'read_file'],
    ['patch-tool', 'patch'],
    ['patchtool', 'patch'],
    ['read_file_tool_tool', 'read_file'],
    ['read_file"><x', 'read_file'],
    ["terminal'", 'terminal'],
    ['serch_files', 'search_files'],
    ['terminals', 'terminal'],
    ['browser_open', undefined],
    ['x', undefined],
    ['', undefined],
    ['tool', 'tool'],
    ['functions.terminal', 'terminal'],
    ['default_api.terminal', 'terminal'],
    ['tool:terminal', 'terminal'],
    ['functions.ReadFile', 'read_file'],
    ['functions.', undefined],
    ['elsewhere.patch', undefined],
  ];
  for (const [given, meant] of table) assert.equal(repairName(given, KNOWN), meant, given);
});
