import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { openRoutes } from '../../../src/parts/safety/urls/routes.ts';
import { urlSettings } from '../../../src/parts/safety/urls/settings.ts';
import { openGuardedNetwork } from '../../../src/parts/terminals/network/network.ts';
import { sandboxHere } from '../../../src/parts/terminals/sandbox/probe.ts';
import { site } from '../safety/urls/setup.ts';
import { dialHere, PUBLIC } from './network-stage.ts';
import { noSandbox, openSandboxed } from './sandbox-stage.ts';
import { lacks } from '../../programs.ts';

const skip = noSandbox === undefined ? false : noSandbox;
const never = new AbortController().signal;

async function openNetworked(port: number, wall: 'attended' | 'unattended' = 'attended') {
  const probe = await sandboxHere();
  if (!probe.ok) throw new Error(probe.why);
  const routes = openRoutes({
    settings: collectDefaults(urlSettings),
    home: '/nowhere',
    resolve: async () => [PUBLIC],
    dial: () => dialHere(port),
  });
  const openNetwork = openGuardedNetwork({
    routes,
    allowed: [],
    denied: [],
    listedOnly: wall === 'unattended',
    home: homedir(),
    env: {},
    notice: () => {},
  });
  return openSandboxed({ wall, openNetwork });
}

test('a command waits for the answer about a host, and its time-out waits with it', { skip: skip || lacks('curl') }, async () => {
  const page = await site((_request, response) => response.end('from outside'));
  await using terminal = (await openNetworked(page.port)).terminal;
  const asked: string[] = [];
  // The answer comes well after the time-out would have ended the command.
  const slow = async ({ host }: { readonly host: string }) => {
    asked.push(host);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return true;
  };
  const result = await terminal.run('curl -sS http://one.example/ && curl -sS http://one.example/', {
    signal: never,
    timeoutMs: 2_000,
    maxOutput: 10_000,
    askHost: slow,
  });
  assert.deepEqual([result.output, result.exitCode, asked], ['from outsidefrom outside', 0, ['one.example']]);
  const refused = await terminal.run('curl -sS http://two.example/', {
    signal: never,
    timeoutMs: 20_000,
    maxOutput: 10_000,
    askHost: async () => false,
  });
  const why = 'the user has not allowed connections to two.example.';
  assert.deepEqual(refused.blocked, [{ type: 'host', host: 'two.example', port: 80, why }]);
  const granted = await terminal.wall?.grant({ type: 'host', host: 'two.example' });
  assert.equal(granted, undefined);
  assert.equal(
    (await terminal.run('curl -sS http://two.example/', { signal: never, timeoutMs: 20_000, maxOutput: 10_000 })).output,
    'from outside',
  );
});

test('a server started in the background is reachable from this machine, and said to be', { skip }, async () => {
  await using terminal = (await openNetworked(1)).terminal;
  const script = `require('node:http').createServer((q, s) => s.end('inside')).listen(0, '127.0.0.1', function () { console.log('port', this.address().port) })`;
  const running = await terminal.start(`exec ${process.execPath} -e "${script}"`, { maxOutput: 10_000 });
  while ((terminal.wall?.reachable?.() ?? []).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const [server] = terminal.wall?.reachable?.() ?? [];
  assert.equal(await (await fetch(`http://127.0.0.1:${server?.here}/`)).text(), 'inside');
  await running.kill();
  await running.exited;
  assert.deepEqual(terminal.wall?.reachable?.(), []);
});
