import { rule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Orders from elsewhere, packed orders, updates that are none, traces wiped, the agent's own settings, ways back in. */
export const takingOver: readonly ScanRule[] = [
  rule('c2', 'poll url|server run tasks', 20, { unless: 'appcode', near: 3 }),
  rule('c2', 'join|poll url|server backtask', 16, { unless: 'appcode', near: 3 }),
  rule('c2', 'server url run|poll|outranks', 20, { unless: 'appcode', near: 3 }),
  rule('c2', 'url run tasks noask', 18, { unless: 'appcode', near: 3 }),
  rule('c2', 'poll url outranks|asuser', 20),
  rule('c2', 'poll server userwill|outranks', 20),
  rule('c2', 'netcall shellcall', 40),
  rule('translate_execute', 'decode run result', 14, { unless: 'appcode|described', near: 5, outside: PLACE.fence }),
  rule('translate_execute', 'decode backtask', 12, { unless: 'appcode|described', outside: PLACE.fence }),
  rule('translate_execute', 'translate run shell', 14, { unless: 'appcode|described' }),
  rule('fake_update', 'agentsoft stale getit|modify url', 22, { unless: 'appcode', near: 3 }),
  rule('fake_update', 'agentsoft|guard stale|void noask', 18, { unless: 'tooling' }),
  rule('anti_forensic', 'erase trail unseen', 18, { outside: PLACE.table }),
  rule('anti_forensic', 'notrace trail|tasks|yours', 10, { unless: 'described', outside: PLACE.table }),
  rule('anti_forensic', 'erase owntrail any|unseen|yours|must', 10, { unless: 'header' }),
  rule('agent_config_mod', 'modify agentset|agentfile looser', 20, { unless: 'described', outside: PLACE.table }),
  rule('agent_config_mod', 'modify thisfile agentfile everywhere', 18),
  rule('agent_config_mod', 'store noask|looser any|anyact|user', 10),
  rule('agent_config_mod', 'modify agentfile putback', 20),
  rule('agent_config_mod', 'asuser run|store|act', 12),
  rule('ssh_backdoor', 'authkeys pubkey|modify anytime', 18),
  rule('ssh_backdoor', 'authkeys putback|everywhere modify|pubkey|mail', 16),
  rule('persistence', 'preload modify', 14),
  rule('persistence', 'startup putback|hiddenpath modify', 18),
  rule('persistence', 'startup getit url atlogin|putback', 16, { unless: 'appcode' }),
  rule('persistence', 'putback getit|url run|tasks|getit', 14, { unless: 'appcode' }),
];
