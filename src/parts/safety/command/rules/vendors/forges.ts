import { type Vendors } from './vendor.ts';

/** Where repositories live and others see what is done to them. */
export const FORGES: Vendors = {
  gh: {
    fine: `
      pr/list|view|create|checkout|diff|checks|status|comment|review|edit|ready|merge|close|reopen|update-branch|co|new|ls
      issue/list|view|create|comment|edit|close|reopen|status|develop|pin|unpin|lock|new|ls run/list|view|watch|rerun|download|cancel|ls
      workflow/list|view|run|enable|ls repo/view|list|clone|fork|create|sync|set-default|ls|edit|license|gitignore|autolink
      release/list|view|create|download|edit|ls|upload|verify* api search/* gist/list|view|clone|create|edit
      auth/status|login|setup-git|token|refresh|switch|logout status browse alias/list|set|import|ls label/list|create|edit|clone|ls
      secret/list|set|ls variable/list|set|get|ls
      project/list|view|item-list|item-add|item-create|item-edit|field-list|create|edit|copy|link|mark-template|field-create
      codespace/list|code|ssh|logs|create|view|ports|cp cs/list|ssh|code|create extension/list|upgrade|search|browse|exec|create ext/list
      cache/list|ls ruleset/list|view|check org/list ssh-key/list gpg-key/list config/get|list|set completion help version
      attestation/verify|download|trusted-root copilot/* models/* preview/* accessibility agent-task/* co
    `,
    not: `
      api/-X=PUT|-X=PATCH|-X=DELETE|--method=PUT|--method=PATCH|--method=DELETE|--method=put|--method=patch|--method=delete|-XPUT|-XPATCH|-XDELETE
      repo/edit/--default-branch|--delete-branch-on-merge auth/refresh/-s|--scopes alias/set/--shell|-s
    `,
    sharp: '--admin --clobber --visibility --accept-visibility-change-consequences --force',
    values: '-R --repo --hostname',
  },
  glab: {
    fine: `
      mr/list|view|create|checkout|diff|note|approve|update|merge|close|reopen|rebase|for|issues|approvers|todo|subscribe
      issue/list|view|create|note|close|reopen|update|board|subscribe ci/list|view|status|trace|run|lint|retry|get|trigger|config|artifact
      pipeline|pipe/list|ls|view|status|ci|run|trace repo/view|list|clone|fork|search|create|contributors|members
      release/list|view|create|download auth/status|login|logout|configure-docker api snippet/* label/list|create
      variable/list|get|set|export config/get|set alias/list|set version completion check-update help user/events schedule/list
      ssh-key/list|get cluster/agent/list incident/list|view milestone/list|get iteration/list stack/* changelog/generate job/artifact
      duo/ask token/list
    `,
    values: '-R --repo -g --group',
  },
  'tea hub lab bb jira linear acli azdo circleci travis drone buildkite-agent bk woodpecker-cli codefresh semaphore concourse fly-ci jenkins-cli act_runner gitlab-runner gitea forgejo':
    {
      fine: `
        **/list|ls|view|show|status|get|info|describe|create|comment|open|search|browse|whoami|version|help|lint|validate|config|logs|diff|checks|checkout|me|clone|fork|sync|init|login|switch|process|local|exec|run|edit|assign|move|add
        ci-status api compare issues pulls local/execute config/validate|process
      `,
      sharp: '--force --admin --yes',
    },
  act: { fine: '*', sharp: '--privileged --bind' },
  bfg: { fine: '', bare: 'sharp' },
};
