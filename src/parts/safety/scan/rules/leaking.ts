import { defineRule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Secrets, talks and prompts that leave. In words here; single lines of shell and code in `statements`. */
export const leaking: readonly ScanRule[] = [
  defineRule('leak_system_prompt', 'reveal sysprompt full', 14, { unless: 'described|tooling|appcode' }),
  defineRule('leak_system_prompt', 'reveal sysprompt any|user yours', 8, { unless: 'described|tooling|drop' }),
  defineRule('send_to_url', 'send secretfile|envfile url|mail', 16),
  defineRule('send_to_url', 'send secret any|values|yours|user url|mail', 14, { unless: 'header', near: 3 }),
  defineRule('send_to_url', 'secret|talk inquery', 14, { unless: 'header', near: 2 }),
  defineRule('context_exfil', 'send talk url|mail|hiddenpath', 14, { unless: 'header|actor|does', near: 3 }),
  defineRule('read_secrets', 'ifai read|reveal|send secret|secretfile|envfile|alldata', 16, { unless: 'described|namesonly' }),
  defineRule('read_secrets', 'read|reveal|send alldata url|mail|publish|pubplace', 20, { unless: 'described|namesonly' }),
  defineRule('read_secrets', 'read|reveal secretfile publish', 24, { unless: 'described' }),
  defineRule('read_secrets', 'read envfile values publish', 20, { unless: 'described' }),
  defineRule('read_secrets', 'read secret publish any|yours|user values', 14, {
    unless: 'described|header|namesonly',
    outside: PLACE.fence,
  }),
  defineRule('read_secrets', 'modify|reveal|read secret pubplace', 8, { unless: 'described|header' }),
  defineRule('read_secrets', 'reveal secret values pubplace', 22, { unless: 'described|header|namesonly' }),
  defineRule('exfil_code', 'harvest netcall url', 50),
];
