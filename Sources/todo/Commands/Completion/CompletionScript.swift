import ArgumentParser

/// A shell's completion script: the script of ArgumentParser, extended to complete values of the list first.
struct CompletionScript {
  let shell: CompletionCommand.Shell

  /// The text of the script. Its function `__todo_list_values` requests the candidates from `todo`.
  var text: String {
    switch shell {
    case .bash:
      Self.inserting(Self.bash, into: CompletionAliases.added(to: ToDo.completionScript(for: .bash), for: .bash))
    case .zsh: Self.inserting(Self.zsh, into: CompletionAliases.added(to: ToDo.completionScript(for: .zsh), for: .zsh))
    case .fish: CompletionAliases.added(to: ToDo.completionScript(for: .fish), for: .fish) + "\n" + Self.fish
    }
  }

  /// Inserts a function before the main function of a script, and a call at its start.
  private static func inserting(_ function: String, into script: String) -> String {
    script.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line == "_todo() {" ? "\(function)\n\n\(line)\n    __todo_list_values && return 0" : String(line)
    }.joined(separator: "\n")
  }

  // The values are quoted already, and are not the names of files.
  private static let bash = #"""
    __todo_list_values() {
        local line
        COMPREPLY=()
        while IFS='' read -r line; do
            COMPREPLY+=("${line}")
        done < <(
            "${COMP_WORDS[0]}" ---complete bash \
                "${COMP_TYPE}" "${COMP_WORDBREAKS}" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null
        )
        [[ "${#COMPREPLY[@]}" -gt 0 ]] || return 1
        compopt +o filenames 2>/dev/null
        compopt -o nosort 2>/dev/null
        return 0
    }
    """#

  private static let zsh = #"""
    __todo_list_values() {
        local -a candidates
        candidates=("${(@f)"$("${words[1]}" ---complete zsh "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}")
        candidates=("${(@)candidates:#}")
        (( ${#candidates} )) || return 1
        _describe -V '' candidates
    }
    """#

  private static let fish = #"""
    function __todo_list_values
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        command $words[1] ---complete fish $words "$current" 2> /dev/null
    end

    complete -c 'todo' -fka '(__todo_list_values)'
    complete -c 'todo' -n '__fish_seen_subcommand_from add check done edit list ls mv ui watch' -l place -rfka '(__todo_list_values)'
    complete -c 'todo' -n '__fish_seen_subcommand_from add check done edit list ls mv ui watch' -l due -rfka '(__todo_list_values)'
    complete -c 'todo' -n '__fish_seen_subcommand_from check done list ls ui watch' -l at -rfka '(__todo_list_values)'
    """#
}
