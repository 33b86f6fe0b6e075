import { defineCommand } from '../contracts/services/define-command.ts';

/** Looks at everything a session needs and says what is missing. */
export const doctor = defineCommand({
  name: 'doctor',
  category: 'insight',
  summary: 'Check the installation, the keys, the settings and the store',
  where: ['shell'],
  whileBusy: 'run',
  json: 'one JSON array',
  examples: ['hermes doctor', "hermes doctor --json | jq '.[] | select(.ok == false)'"],
  needs: ['checkup'],
  run: async (_values, { checkup }) => {
    const findings = await checkup.look();
    return { findings, ok: findings.every(({ ok }) => ok) };
  },
});
