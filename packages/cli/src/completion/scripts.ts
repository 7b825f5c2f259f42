/** The hidden command that the scripts call at each completion. */
export const completionWord = "__complete";

/** Shells, in the order of the help. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** A candidate that asks the shell for names of files. */
export const filesCandidate = ":files";

const bash = `# Completion of secplat for bash. Load it in ~/.bashrc with: source <(secplat completion bash)
_secplat() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == ${filesCandidate} ]]; then
      type compopt &> /dev/null && compopt -o filenames
      while IFS= read -r candidate; do
        COMPREPLY+=("$candidate")
      done < <(compgen -f -- "$2")
    else
      COMPREPLY+=("$candidate")
    fi
  done < <(secplat ${completionWord} bash "\${COMP_LINE:0:COMP_POINT}" "$2" 2> /dev/null)
}
complete -F _secplat secplat
`;

const zsh = `#compdef secplat
# Completion of secplat for zsh. Load it in ~/.zshrc, after compinit, with: source <(secplat completion zsh)
_secplat() {
  local candidate value line="\${(j: :)words[1,CURRENT-1]} $PREFIX"
  local -a candidates
  for candidate in "\${(@f)$(secplat ${completionWord} zsh "$line" 2> /dev/null)}"; do
    if [[ $candidate == ${filesCandidate} ]]; then
      _files
    elif [[ -n $candidate ]]; then
      value=\${candidate%%$'\\t'*}
      candidates+=("\${value//:/\\\\:}\${candidate/#$value/:}")
    fi
  done
  (( $#candidates )) && _describe secplat candidates
}
if [[ $funcstack[1] == _secplat ]]; then
  _secplat "$@"
else
  compdef _secplat secplat
fi
`;

const fish = `# Completion of secplat for fish. Load it in config.fish with: secplat completion fish | source
function __secplat_candidates
    for candidate in (secplat ${completionWord} fish (commandline -cp | string collect) 2> /dev/null)
        if test "$candidate" = ${filesCandidate}
            __fish_complete_path (commandline -ct)
        else
            echo $candidate
        end
    end
end
complete -c secplat -e
complete -c secplat -f -a '(__secplat_candidates)'
`;

// Some versions of PowerShell drop double quotes in arguments.
const powershell = `# Completion of secplat for PowerShell. Load it in $PROFILE with:
#   secplat completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName secplat -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    $line = $commandAst.ToString().PadRight($length).Substring(0, $length).Replace('"', "'")
    foreach ($candidate in (secplat ${completionWord} powershell $line 2> $null)) {
        if ($candidate -eq '${filesCandidate}') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
            continue
        }
        $value, $description = $candidate -split "\`t", 2
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
}
`;

/** What a shell must run so that it completes command lines of secplat. */
export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell };
