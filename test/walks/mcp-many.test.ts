import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { ODD_SERVER } from '../parts/mcp/odd-server.ts';
import { NEEDS_SDK } from '../parts/mcp/setup.ts';
import { place } from './delegate-stage.ts';
import { hermes, toServer } from './hermes.ts';

const TOLD =
  '44 tools of the MCP server many are not available: the limit is 256 per server. To choose tools, set tools.include of the server in mcp_servers.';

test('a server with more tools than one may bring: test, list and every session say how many are left out', NEEDS_SDK, async () => {
  const at = place({ mcp_servers: { many: { command: process.execPath, args: [ODD_SERVER, 'many'] } } });
  const tested = await hermes(['mcp', 'test', 'many'], at);
  assert.deepEqual([tested.code, tested.out.includes(TOLD)], [0, true], tested.out);
  const listed = await hermes(['mcp', 'list'], at);
  assert.equal(listed.err, `hermes: ${TOLD}\n`);
  assert.match(listed.out, /256 tools/);
  for (const args of [
    ['mcp', 'test', 'many', '--json'],
    ['mcp', 'list', '--json'],
  ]) {
    const [row] = [JSON.parse((await hermes(args, at)).out) as unknown].flat();
    const { left_out: leftOut, notice } = row as { readonly left_out: number; readonly notice: string };
    assert.deepEqual([leftOut, notice], [44, TOLD], args.join(' '));
  }
  await using server = await startWireServer({ answer: () => ({ text: 'hello' }) });
  const ran = await hermes(['chat', '-q', 'hi', ...toServer(server.url)], at);
  assert.deepEqual([ran.code, ran.out, ran.err.includes(TOLD)], [0, 'hello\n', true], ran.err);
});
