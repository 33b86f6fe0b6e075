import type { ConnectionEnd } from '../../contracts/platform-adapter.ts';

/** What a close code of the gateway means for what comes next. */
export interface CloseMeaning extends Pick<ConnectionEnd, 'why' | 'kind' | 'retryAfterMs'> {
  /** The session can be taken up again; otherwise the next login is a fresh one. */
  readonly resumes: boolean;
}

const again = (why: string, resumes: boolean): CloseMeaning => ({ why, kind: 'broken', resumes });
const never = (why: string): CloseMeaning => ({ why, kind: 'refused', resumes: false });

const MEANINGS: Readonly<Record<number, CloseMeaning>> = {
  4000: again('Discord had a problem of its own', true),
  4001: again('Discord did not know what we sent', true),
  4002: again('Discord could not read what we sent', true),
  4003: again('Discord did not know who we are', false),
  4004: never('Discord does not accept the bot token. Copy it again from the Bot page of your application and set DISCORD_BOT_TOKEN.'),
  4005: again('Discord got two logins on one connection', false),
  4007: again('Discord did not accept the place to go on from', false),
  4008: { ...again('Discord was sent too much at once', true), retryAfterMs: 5_000 },
  4009: again('The session at Discord timed out', false),
  4010: never('Discord did not accept the shard. Remove gateway_url from platforms.discord.extra.'),
  4011: never('Discord wants this bot to be split over several connections (sharding), which is not supported.'),
  4012: never('Discord no longer offers this version of its gateway. Update Hermes.'),
  4013: never('Discord did not accept the intents. Update Hermes.'),
  4014: never(
    'Discord does not let this bot read messages. Turn on "Message Content Intent" on the Bot page of your application at https://discord.com/developers.',
  ),
};

export const meaningOfClose = (code: number, reason: string): CloseMeaning =>
  MEANINGS[code] ?? again(`The connection to Discord broke (${code}${reason === '' ? '' : `: ${reason}`})`, true);
