import { defineCommand } from '../contracts/services/define-command.ts';
import { COMPLETION_SCRIPTS } from './completion-scripts.ts';

export type CompletionShell = keyof typeof COMPLETION_SCRIPTS;

export const completion = defineCommand({
  name: 'completion',
  category: 'help',
  summary: 'Print a script that completes hermes commands in your shell',
  arguments: { shell: { kind: 'choice', choices: ['bash', 'zsh', 'fish'], required: true, description: 'bash, zsh or fish' } },
  where: ['shell'],
  whileBusy: 'run',
  json: 'as JSON',
  examples: [
    'eval "$(hermes completion bash)"                                        in ~/.bashrc',
    'eval "$(hermes completion zsh)"                                         in ~/.zshrc',
    'hermes completion fish > ~/.config/fish/completions/hermes.fish',
  ],
  run: async ({ shell }) => ({ shell, script: COMPLETION_SCRIPTS[shell] }),
  describe: ({ script }) => script,
});
