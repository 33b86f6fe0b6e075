import { setTimeout as pause } from 'node:timers/promises';
import { isOwnRequest } from '../../agent/attribution.ts';
import { replayCall } from '../../agent/replay.ts';
import type { Provider } from '../../contracts/provider.ts';
import type { Piece } from '../../faces/cli/entries.ts';
import { drawReplay, replayRow } from '../../faces/cli/replay.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { windowEngine } from '../../parts/context/window.ts';
import { profileOf } from '../../parts/providers/catalog/all.ts';
import { wireFormats } from '../../parts/providers/wire-format.ts';
import { scriptedProvider } from '../../testing/scripted-provider.ts';
import { processScreen, type ProcessScreen } from '../screen.ts';
import { oneSession, openStore } from '../host/store.ts';

/** Runs a stored session again, offline: every request is made anew from the log and held against what was sent. */
export async function replay(ref: string, flags: JsonFlag): Promise<number> {
  const screen = processScreen();
  await using store = await openStore(process.env);
  const session = oneSession(ref, await store.find(ref));
  const entries = await store.entries(session.id);
  const encode = offlineEncoder();
  const calls = (await store.calls({ sessionId: session.id }))
    .filter(isOwnRequest)
    .map((call) => replayCall(call, entries, windowEngine, encode));
  if (flags.json === true) screen.json(calls.map(replayRow));
  else await play(drawReplay(session, entries, calls, screen.paint), screen);
  return calls.every((call) => call.identical) ? 0 : 1;
}

/** The encoding half of the provider, as `connect` wires it: it knows neither keys nor addresses, so none are needed. */
function offlineEncoder(): Provider['encode'] {
  const formatOf = wireFormats(profileOf);
  const scripted = scriptedProvider([]);
  return (request) => (request.runtime.provider === 'scripted' ? scripted.encode(request) : formatOf(request.runtime).encode(request));
}

/** Words come at the pace of a quick model while somebody watches, but no answer holds the screen for longer than this. */
const WORD_MS = 12;
const ANSWER_MS = 800;

async function play(pieces: Iterable<Piece>, screen: ProcessScreen): Promise<void> {
  for (const { text, spoken } of pieces) {
    const words = spoken === true && screen.watched ? text.split(/(?<=\s)/) : [text];
    const between = words.length < 2 ? 0 : Math.min(WORD_MS, ANSWER_MS / words.length);
    for (const word of words) {
      screen.out(word);
      if (between >= 1) await pause(between);
    }
  }
}
