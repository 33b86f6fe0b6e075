/** What lies in a home, and what becomes of it when a profile is copied or exported. */
interface HomeItem {
  readonly name: string;
  /** With which wish it is copied; never when absent. */
  readonly clone?: 'settings' | 'all';
  /** It goes into an export. */
  readonly exported?: true;
}

/** What is not named here is neither copied nor exported: caches, checkpoints, the trash, processes, tokens that work once, schedules. */
export const HOME_ITEMS: readonly HomeItem[] = [
  { name: 'config.yaml', clone: 'settings', exported: true },
  { name: '.env', clone: 'settings' },
  { name: 'SOUL.md', clone: 'settings', exported: true },
  { name: 'AGENTS.md', clone: 'settings', exported: true },
  { name: 'skills', clone: 'settings', exported: true },
  { name: 'skins', clone: 'settings', exported: true },
  { name: 'memories', clone: 'all', exported: true },
  { name: 'plugins', clone: 'all' },
  { name: 'hooks', clone: 'all' },
];

/** Sections of the settings through which a profile speaks to the world: two profiles must not use the same bot. */
const CHANNEL_SECTIONS =
  `platforms gateway cron webhook webhooks pairing session_reset telegram discord slack whatsapp signal matrix mattermost feishu lark
  dingtalk wecom weixin qqbot email sms homeassistant bluebubbles api_server`.split(/\s+/);
const CHANNEL_VARIABLE = new RegExp(
  `^(?:TELEGRAM|DISCORD|SLACK|WHATSAPP|SIGNAL|MATRIX|MATTERMOST|FEISHU|LARK|DINGTALK|WECOM|WEIXIN|QQ|EMAIL|SMS|TWILIO|HASS|HOMEASSISTANT|BLUEBUBBLES|API_SERVER|WEBHOOK|GATEWAY)_`,
);

export const listChannelSections = (): readonly string[] => CHANNEL_SECTIONS;

/** A `.env` without the lines of channels. */
export function withoutChannelVariables(text: string): { readonly text: string; readonly removed: readonly string[] } {
  const removed: string[] = [];
  const lines = text.split('\n').filter((line) => {
    const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
    if (name === undefined || !CHANNEL_VARIABLE.test(name)) return true;
    removed.push(name);
    return false;
  });
  return { text: lines.join('\n'), removed };
}
