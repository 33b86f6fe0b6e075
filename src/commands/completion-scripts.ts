/**
 * What a shell runs when somebody presses Tab. The scripts know nothing of the commands: they hand the line to hermes, which
 * answers with candidates, so that they never grow old.
 */
const BASH = String.raw`# Completes hermes in bash. To use it: eval "$(hermes completion bash)"
_hermes() {
  local line IFS=$'\n' word="$2"
  COMPREPLY=()
  [[ $COMP_CWORD -gt 0 ]] && word="${'$'}{COMP_WORDS[COMP_CWORD]}"
  while read -r line; do
    case $line in
      :file) COMPREPLY=($(compgen -f -- "$2")); compopt -o filenames 2>/dev/null; return ;;
      :folder) COMPREPLY=($(compgen -d -- "$2")); compopt -o filenames 2>/dev/null; return ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <(hermes __complete bash "${'$'}{COMP_LINE:0:COMP_POINT}" "$word" 2>/dev/null)
}
complete -F _hermes hermes
`;

const ZSH = String.raw`#compdef hermes
# Completes hermes in zsh. To use it: eval "$(hermes completion zsh)"
_hermes() {
  local line
  local -a found
  for line in "${'$'}{(@f)$(hermes __complete zsh "${'$'}{(j: :)words[1,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :file) _files; return ;;
      :folder) _files -/; return ;;
      ?*) found+=("${'$'}{${'$'}{line%%$'\t'*}//:/\\:}:${'$'}{line#*$'\t'}") ;;
    esac
  done
  _describe -V 'hermes' found
}
if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
compdef _hermes hermes
`;

const FISH = String.raw`# Completes hermes in fish. To use it: hermes completion fish > ~/.config/fish/completions/hermes.fish
function __hermes_complete
  for line in (hermes __complete fish (commandline -cp) 2>/dev/null)
    switch $line
      case ':file'
        __fish_complete_path (commandline -ct)
      case ':folder'
        __fish_complete_directories (commandline -ct)
      case '*'
        printf '%s\n' $line
    end
  end
end
complete -c hermes -f -k -a '(__hermes_complete)'
`;

export const COMPLETION_SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
