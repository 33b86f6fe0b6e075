import { describeBriefly } from '../../base/brief.ts';
import type { RequiredConsent } from '../../contracts/consent.ts';
import { describeTaint, listTaintSources } from '../../contracts/message.ts';
import { ToolRefusal, type RunnableCall, type SessionWords, type ToolRunOptions } from '../../contracts/tool.ts';
import { formatHostKey } from '../../contracts/wall.ts';
import type { ToolkitOptions } from './options.ts';
import { isReadingHost } from './reading-hosts.ts';
import { carriesData } from './url-data.ts';

/** Tools whose results are addresses that we looked for ourselves. */
const SEARCHES: ReadonlySet<string> = new Set(['web_search']);
const NO_WORDS: SessionWords = { owner: () => [], results: () => [] };
/** Addresses of one call that are looked at; one that holds more is asked about as a whole. */
const MAX_URLS = 50;

/**
 * While words of others are in view, an address may be their idea and what stands in it may be for them. A call that goes to a
 * host nobody knows, or whose address carries data, then needs consent that names where the words came from.
 */
export async function findNewHostObjection(
  { tool, input }: RunnableCall,
  { taint, words = NO_WORDS }: Pick<ToolRunOptions, 'taint' | 'words'>,
  { findHost = async () => undefined }: Pick<ToolkitOptions, 'findHost'>,
): Promise<RequiredConsent | undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  const urls = taint.length === 0 ? [] : (tool.reaches?.(input as never) ?? []).slice(0, MAX_URLS).flatMap(parseWebUrl);
  if (urls.length === 0) return undefined;
  const judged = await Promise.all(urls.map(async (url) => ({ url, place: toPlace(url), ...judge(url, words, await findHost(url)) })));
  const denied = judged.find(({ isDenied }) => isDenied);
  if (denied !== undefined) throw new ToolRefusal(`Not run: the user's settings deny ${denied.url.hostname} (terminal.denied_hosts).`);
  const [fresh, sending] = [judged.filter(({ isNew }) => isNew), judged.filter(({ hasData }) => hasData)];
  if (fresh.length === 0 && sending.length === 0) return undefined;
  const asked = [...new Set([...fresh, ...sending].map(({ url }) => url.href))];
  const action = {
    tool: tool.name,
    summary: `connect to ${[...new Set([...fresh, ...sending].map(({ place }) => place.slice('host:'.length)))].join(', ')}: ${describeBriefly(asked.join(' '))}`,
    reason: explain(fresh.length > 0, sending.length > 0, taint),
    ...keyOf({ network_host: placesOf(fresh), data_sent: placesOf(sending) }),
  };
  return { action, refusal: (why) => `Not run: ${action.reason}, and consent was not given: ${why}` };
}

const placesOf = (judged: readonly { readonly place: string }[]): readonly string[] => [...new Set(judged.map(({ place }) => place))];
const keyOf = (places: Readonly<Record<string, readonly string[]>>) => {
  const used = Object.entries(places).filter(([, at]) => at.length > 0);
  return { key: used.map(([name]) => name).join('+'), at: Object.fromEntries(used) };
};

function judge(url: URL, words: SessionWords, standing: 'allowed' | 'denied' | undefined) {
  if (standing !== undefined) return { isDenied: standing === 'denied', isNew: false, hasData: false };
  const reading = isReadingHost(url.hostname);
  const { owner, searched, all } = collect(words);
  const isNew = !reading && !owner.some((text) => names(text, url.hostname)) && !searched.some((text) => names(text, url.hostname));
  const seen = (text: string): boolean => all.some((each) => each.includes(text));
  return { isDenied: false, isNew, hasData: carriesData(url, { reading, seen }) };
}

const collect = (words: SessionWords) => {
  const results = words.results();
  const searched = results.filter(({ tool }) => SEARCHES.has(tool)).map(({ text }) => text);
  return { owner: words.owner(), searched, all: [...words.owner(), ...results.map(({ text }) => text)] };
};

/** The name as a word of its own: `example.org` is not named by `notexample.org` or `example.org.evil.net`. */
function names(text: string, host: string): boolean {
  const lower = text.toLowerCase();
  const bare = host.replace(/^www\./, '');
  for (let at = lower.indexOf(bare); at >= 0; at = lower.indexOf(bare, at + 1)) {
    const before =
      lower
        .slice(0, at)
        .replace(/www\.$/, '')
        .at(-1) ?? ' ';
    const after = lower.slice(at + bare.length, at + bare.length + 2);
    if (!/[\w.-]/.test(before) && !/^(?:[\w-]|\.\w)/.test(after)) return true;
  }
  return false;
}

const toPlace = (url: URL): string =>
  `host:${formatHostKey({ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? undefined : Number(url.port) })}`;

function parseWebUrl(text: string): URL[] {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? [url] : [];
}

function explain(isNew: boolean, hasData: boolean, taint: readonly string[]): string {
  const what = [isNew ? 'the host is not on the list of known hosts' : '', hasData ? 'the address may carry data' : ''].filter(
    (part) => part !== '',
  );
  return `${what.join(' and ')}, and this session has read ${describeTaint(taint)} (${listTaintSources(taint)}); the text it read may have asked for this`;
}
