import type { CommandRule } from '../call/call.ts';
import { ask, toWordSet } from './rows.ts';

/** Names by which clouds tell a machine who it is and what it may do. */
const NAMES = toWordSet(`
  metadata metadata.google.internal metadata.goog instance-data instance-data.ec2.internal metadata.tencentyun.com metadata.packet.net
  metadata.platformequinix.com metadata.oraclecloud.com
`);
/** Their numbers: whatever belongs to this link alone, and a few that are routed. */
const NUMBERS: readonly RegExp[] = [
  /^169\.254\.\d+\.\d+$/,
  /^(?:100\.100\.100\.200|168\.63\.129\.16|192\.0\.0\.192|100\.88\.222\.5)$/,
  /^\[fd00:ec2:(?:[\da-f]{0,4}:)*(?:254|23)\]$/,
  /^\[fd20:ce(?::[\da-f]{0,4})*:254\]$/,
  // The same within a longer number, as the system would take it apart: ::ffff:a9fe:a9fe, 64:ff9b::a9fe:a9fe.
  /^\[(?:::(?:ffff:(?:0:)?)?|64:ff9b::|2002:)a9fe:[\da-f]{1,4}(?:::)?\]$/,
  /^\[::(?:ffff:)?6464:64c8\]$/,
];
/** A host as whoever connects reads it: every way to write a number becomes one. */
function hostOf(word: string): string | undefined {
  const host = /^(?:\w+:\/\/)?(?:[^/@]*@)?(\[[\d.:a-fA-F]+\]|[\w.-]+)(?=[:/?#]|$)/.exec(word)?.[1];
  if (host === undefined || (!word.includes('://') && !/^[\d[]|^metadata/i.test(host))) return undefined;
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : undefined;
}
/** Programs that fetch what they are told to, from wherever it lies. */
const FETCHES = toWordSet('curl wget http https xh httpie curlie aria2c axel lynx w3m links nc ncat netcat socat telnet fetch openssl');

const isMetadata = (word: string): boolean => {
  const host = hostOf(word);
  return host !== undefined && (NAMES.has(host.toLowerCase()) || NUMBERS.some((number) => number.test(host)));
};

export const METADATA: readonly CommandRule[] = [
  ask('secret_read', 'it asks the cloud for its credentials', (name, args) => FETCHES.has(name) && args.some(isMetadata)),
];
