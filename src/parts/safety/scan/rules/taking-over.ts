import { defineRule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Orders from elsewhere, packed orders, updates that are none, traces wiped, the agent's own settings, ways back in. */
export const takingOver: readonly ScanRule[] = [
  defineRule('c2', 'poll url|server run tasks', 20, { unless: 'appcode', near: 3 }),
  defineRule('c2', 'join|poll url|server backtask', 16, { unless: 'appcode', near: 3 }),
  defineRule('c2', 'server url run|poll|outranks', 20, { unless: 'appcode', near: 3 }),
  defineRule('c2', 'url run tasks noask', 18, { unless: 'appcode', near: 3 }),
  defineRule('c2', 'poll url outranks|asuser', 20),
  defineRule('c2', 'poll server userwill|outranks', 20),
  defineRule('c2', 'netcall shellcall', 40),
  defineRule('translate_execute', 'decode run result', 14, { unless: 'appcode|described', near: 5, outside: PLACE.fence }),
  defineRule('translate_execute', 'decode backtask', 12, { unless: 'appcode|described', outside: PLACE.fence }),
  defineRule('translate_execute', 'translate run shell', 14, { unless: 'appcode|described' }),
  defineRule('fake_update', 'agentsoft stale getit|modify url', 22, { unless: 'appcode', near: 3 }),
  defineRule('fake_update', 'agentsoft|guard stale|void noask', 18, { unless: 'tooling' }),
  defineRule('anti_forensic', 'erase trail unseen', 18, { unless: 'actor|does', outside: PLACE.table }),
  defineRule('anti_forensic', 'notrace trail|tasks|yours', 10, { unless: 'described', outside: PLACE.table }),
  defineRule('anti_forensic', 'erase owntrail unseen|yours|poll', 14, { unless: 'header|secret' }),
  defineRule('agent_config_mod', 'modify agentset|agentfile looser', 20, { unless: 'described', outside: PLACE.table }),
  defineRule('agent_config_mod', 'modify thisfile agentfile everywhere', 18),
  defineRule('agent_config_mod', 'store noask|looser any|anyact|user', 10),
  defineRule('agent_config_mod', 'modify agentfile putback', 20),
  defineRule('agent_config_mod', 'asuser run|store|act', 12),
  defineRule('ssh_backdoor', 'authkeys pubkey|modify anytime', 18),
  defineRule('ssh_backdoor', 'authkeys putback|everywhere modify|pubkey|mail', 16),
  defineRule('persistence', 'preload modify', 14),
  defineRule('persistence', 'startup putback|hiddenpath modify', 18),
  defineRule('persistence', 'startup getit url atlogin|putback', 16, { unless: 'appcode' }),
];
