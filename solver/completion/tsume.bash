# tsume.bash: completion for bash, with the package bash-completion. Commands, options and their values are what
# `tsume --help` and `tsume COMMAND --help` say, so that nothing is to be kept up to date here.

# What `tsume ARGUMENTS --help` prints, each option on a line of its own: "  -q, --quiet   No progress".
_tsume_help() {
    LC_ALL=C ARGP_HELP_FMT=rmargin=1000,opt-doc-col=79 "$tsume" "$@" --help 2>/dev/null
}

_tsume_commands() {
    _tsume_help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/\1/p'
}

# _tsume_options HELP: one a line, with what is to follow it: "--format=text|jsonl".
_tsume_options() {
    sed -n 's/^ \+\(-., \)\?\(--[^ ]\+\).*/\2/p' <<<"$1"
    sed -n 's/^ \+\(-.\), --[^ =]\+\(=[^ ]\+\)\?.*/\1\2/p' <<<"$1"
}

# _tsume_offer ACTION…: what compgen generates by the action, as far as it begins with the word under the cursor.
_tsume_offer() {
    mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
}

# _tsume_value PLACEHOLDER: completes the value of an option: words in small letters, or what a word in capitals stands for.
_tsume_value() {
    case $1 in
    *[a-z]*) _tsume_offer -W "${1//|/ }" ;;
    FILE*) _filedir ;;
    DIR) _filedir -d ;;
    COMMAND) _tsume_offer -c ;;
    esac
}

_tsume() {
    local cur prev words cword split first help options option
    _init_completion -s || return

    local tsume=${words[0]/#\~/$HOME}
    if ((cword == 1)) || [[ $cword == 2 && ${words[1]} == help ]]; then
        first=$(_tsume_commands)
        ((cword == 1)) && first+=' help --help --version'
        _tsume_offer -W "$first"
        return
    fi

    help=$(_tsume_help "${words[1]}")
    options=$(_tsume_options "$help")
    for option in $options; do
        if [[ $option == "$prev="* ]]; then
            _tsume_value "${option#*=}"
            return
        fi
    done
    if [[ $split == true ]]; then
        return
    elif [[ $cur == -* ]]; then
        _tsume_offer -W "$(sed 's/=.*//' <<<"$options")"
    elif [[ ${help%%$'\n'*} == *FILE* ]]; then
        _filedir
    fi
} && complete -F _tsume tsume
