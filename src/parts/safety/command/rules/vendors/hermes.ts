import { type Vendors } from './vendor.ts';

/** This very program. What is not here changes its rules, its memory or its tools, or lets another run of it act with nobody watching. */
export const HERMES: Vendors = {
  hermes: {
    fine: `
      help version usage doctor replay prompt/scan approvals/list|show checkpoints/list|show|diff|status trash/list memory/list|path
      skills/list|view|check sessions/list|show|search config/get|path|check|schema|explain tools/list mcp/list
      gateway/status|list cron/list|status plugins/list pairing/list profile/list|show
    `,
    bare: 'sharp',
    sharp: '--yolo',
    values: '-p --profile',
  },
};
/** Its verbs, by which a file of a common name is known for it. */
export const HERMES_VERBS = `
  chat demo replay usage doctor prompt memory skills sessions config tools approvals checkpoints trash mcp gateway cron plugins pairing
  profile update uninstall
`;
