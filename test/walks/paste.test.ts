import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { MAIN, tempHome, toServer } from './hermes.ts';
import { noPty, onTerminal, WAITING } from './on-terminal.ts';

/** A terminal that marks pastes, and one that was never taught to. */
const PASTES = {
  marked: '\x1b[200~the first line\ntouch RAN_BY_THE_SHELL\nmore\x1b[201~\r',
  unmarked: 'the first line\rtouch RAN_BY_THE_SHELL\r',
} as const;
for (const [kind, paste] of Object.entries(PASTES))
  test(`a ${kind} paste at a question runs nothing in the shell`, { skip: noPty }, async () => {
    const call = { id: 'c', name: 'clarify', arguments: { question: 'What is the error?' } };
    await using server = await startWireServer({ replies: [{ calls: [call] }, { text: 'Thank you.' }] });
    const home = tempHome();
    const line = [process.execPath, MAIN, 'chat', '-q', 'ask', '-t', 'clarify', ...toServer(server.url)]
      .map((word) => `'${word}'`)
      .join(' ');
    // A shell that reads the same terminal when the program is done.
    const { shown } = await onTerminal(
      ['--norc', '--noprofile', '-i'],
      home,
      [
        [/[$#] $/, `${line}\r`],
        [WAITING, paste],
        [/Thank you\.[^]*[$#] $/, 'exit\r'],
      ],
      home,
      '/bin/bash',
    );
    assert.equal(existsSync(join(home, 'RAN_BY_THE_SHELL')), false, shown);
    assert.match(JSON.stringify(server.requests[1]?.body), /the first line/);
    assert.equal(/touch RAN_BY_THE_SHELL/.test(JSON.stringify(server.requests[1]?.body)), kind === 'marked');
  });
