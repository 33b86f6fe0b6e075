import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestNames, repairName } from '../../../src/parts/tools/repair-name.ts';

const OWN = ['read_file', 'write_file', 'search_files', 'terminal', 'patch', 'todo', 'tool', 'web_search', 'browser_click'];
const REMOTE = ['mcp__github__list_issues', 'mcp__github__createIssue', 'mcp__a_b__c', 'mcp__n__send_notes', 'mcp__k__1_23'];
const KNOWN = [...OWN, ...REMOTE];

const MEANT: readonly (readonly [given: string, meant: string])[] = [
  ['read_file', 'read_file'],
  ['ReadFile', 'read_file'],
  ['readFile', 'read_file'],
  ['readfile', 'read_file'],
  ['READ_FILE', 'read_file'],
  ['read-file', 'read_file'],
  ['read.file', 'read_file'],
  ['Read File', 'read_file'],
  ['read__file', 'read_file'],
  ['read_file_tool', 'read_file'],
  ['ReadFileTool', 'read_file'],
  ['patch-tool', 'patch'],
  ['patchtool', 'patch'],
  ['read_file_tool_tool', 'read_file'],
  ['read_file"><x', 'read_file'],
  ["terminal'", 'terminal'],
  ['tool', 'tool'],
  ['functions.terminal', 'terminal'],
  ['Functions.terminal', 'terminal'],
  ['default_api.terminal', 'terminal'],
  ['tool:terminal', 'terminal'],
  ['functions.ReadFile', 'read_file'],
  ['functions.mcp__github__list_issues', 'mcp__github__list_issues'],
  ['mcp_github_list_issues', 'mcp__github__list_issues'],
  ['mcp.github.list_issues', 'mcp__github__list_issues'],
  ['mcp-github-list-issues', 'mcp__github__list_issues'],
  ['mcp:github/listIssues', 'mcp__github__list_issues'],
  ['MCP__GitHub__list_issues', 'mcp__github__list_issues'],
  ['mcp__github__createissue', 'mcp__github__createIssue'],
  ['mcp__github__create_issue', 'mcp__github__createIssue'],
  ['serch_files', 'search_files'],
  ['seacrh_files', 'search_files'],
  ['search_filess', 'search_files'],
  ['terminals', 'terminal'],
  ['read_files', 'read_file'],
];
test('what is decorated, cased or joined in another way, or plainly mistyped, is understood', () => {
  for (const [given, meant] of MEANT) assert.equal(repairName(given, KNOWN), meant, given);
});

/** What was asked for is not there; none of those that are may run in its place. */
const OTHERS: readonly (readonly [given: string, known: readonly string[]])[] = [
  ['x', KNOWN],
  ['', KNOWN],
  ['functions.', KNOWN],
  ['elsewhere.patch', KNOWN],
  ['browser_open', KNOWN],
  ['list_issues', KNOWN],
  ['github__list_issues', KNOWN],
  ['mcp__github__list_issue', KNOWN],
  ['mcp__githb__list_issues', KNOWN],
  ['mcp__github__list_issues_tool', KNOWN],
  ['mcp__a__b_c', KNOWN],
  ['mcp__k__12_3', KNOWN],
  ['mcp__n__read_notes', KNOWN],
  ['mcp__web__search', KNOWN],
  ['web_search', ['mcp__web__search', 'web_extract', 'session_search', 'search_files', 'tool_search']],
  ['tool_299', ['tool_199', 'tool_298', 'tool_29']],
  ['mcp__big__tool_299_do', ['mcp__big__tool_199_do']],
  ['delete_repo', ['create_repo']],
  ['get_balance', ['set_balance']],
  ['read_file', ['write_file', 'edit_file', 'move_file']],
  ['start_instance', ['stop_instance', 'restart_instance', 'stat_instance']],
  ['stat_instance', ['start_instance']],
  ['remove_key', ['remote_key', 'move_key']],
  ['lock_door', ['block_door', 'unlock_door']],
  ['note_send', ['notes_end']],
  ['image_generate', ['image_delete']],
  ['browser_type', ['browser_press', 'browser_click']],
  ['mcp__a__delete_user', ['mcp__b__delete_user']],
  ['mcp__bank__get_balance', ['mcp__bank__set_balance']],
  ['mcp__k8s__get_pod', ['mcp__k8s__set_pod', 'mcp__k8s__del_pod']],
  ['mcp__fs__read_file', ['read_file', 'mcp__fs__write_file']],
  ['serch_files', ['search_files', 'seerch_files']],
  ['READ_NOTE', ['read_Note', 'read_note']],
];
test('no tool runs in place of another: not by likeness, not across servers, not where two could be meant', () => {
  for (const [given, known] of OTHERS) assert.equal(repairName(given, known), undefined, given);
});

test('one that is known but not there is found as itself and never as its neighbour', () => {
  assert.equal(repairName('cronjob', ['cronjob', 'cronjobs']), 'cronjob');
  assert.equal(repairName('Delete-Repo', ['create_repo', 'delete_repo']), 'delete_repo');
});

test('what may have been meant is told, the nearest first', () => {
  assert.deepEqual(suggestNames('mcp__n__read_notes', KNOWN), ['mcp__n__send_notes']);
  assert.deepEqual(suggestNames('list_issues', KNOWN), ['mcp__github__list_issues']);
  assert.equal(suggestNames('reed_file', KNOWN)[0], 'read_file');
  assert.deepEqual(suggestNames('violin', KNOWN), []);
});
